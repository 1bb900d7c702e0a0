"""One turn of the loop, and what it carries over to the next."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from openvenus.action import Action, Answer, AskUser, Finish, Note, Refuse, Wait
from openvenus.agent import _act as act
from openvenus.agent._effects import compare, effect_of, feedback_of
from openvenus.agent._environment import Environment
from openvenus.agent._events import Asked, Decided, EffectSeen, Observed, Ruled
from openvenus.agent._guard import judge
from openvenus.agent._history import History, Notes
from openvenus.agent._person import ask_person
from openvenus.agent._progress import Progress, action_key, fingerprint
from openvenus.agent._setup import Setup
from openvenus.agent._turn import Ending, Turn
from openvenus.device import Device, Performed
from openvenus.episode import Decision, Effect, Observation, ParseFailure, Step, Task
from openvenus.errors import DeviceFault, PolicyFault
from openvenus.policy import Situation


class Stepper:
    """Makes the steps of one episode, one at a time.

    `step` may be cancelled at any await; `take_broken` then gives what is known of the step.
    """

    def __init__(
        self, setup: Setup, device: Device, episode: str, environment: Environment | None
    ) -> None:
        options = setup.options
        self.task = Task("")
        self.clocks: tuple[asyncio.Timeout, ...] = ()
        """The deadlines that run; they stand still while the person is asked."""
        self.answer = ""
        self.notes = Notes(count=options.max_notes, chars=options.max_note_chars)
        self._setup = setup
        self._options = options
        self._device = device
        self._episode = episode
        self._environment = environment
        self._history = History(
            steps=options.history_steps,
            elements=options.history_elements,
            images=options.history_images,
        )
        self._messages: deque[str] = deque(maxlen=options.max_messages)
        self._progress = Progress(
            repeat_limit=options.repeat_limit, no_progress_steps=options.no_progress_steps
        )
        self._observation: Observation | None = None
        self._state = ""
        self._seen_at = 0.0
        self._observe_seconds = 0.0
        self._feedback: list[str] = []
        self._unreadable = 0
        self._denied = 0
        self._warned = 0
        self._turn: Turn | None = None
        self._step: Step | None = None
        self._early_phase = "observe"

    @property
    def phase(self) -> str:
        """What the step that runs (or was broken off) is at."""
        return self._turn.phase if self._turn is not None else self._early_phase

    @property
    def final(self) -> Observation | None:
        """The screen as it was last seen; None when something was done to it since."""
        return self._observation

    def take(self) -> Step:
        """The step that was just made."""
        step, self._step = self._step, None
        assert step is not None
        return step

    def take_broken(self) -> Step | None:
        """The step that was broken off, if the policy had answered."""
        turn, self._turn = self._turn, None
        if turn is None or (turn.decision is None and turn.failure is None):
            return None
        if turn.effect is None and turn.performed is not None:
            turn.effect = effect_of(turn.performed, turn.observation)
        elif turn.effect is None and turn.touched:
            turn.effect = Effect("failed", "broken off while it was being done")
        return turn.step()

    async def step(self, index: int) -> Ending | None:
        """Make one step; returns how the episode ends, or None when it goes on.

        Raises:
            DeviceFault, PolicyFault: the step is broken off.
        """
        observation = await self._look()
        turn = Turn(index, observation, " ".join(self._feedback), self._observe_seconds)
        self._turn = turn
        self._feedback = []
        self._setup.emit(Observed(self._episode, index, observation))
        result = await self._propose(turn)
        self._setup.emit(Decided(self._episode, index, result))
        if isinstance(result, ParseFailure):
            turn.failure = result
            ending = self._not_read(result)
        else:
            turn.decision = result
            self._unreadable = 0
            ending = await self._decided(turn, result)
        if self._environment is not None:
            with turn.during("environment"):
                ended = await self._environment.ended(self._device)
            if ended:
                ending = Ending("environment_done", "the task's environment closed the episode")
        self._step = turn.step()
        self._history.add(self._step)
        self._turn = None
        self._early_phase = "overhead"
        return ending

    async def _look(self) -> Observation:
        """The screen to decide on: the last one seen, as long as it is fresh."""
        age = time.perf_counter() - self._seen_at
        if self._observation is None or age > self._options.reuse_seconds:
            self._early_phase = "observe"
            self._observation = await self._observe()
            self._state = fingerprint(self._observation)
            self._progress.saw(self._state)
        return self._observation

    async def _observe(self) -> Observation:
        begun = time.perf_counter()
        try:
            seen = await self._device.observe(image=self._options.images)
        except DeviceFault:
            raise
        except Exception as e:
            raise DeviceFault(
                f"{self._device.name} could not be observed: {act.describe(e)}"
            ) from e
        self._seen_at = time.perf_counter()
        self._observe_seconds = self._seen_at - begun
        return seen

    async def _propose(self, turn: Turn) -> Decision | ParseFailure:
        situation = Situation(
            task=self.task,
            observation=turn.observation,
            history=self._history.shown(),
            notes=self.notes.shown(),
            feedback=turn.feedback,
            actions=self._device.actions | act.LOOP_ACTIONS,
            messages=tuple(self._messages),
        )
        policy = self._setup.policy
        with turn.during("propose"):
            try:
                return await policy.propose(situation)
            except PolicyFault:
                raise
            except Exception as e:
                raise PolicyFault(f"{policy.name} failed: {act.describe(e)}") from e

    def _not_read(self, failure: ParseFailure) -> Ending | None:
        where = f" (at character {failure.position})" if failure.position is not None else ""
        self._unreadable += 1
        if self._unreadable > self._options.parse_retries:
            return Ending(
                "invalid_output",
                f"{self._unreadable} answers in a row were no action; the last: "
                f"{failure.reason}{where}",
            )
        self._feedback.append(
            f"The last answer could not be read: {failure.reason}{where}. "
            "Nothing was done. Answer with exactly one action."
        )
        return None

    async def _decided(self, turn: Turn, decision: Decision) -> Ending | None:
        with turn.during("review"):
            turn.ruling = await judge(
                self._setup.guard, self._setup.approver, self.task, turn.observation, decision
            )
        self._setup.emit(Ruled(self._episode, turn.index, turn.ruling))
        ending: Ending | None = None
        if turn.ruling.verdict != "allow":
            turn.performed = Performed("denied", turn.ruling.reason or f"rule {turn.ruling.rule}")
        else:
            turn.performed, ending = await self._carry_out(turn, decision)
        after: Observation | None = None
        if turn.touched or turn.looks:
            with turn.during("observe"):
                after = await self._observe()
            self._observation = after
        change = await compare(turn.observation, after) if after is not None else None
        turn.effect = effect_of(turn.performed, turn.observation, after, change)
        self._setup.emit(EffectSeen(self._episode, turn.index, turn.effect))
        self._say(feedback_of(decision.action, turn.effect))
        before, self._state = self._state, fingerprint(after) if after else self._state
        return ending or self._judge_progress(decision, turn.effect, before)

    def _judge_progress(self, decision: Decision, effect: Effect, before: str) -> Ending | None:
        if effect.status == "denied":
            self._denied += 1
            if self._denied >= self._options.denials:
                return Ending(
                    "denied", f"{self._denied} decisions in a row were denied: {effect.message}"
                )
            return None
        self._denied = 0
        sign = self._progress.step(
            before, action_key(decision.action, decision.target), self._state
        )
        if sign is None:
            self._warned = 0
            return None
        self._warned += 1
        if self._warned > self._options.stuck_warnings:
            return Ending("stuck", f"{sign}, and {self._warned - 1} warnings changed nothing")
        self._say(f"You seem to be stuck: {sign}. Try something else, ask, or refuse.")
        return None

    async def _carry_out(self, turn: Turn, decision: Decision) -> tuple[Performed, Ending | None]:
        refusal = act.unsupported(decision.action, self._device)
        if refusal is not None:
            return refusal, None
        planned = act.flat(decision.action)
        parts: list[act.Part] = []
        ending: Ending | None = None
        for action in planned:
            performed, ending = await self._do(turn, action, decision)
            parts.append(act.Part(action, performed))
            turn.performed = act.joined(parts, len(planned))
            if performed.status != "done" or ending is not None:
                break
        return act.joined(parts, len(planned)), ending

    async def _do(
        self, turn: Turn, action: Action, decision: Decision
    ) -> tuple[Performed, Ending | None]:
        match action:
            case Finish():
                self.answer = action.answer or self.answer
                reason = "the policy says that it failed" if action.status == "failure" else ""
                return Performed(), Ending("claimed_done", reason)
            case Refuse():
                return Performed(), Ending("refused", action.reason)
            case Answer():
                self.answer = action.text
                return Performed(), None
            case Note():
                return Performed("done", self.notes.add(action.text)), None
            case AskUser():
                return await self._ask(turn, action.question)
            case Wait():
                turn.looks = True
                with turn.during("perform"):
                    return await act.wait(action.seconds, self._longest_wait()), None
        turn.touched = True
        self._observation = None
        with turn.during("perform"):
            return await act.perform(self._device, action, decision, turn.observation), None

    def _longest_wait(self) -> float:
        now = asyncio.get_running_loop().time()
        left = [(c.when() or now) - now for c in self.clocks]
        return min([self._options.max_wait_seconds, *(seconds / 2 for seconds in left)])

    async def _ask(self, turn: Turn, question: str) -> tuple[Performed, Ending | None]:
        ask = self._setup.ask
        if ask is None:
            return Performed(), Ending("asked_user", question)
        loop = asyncio.get_running_loop()
        turn.looks = True
        deadlines = [clock.when() for clock in self.clocks]
        begun = loop.time()
        for clock in self.clocks:
            clock.reschedule(None)
        reply: str | None = None
        why = "no answer came"
        try:
            with turn.during("ask"):
                async with asyncio.timeout(self._options.ask_seconds):
                    reply = await ask_person(ask, question)
        except Exception as e:
            turn.phase = "overhead"
            if not isinstance(e, TimeoutError):
                why = f"asking failed: {act.describe(e)}"
        finally:
            spent = loop.time() - begun
            for clock, when in zip(self.clocks, deadlines, strict=True):
                clock.reschedule(when + spent if when is not None else None)
        self._setup.emit(Asked(self._episode, turn.index, question, reply))
        if reply is None:
            return Performed("done", why), Ending("asked_user", f"{question} ({why})")
        self._messages.append(reply)
        self._say(f"The person answered: {reply}")
        return Performed(), None

    def _say(self, text: str) -> None:
        if text:
            self._feedback.append(text)
