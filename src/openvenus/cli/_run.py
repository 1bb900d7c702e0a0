"""`venus run`: one task on one page."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openvenus.cli._address import to_url
from openvenus.cli._policy import (
    BaseUrlOption,
    KeyOption,
    ModelOption,
    PolicyFlags,
    PolicyKind,
    PolicyOption,
    WeightsOption,
)
from openvenus.cli._signals import Interrupted, run_interruptible
from openvenus.cli._steps import step_line
from openvenus.errors import UsageError

if TYPE_CHECKING:
    from openvenus.agent import Event
    from openvenus.device.web import WebOptions
    from openvenus.episode import Episode, Task
    from openvenus.policy import Policy

_MEANING = {
    "claimed_done": "the policy says that it is done",
    "environment_done": "the page closed the task",
    "refused": "the policy refused",
    "asked_user": "the policy asked, and there was nobody to answer",
    "denied": "what the policy wanted was not allowed",
    "stuck": "nothing went on any more",
    "step_limit": "the limit of steps was reached",
    "time_limit": "the time was up",
    "invalid_output": "the policy's answers could not be read",
    "device_fault": "the browser failed",
    "policy_fault": "the policy failed",
    "cancelled": "it was stopped",
}
_CODES = {
    "claimed_done": 0,
    "environment_done": 0,
    "invalid_output": 3,
    "device_fault": 4,
    "policy_fault": 5,
}


def run(
    instruction: Annotated[str, typer.Argument(help="What to do, in plain words.")],
    url: Annotated[
        str, typer.Option("--url", help="Where to start: a web address or an HTML file.")
    ],
    policy: PolicyOption = PolicyKind.embedded,
    weights: WeightsOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    api_key_env: KeyOption = None,
    max_steps: Annotated[int, typer.Option(min=1, max=1000, help="Most steps.")] = 30,
    timeout: Annotated[float, typer.Option(min=0.1, help="Most seconds, all in all.")] = 600.0,
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser's window.")] = False,
    width: Annotated[int, typer.Option(min=50, max=8192, help="Width in CSS pixels.")] = 1280,
    height: Annotated[int, typer.Option(min=50, max=8192, help="Height in CSS pixels.")] = 800,
    pixel_ratio: Annotated[
        float, typer.Option(min=1.0, max=3.0, help="Image pixels for each CSS pixel.")
    ] = 1.0,
    out: Annotated[Path, typer.Option("--out", help="Folder for the record.")] = Path("runs"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as one JSON object.")
    ] = False,
) -> None:
    """Do one task on a web page.

    Every step is told on standard error and recorded; `venus replay` shows the record. When the
    policy asks something and you sit at a terminal, you can answer.

    Example: venus run 'Open the first article' --url https://example.org

    Example: venus run 'Buy two tickets' --url localhost:3000 --policy endpoint
    --base-url http://localhost:8000/v1 --model my-model

    Exit codes: 0 the policy says it is done, 1 it ended otherwise (refused, asked, stuck, a
    limit), 2 wrong usage, 3 unreadable answers of the policy, 4 browser trouble, 5 policy
    trouble, 130 Ctrl-C.
    """
    from openvenus.device.web import WebOptions
    from openvenus.episode import Limits, Task

    if not instruction.strip():
        raise UsageError("the instruction is empty", hint="as in: venus run 'Log in' --url ...")
    flags = PolicyFlags(policy, weights, base_url, model, api_key_env)
    limits = Limits(max_steps=max_steps, step_seconds=min(120.0, timeout), episode_seconds=timeout)
    task = Task(
        instruction=instruction,
        start=to_url(url),
        limits=limits,
    )
    options = WebOptions(width=width, height=height, pixel_ratio=pixel_ratio, headless=not headed)
    session = _Session(task, options, flags.open(), out, asks=sys.stdin.isatty() and not as_json)
    try:
        run_interruptible(session.go())
    except Interrupted:
        session.tell(as_json)
        raise
    session.tell(as_json)
    raise typer.Exit(session.exit_code)


@dataclass
class _Session:
    """One run, and what is known of it so far."""

    task: Task
    options: WebOptions
    policy: Policy
    out: Path
    asks: bool = False
    episode: Episode | None = None
    path: Path | None = None

    async def go(self) -> None:
        from openvenus.agent import Agent
        from openvenus.device.web import Browser

        browser = None
        try:
            browser = await Browser.launch(self.options)
            device = await browser.new_device()
            agent = Agent(
                device,
                self.policy,
                record=self.out,
                ask=_ask_at_terminal if self.asks else None,
                on_event=self._watch,
            )
            await agent.run_async(self.task)
        finally:
            if browser is not None:
                await browser.close()
            await self.policy.close()

    def _watch(self, event: Event) -> None:
        from openvenus.agent import EpisodeEnded, EpisodeStarted, StepEnded

        if isinstance(event, EpisodeStarted):
            self.path = event.path
            _say(f"{event.policy} on {event.task.start}")
        elif isinstance(event, StepEnded):
            _say(step_line(event.step))
        elif isinstance(event, EpisodeEnded):
            self.episode, self.path = event.episode, event.path or self.path

    @property
    def exit_code(self) -> int:
        """What the command returns."""
        if self.episode is None:
            return 1
        last = self.episode.steps[-1] if self.episode.steps else None
        if last is not None and last.decision is not None:
            action = last.decision.action
            if action.type == "finish" and action.status == "failure":
                return 1
        return _CODES.get(self.episode.outcome or "", 1)

    def tell(self, as_json: bool) -> None:
        """Print how it ended on standard output."""
        episode = self.episode
        if episode is None:
            return
        if as_json:
            print(json.dumps(self._as_dict(episode), ensure_ascii=False))
            return
        meaning = _MEANING.get(episode.outcome or "", "")
        print(f"outcome  {episode.outcome}: {episode.reason or meaning}")
        print(f"steps    {len(episode.steps)}")
        if episode.answer:
            print(f"answer   {episode.answer}")
        if self.path is not None:
            print(f"episode  {self.path}")
            print(f"replay   venus replay {self.path}")

    def _as_dict(self, episode: Episode) -> dict[str, Any]:
        said: dict[str, Any] = {
            "outcome": episode.outcome,
            "reason": episode.reason,
            "steps": len(episode.steps),
            "answer": episode.answer,
            "episode": str(self.path) if self.path is not None else None,
        }
        if episode.verdict is not None:
            verdict = episode.verdict
            said["verdict"] = {
                "result": verdict.result,
                "probability": verdict.probability,
                "reward": verdict.reward,
                "judge": verdict.judge,
            }
        return said


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _ask_at_terminal(question: str) -> str | None:
    print(f"\nThe policy asks: {question}\nYour answer: ", end="", file=sys.stderr, flush=True)
    started = time.monotonic()
    line = sys.stdin.readline()
    if not line and time.monotonic() - started < 0.1:
        return None  # the terminal is closed
    return line.strip() or None
