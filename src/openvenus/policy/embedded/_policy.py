"""The policy that ships with the package."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import numpy as np

from openvenus.action import AskUser, Finish
from openvenus.episode import Decision, ParseFailure, Step
from openvenus.policy import Situation
from openvenus.policy.embedded._act import to_decision
from openvenus.policy.embedded._batch import collate
from openvenus.policy.embedded._choose import Choice, Exploration, Row, choose
from openvenus.policy.embedded._features import Features, featurize
from openvenus.policy.embedded._network import Network
from openvenus.policy.embedded._weights import load_weights


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When the policy stops clicking and says something."""

    done: float = 0.5
    """It claims the end after an action whose probability of being the last was at least this."""
    unsure: float = 0.02
    """It asks the person when its probability of success falls below this."""
    in_vain: int = 2
    """So many actions without effect among the last four make it more easily unsure..."""
    unsure_in_vain: float = 0.3
    """...namely below this."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A decision with what it was made of, for learning."""

    features: Features
    choice: Choice
    decision: Decision


class EmbeddedPolicy:
    """A small network over element lists: no GPU, no key, no screenshot needed.

    Args:
        network: the weights.
        name: for records.
        thresholds: when to claim the end or ask; None never does either (learning, where the
            environment ends episodes).
        rng: samples decisions instead of taking the best ones.
        explore: how far sampling strays.
    """

    def __init__(
        self,
        network: Network,
        *,
        name: str = "embedded",
        thresholds: Thresholds | None = Thresholds(),
        rng: np.random.Generator | None = None,
        explore: Exploration | None = None,
    ) -> None:
        self.network = network
        self._name = name
        self._thresholds = thresholds
        self._rng = rng
        self._explore = explore

    @classmethod
    def load(
        cls, path: str | Path | None = None, *, thresholds: Thresholds | None = Thresholds()
    ) -> EmbeddedPolicy:
        """The weights that ship with the package, or those of a file.

        Raises:
            PolicyFault: the file is missing, damaged or of another shape.
        """
        if path is None:
            with resources.as_file(resources.files(__package__) / "weights.npz") as shipped:
                weights = load_weights(shipped)
        else:
            weights = load_weights(Path(path))
        return cls(
            Network(weights.tensors, weights.shape),
            name=f"embedded:{weights.version}",
            thresholds=thresholds,
        )

    @property
    def name(self) -> str:
        """For records, as "embedded:1"."""
        return self._name

    async def propose(self, situation: Situation) -> Decision | ParseFailure:
        """The decision for one situation."""
        return (await self.propose_many([situation]))[0]

    async def propose_many(
        self, situations: Sequence[Situation]
    ) -> Sequence[Decision | ParseFailure]:
        """The decisions for many situations in one pass of the network."""
        started = time.perf_counter()
        proposals = self.consider(situations)
        seconds = (time.perf_counter() - started) / max(len(situations), 1)
        return [
            replace(p.decision if p is not None else _nothing_to_do(), seconds=seconds)
            for p in proposals
        ]

    def consider(self, situations: Sequence[Situation]) -> list[Proposal | None]:
        """Decisions with their choices; None where there is nothing that could be acted on."""
        features = [featurize(s) for s in situations]
        proposals: list[Proposal | None] = []
        for situation, row in zip(situations, self._rows(features), strict=True):
            choice = choose(self.network, row, rng=self._rng, explore=self._explore)
            if choice is None:
                proposals.append(None)
                continue
            decision = self._speak(situation, to_decision(choice, row.features))
            proposals.append(Proposal(row.features, choice, decision))
        return proposals

    async def close(self) -> None:
        """Nothing to free."""

    def _speak(self, situation: Situation, decision: Decision) -> Decision:
        limits = self._thresholds
        if limits is None:
            return decision
        last = situation.history[-1] if situation.history else None
        if (
            last is not None
            and last.decision is not None
            and (last.decision.completes or 0.0) >= limits.done
            and last.effect is not None
            and last.effect.status == "done"
            and last.effect.changed is not False
            and not _goes_on(decision, situation, limits.done)
        ):
            return replace(
                decision, action=Finish(), target=None, thought="the last action should end it"
            )
        in_vain = sum(_had_no_effect(s) for s in situation.history[-4:])
        least = limits.unsure_in_vain if in_vain >= limits.in_vain else limits.unsure
        if (decision.confidence or 0.0) < least and not situation.messages:
            return replace(
                decision,
                action=AskUser(question=f"I am not sure how to go on. I would {decision.thought}."),
                target=None,
                thought=f"unsure; the best idea is to {decision.thought}",
            )
        return decision

    def _rows(self, features: Sequence[Features]) -> list[Row]:
        batch = collate([f.arrays for f in features])
        encoded = self.network.encode(batch)
        rows = []
        token = element = 0
        for i, f in enumerate(features):
            t, e = token + len(f.instruction.keys), element + len(f.elements)
            rows.append(
                Row(
                    features=f,
                    summary=encoded.summary[i],
                    tokens=encoded.tokens[token:t],
                    elements=encoded.elements[element:e],
                    kind_logits=encoded.kind_logits[i],
                    point_logits=encoded.point_logits[element:e],
                    value=float(encoded.value[i]),
                )
            )
            token, element = t, e
        return rows


def _goes_on(decision: Decision, situation: Situation, done: float) -> bool:
    """Whether an element that was not touched yet now looks like the last one needed."""
    touched = {s.decision.target for s in situation.history if s.decision is not None}
    return (decision.completes or 0.0) >= done and decision.target not in touched


def _had_no_effect(step: Step) -> bool:
    effect = step.effect
    return effect is not None and (effect.changed is False or effect.status != "done")


def _nothing_to_do() -> Decision:
    return Decision(
        action=AskUser(question="I see nothing on this screen that I could act on."),
        thought="there is nothing to act on",
        confidence=0.0,
    )
