"""Setting up, watching and scoring one MiniWoB++ episode."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal, Protocol, runtime_checkable

from openvenus.device import Device
from openvenus.episode import Episode, Task, Verdict
from openvenus.errors import TaskError
from openvenus.tasks.miniwob._pages import page_facts

Clock = Literal["lifted", "published"]
"""Whose clock ends an episode: the loop's limits, or the page's own time-out."""

LIFTED_SECONDS = 3600.0
"""After this time a page ends an episode whose clock was lifted."""
READY_SECONDS = 8.0
"""How long a page may take to become ready."""


@runtime_checkable
class _ScriptedDevice(Device, Protocol):
    """A device whose page can be asked in its own language."""

    async def evaluate(self, js: str, arg: Any = None) -> Any:
        """Result of a function, called in the page's own world and awaited, as JSON data."""
        ...


class MiniwobEnvironment:
    """The world of a MiniWoB++ page. Keeps nothing between episodes.

    Args:
        clock: "lifted" gives every episode an hour, so that slow policies are not judged by
            their speed; the time-decayed reward is still computed with the published time.
            "published" ends episodes when the page's own time is up (mostly after 10 s), which
            counts as a failure with reward -1.
    """

    def __init__(self, *, clock: Clock = "lifted") -> None:
        self._clock: Clock = clock

    async def reset(self, device: Device, task: Task) -> Task:
        """Start the variant; returns the task with its instruction.

        A page that is open already and keeps nothing between episodes is used again.

        Raises:
            TaskError: the task is no MiniWoB++ page, or the page did not become ready.
            DeviceFault: the device failed.
        """
        scripted = _scripted(device)
        name, seed, url = task.provenance.get("task"), task.provenance.get("seed"), task.start
        if task.provenance.get("suite") != "miniwob" or url is None:
            raise TaskError(f"'{task.id}' is not a MiniWoB++ task")
        facts = page_facts()
        lifted = self._clock == "lifted" and name not in facts.published_clock
        order = {
            "url": url,
            "seed": seed,
            "lifted_ms": LIFTED_SECONDS * 1000 if lifted else None,
            "patience_ms": READY_SECONDS * 1000,
        }
        started: dict[str, Any] = {"away": True}
        if name in facts.reusable:
            started = await scripted.evaluate(_script("start"), order)
        if started.get("away"):
            await scripted.open(url)
            started = await scripted.evaluate(_script("start"), order)
        if started.get("away"):
            raise TaskError(f"the page {url} did not stay open", hint="is its file still there?")
        if started.get("error"):
            raise TaskError(f"the page '{name}' could not be started: {started['error']}")
        provenance = task.provenance | {
            "clock": "lifted" if lifted else "published",
            "published_seconds": started["published_ms"] / 1000,
        }
        if started["fields"]:
            provenance["fields"] = started["fields"]
        return replace(task, instruction=started["instruction"], provenance=provenance)

    async def ended(self, device: Device) -> bool:
        """Whether the page has scored the episode."""
        return bool(await _scripted(device).evaluate(_script("ended")))

    async def verdict(self, device: Device, episode: Episode | None = None) -> Verdict:
        """What the page itself says: success is a raw reward above 0.

        `reward` is the raw one, mostly in [-1, 1], and 0 for an episode that did not end. The
        details have `raw_reward`, `reward` (decayed with time as published), `reason` and
        `full`, whether all of the reward was given.
        """
        said = await _scripted(device).evaluate(_script("score"))
        if not said["here"]:
            return _verdict(0.0, 0.0, "the task's page was left")
        if not said["done"]:
            return _verdict(0.0, 0.0, "not ended")
        raw, decayed = _number(said["raw"]), _number(said["decayed"])
        return _verdict(raw, decayed, said["reason"] or "")


def _verdict(raw: float, decayed: float, reason: str) -> Verdict:
    success = raw > 0
    said = f": {reason}" if reason else ""
    return Verdict(
        result="success" if success else "failure",
        probability=1.0 if success else 0.0,
        judge="environment:miniwob",
        reward=raw,
        evidence=(f"the page gave the raw reward {raw:g}{said}",),
        details={"raw_reward": raw, "reward": decayed, "reason": reason, "full": raw >= 1.0},
    )


def _number(value: object) -> float:
    """A page's reward as a number; what isn't one is worth nothing."""
    if isinstance(value, (int, float)) and math.isfinite(value):
        return float(value)
    return 0.0


def _scripted(device: Device) -> _ScriptedDevice:
    if not isinstance(device, _ScriptedDevice):
        raise TaskError(
            f"{device.name} can't run MiniWoB++ tasks", hint="they need a web page's device"
        )
    return device


@cache
def _script(name: str) -> str:
    return (files(__package__) / f"{name}.js").read_text(encoding="utf-8")
