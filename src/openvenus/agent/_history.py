"""What a policy is shown of the past: bounded, lighter the older it is."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from openvenus.episode import Observation, Step
from openvenus.screen import ElementTree

_NO_ELEMENTS = ElementTree()


class History:
    """The last steps of an episode, oldest first.

    Args:
        steps: how many steps are kept, each with its decision and effect.
        elements: how many of the latest keep the elements of their observation.
        images: how many of the latest keep the image of their observation.
    """

    def __init__(self, *, steps: int, elements: int, images: int) -> None:
        self._steps: deque[Step] = deque(maxlen=steps)
        self._elements = elements
        self._images = images

    def add(self, step: Step) -> None:
        """Append a step, and thin out the one that leaves each window."""
        self._steps.append(step)
        for keep, thin in ((self._images, without_image), (self._elements, _without_elements)):
            place = len(self._steps) - 1 - keep
            if place >= 0:
                old = self._steps[place]
                self._steps[place] = replace(old, observation=thin(old.observation))

    def shown(self) -> tuple[Step, ...]:
        """The steps as a policy may see them."""
        return tuple(self._steps)


def without_image(observation: Observation) -> Observation:
    """The observation without the bytes of its image."""
    if observation.frame.image is None:
        return observation
    return replace(observation, frame=observation.frame.without_image())


def _without_elements(observation: Observation) -> Observation:
    return replace(observation, elements=_NO_ELEMENTS)


class Notes:
    """Working memory: a bounded number of bounded texts, the oldest making room."""

    def __init__(self, *, count: int, chars: int) -> None:
        self._texts: deque[str] = deque(maxlen=count)
        self._chars = chars

    def add(self, text: str) -> str:
        """Keep a text; returns what had to go, in words, or an empty string."""
        lost = []
        if len(text) > self._chars:
            lost.append(f"the note was cut to its first {self._chars} characters")
        if len(self._texts) == self._texts.maxlen:
            lost.append("the oldest note was dropped to make room")
        self._texts.append(text[: self._chars])
        return "; ".join(lost)

    def shown(self) -> tuple[str, ...]:
        """The notes, oldest first."""
        return tuple(self._texts)
