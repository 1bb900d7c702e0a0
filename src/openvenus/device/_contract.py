"""What a device is to the loop: it shows observations and performs actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from openvenus.action import Action, Point
from openvenus.episode import Dialog, EffectStatus, Observation


@dataclass(frozen=True, slots=True)
class Performed:
    """What the device itself knows of an action it was asked to do."""

    status: EffectStatus = "done"
    message: str = ""
    point: Point | None = None
    """Where it acted, on the frame the action was decided on."""
    dialogs: tuple[Dialog, ...] = ()
    navigated: bool = False
    new_tab: bool = False
    settled: bool = True
    seconds: float = 0.0


@runtime_checkable
class Device(Protocol):
    """A web page, phone or desktop. Knows nothing of policies.

    All methods may raise `DeviceFault` (crash, closed, hung) and nothing else; what an action
    can't do on this screen is answered in `Performed`, not raised.
    """

    @property
    def name(self) -> str:
        """Kind and detail for records, as "web:chromium"."""
        ...

    @property
    def actions(self) -> frozenset[str]:
        """Types of action that this device can do."""
        ...

    async def open(self, start: str | None) -> None:
        """Go to a URL, app or file; None takes the screen as it is."""
        ...

    async def observe(self, *, image: bool = True) -> Observation:
        """Wait (bounded) until the screen is quiet, then capture it.

        Args:
            image: False leaves the image out of the frame, which saves most of the time.
        """
        ...

    async def perform(
        self, action: Action, observation: Observation, *, target: str | None = None
    ) -> Performed:
        """Do an action that was decided on `observation`, and wait (bounded) until it settles.

        Args:
            target: id of the element the action was decided on, if any.
        """
        ...

    async def release(self) -> None:
        """Let go of held keys and buttons. Never raises."""
        ...

    async def close(self) -> None:
        """Free everything. Never raises; safe to call twice."""
        ...
