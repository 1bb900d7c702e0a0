"""What the embedded policy remembers of an episode: which elements it touched, and what came."""

from __future__ import annotations

from dataclasses import dataclass, field

from openvenus.episode import Step
from openvenus.screen import Element

_KIND_OF = {
    "click": "click", "select": "click", "type": "type", "drag": "drag", "press": "press",
    "scroll": "scroll", "hover": "hover", "wait": "wait",
}  # fmt: skip


@dataclass(slots=True)
class Touched:
    """How often one element was acted on in this episode."""

    clicked: int = 0
    typed: int = 0
    other: int = 0
    last: bool = False
    without_effect: bool = False


_UNTOUCHED = Touched()


@dataclass(slots=True)
class Past:
    """The episode so far, as far as it matters for the next decision."""

    steps: int = 0
    touched: dict[str, Touched] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    """Ids of the elements of the last observation."""
    typed: frozenset[str] = frozenset()
    """Texts typed so far."""
    last_kind: str = ""
    last_group: int | None = None
    last_changed: bool | None = None
    last_failed: bool = False
    fresh_page: bool = False
    no_effect: int = 0
    """How many actions had no effect."""
    in_vain: frozenset[tuple[str, str]] = frozenset()
    """(kind, element id) of what was tried without effect since the screen last changed."""

    def of(self, element: Element) -> Touched:
        """What was done to an element."""
        return self.touched.get(element.id, _UNTOUCHED)

    def is_new(self, element: Element) -> bool:
        """Whether it was not there before the last action."""
        return self.steps > 0 and bool(self.known) and element.id not in self.known

    def same_group(self, element: Element) -> bool:
        """Whether the last action was in the same container."""
        return self.last_group is not None and element.group == self.last_group

    def typed_text(self, element: Element) -> bool:
        """Whether it shows a text that was typed in this episode."""
        return bool(self.typed) and (element.value or element.text or element.name) in self.typed


def read_past(history: tuple[Step, ...]) -> Past:
    """Fold the steps of an episode, oldest first."""
    past = Past()
    typed = set()
    in_vain: set[tuple[str, str]] = set()
    for step in history:
        past.steps += 1
        if step.decision is None:
            continue
        action, target = step.decision.action, step.decision.target
        past.last_kind = _KIND_OF.get(action.type, "")
        if action.type == "type":
            typed.add(action.text)
        effect = step.effect
        past.last_changed = effect.changed if effect else None
        past.last_failed = effect is not None and effect.status != "done"
        past.fresh_page = effect is not None and (effect.navigated or effect.new_tab)
        if past.last_changed is False or past.last_failed:
            past.no_effect += 1
            if target is not None:
                in_vain.add((past.last_kind, target))
        else:
            in_vain.clear()
        for touched in past.touched.values():
            touched.last = False
        if target is not None:
            touched = past.touched.setdefault(target, Touched())
            if past.last_kind == "click":
                touched.clicked += 1
            elif past.last_kind == "type":
                touched.typed += 1
            else:
                touched.other += 1
            touched.last = True
            touched.without_effect = past.last_changed is False or past.last_failed
            element = step.observation.elements.get(target)
            past.last_group = element.group if element is not None else None
        past.known = frozenset(e.id for e in step.observation.elements)
    past.typed = frozenset(typed)
    past.in_vain = frozenset(in_vain)
    return past
