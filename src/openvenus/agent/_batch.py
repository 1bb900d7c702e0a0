"""Many agents, one model call: proposals gathered for a moment and made together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from openvenus.agent._act import describe
from openvenus.episode import Decision, ParseFailure
from openvenus.errors import PolicyFault
from openvenus.policy import BatchPolicy, Situation

Result = Decision | ParseFailure


@dataclass(frozen=True, slots=True)
class _Request:
    situation: Situation
    reply: asyncio.Future[Result]


class Batcher:
    """A policy in front of a `BatchPolicy` that turns many `propose` into one `propose_many`.

    A batch is sent as soon as every agent that has joined is waiting, `most` are, or the first
    has waited `delay` seconds. One batch is in flight at a time; what comes meanwhile makes the
    next. Belongs to one event loop.

    Args:
        delay: longest wait for company, in seconds.
        most: largest batch.
    """

    def __init__(self, policy: BatchPolicy, *, delay: float = 0.002, most: int = 64) -> None:
        self._policy = policy
        self._delay = delay
        self._most = most
        self._agents = 0
        self._waiting: list[_Request] = []
        self._timer: asyncio.TimerHandle | None = None
        self._sender: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The name of the policy behind it."""
        return self._policy.name

    def join(self, agents: int = 1) -> None:
        """So many more agents may ask from now on."""
        self._agents += agents

    def leave(self) -> None:
        """One agent fewer; those that wait for it wait no longer."""
        self._agents -= 1
        self._consider()

    async def propose(self, situation: Situation) -> Result:
        """The decision for one situation, made together with those of other agents."""
        request = _Request(situation, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        self._consider()
        try:
            return await request.reply
        finally:
            if request in self._waiting:
                self._waiting.remove(request)

    async def close(self) -> None:
        """Give up what is in flight. The policy behind it stays open."""
        self._stop_timer()
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.wait([self._sender])

    def _consider(self) -> None:
        if not self._waiting or self._sender is not None:
            return
        if len(self._waiting) >= min(max(self._agents, 1), self._most):
            self._send()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._delay, self._send)

    def _send(self) -> None:
        self._stop_timer()
        if self._sender is None and self._waiting:
            batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            self._sender = asyncio.get_running_loop().create_task(self._ask(batch))
            self._sender.add_done_callback(self._sent)

    def _sent(self, _: asyncio.Task[None]) -> None:
        self._sender = None
        self._consider()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _ask(self, batch: list[_Request]) -> None:
        error: BaseException
        try:
            results = await self._policy.propose_many([r.situation for r in batch])
            if len(results) != len(batch):
                raise PolicyFault(
                    f"{self.name} gave {len(results)} decisions for {len(batch)} situations"
                )
        except asyncio.CancelledError:
            error = PolicyFault(f"{self.name} was closed while it was deciding")
        except PolicyFault as e:
            error = e
        except Exception as e:
            error = PolicyFault(f"{self.name} failed: {describe(e)}")
        else:
            for request, result in zip(batch, results, strict=True):
                if not request.reply.done():
                    request.reply.set_result(result)
            return
        for request in batch:
            if not request.reply.done():
                request.reply.set_exception(error)
