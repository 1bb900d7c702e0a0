"""One update of the weights from a batch of groups."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from openvenus.learn.online._curriculum import Curriculum
from openvenus.learn.online._samples import EpisodeSample, StepSample
from openvenus.learn.online._settings import Settings
from openvenus.learn.online._tensors import to_tensors
from openvenus.learn.online._torch_network import TorchNetwork


@dataclass(slots=True)
class Successes:
    """The policy's own successful episodes, the newest of each task."""

    keep: int
    by_task: dict[str, deque[list[StepSample]]] = field(default_factory=lambda: defaultdict(deque))

    def add(self, episode: EpisodeSample) -> None:
        """Keep a success; a partly rewarded one only while there is nothing better."""
        kept = self.by_task[episode.task]
        kept.append(episode.steps)
        if len(kept) > self.keep:
            kept.popleft()

    def draw(
        self, rng: np.random.Generator, curriculum: Curriculum, settings: Settings, steps: int
    ) -> list[tuple[StepSample, float]]:
        """About `steps` decisions with their weights, the least mastered tasks first."""
        tasks = [t for t, kept in self.by_task.items() if kept]
        if not tasks:
            return []
        rates = np.array([curriculum.progress[t].rate for t in tasks])
        chance = np.clip(1 - rates, 0.05, 1.0)
        chance /= chance.sum()
        out: list[tuple[StepSample, float]] = []
        while len(out) < steps:
            i = int(rng.choice(len(tasks), p=chance))
            kept = self.by_task[tasks[i]]
            weight = (
                settings.imitation if rates[i] < settings.mastered else settings.imitation_mastered
            )
            out += [(s, weight) for s in kept[int(rng.integers(len(kept)))]]
        return out


@dataclass(slots=True)
class _Item:
    sample: StepSample
    policy: float
    """1 for steps of the batch, 0 for remembered successes."""
    imitate: float
    value: float
    """Target of the value head, or -1 for none."""


def update(
    network: TorchNetwork,
    optimizer: torch.optim.Optimizer,
    learned_from: Sequence[EpisodeSample],
    others: Sequence[EpisodeSample],
    remembered: Sequence[tuple[StepSample, float]],
    settings: Settings,
    *,
    entropy_weight: float,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Clipped policy gradient, imitation of own successes, value and end-of-task heads.

    Args:
        learned_from: episodes of groups that teach something, advantages set.
        others: episodes that only teach the value and end-of-task heads.
        remembered: own successes with their weights.

    Returns:
        Means of the losses and of the policy's entropy.
    """
    items = [_Item(s, 1.0, 0.0, float(e.success)) for e in learned_from if e.valid for s in e.steps]
    items += [_Item(s, 0.0, 0.0, float(e.success)) for e in others if e.valid for s in e.steps]
    items += [_Item(s, 0.0, w, -1.0) for s, w in remembered]
    totals: dict[str, float] = defaultdict(float)
    count = 0
    for _ in range(settings.epochs):
        for part in _minibatches(items, settings.minibatch, rng):
            samples = [i.sample for i in part]
            scored = network(
                to_tensors(samples),
                kind_floor=settings.explore.kind_floor,
                point_floor=settings.explore.point_floor,
            )
            advantage = torch.tensor([i.sample.advantage for i in part])
            old = torch.tensor([i.sample.choice.logprob for i in part])
            on_policy = torch.tensor([i.policy for i in part])
            imitate = torch.tensor([i.imitate for i in part])
            value_target = torch.tensor([i.value for i in part])
            done_target = torch.tensor([float(i.sample.last and i.value > 0) for i in part])
            ratio = torch.exp((scored.logprob - old).clamp(-10, 10))
            clipped = ratio.clamp(1 - settings.clip_low, 1 + settings.clip_high)
            gain = torch.minimum(ratio * advantage, clipped * advantage)
            n = len(part)
            policy_loss = -(gain * on_policy).sum() / n
            imitation_loss = -(scored.logprob * imitate).sum() / n
            entropy = (scored.entropy * on_policy).sum() / on_policy.sum().clamp(min=1)
            known = (value_target >= 0).float()
            value_loss = (
                torch.nn.functional.binary_cross_entropy_with_logits(
                    scored.value, value_target.clamp(min=0), reduction="none"
                )
                * known
            ).sum() / n
            done_loss = (
                torch.nn.functional.binary_cross_entropy_with_logits(
                    scored.done, done_target, reduction="none"
                )
                * known
            ).sum() / n
            loss = (
                policy_loss
                + imitation_loss
                + settings.value_weight * (value_loss + done_loss)
                - entropy_weight * (scored.entropy * on_policy).sum() / n
            )
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            count += 1
            for name, part_value in (
                ("policy", policy_loss), ("imitation", imitation_loss), ("value", value_loss),
                ("done", done_loss), ("entropy", entropy),
            ):  # fmt: skip
                totals[name] += float(part_value.detach())
    return {k: v / max(count, 1) for k, v in totals.items()} | {"decisions": float(len(items))}


def _minibatches(items: list[_Item], size: int, rng: np.random.Generator) -> Iterator[list[_Item]]:
    """Shuffled minibatches whose members are about equally long, which saves padding."""
    order = rng.permutation(len(items))
    chunk = size * 4
    parts: list[list[_Item]] = []
    for a in range(0, len(order), chunk):
        some = sorted((items[i] for i in order[a : a + chunk]), key=lambda i: i.sample.size)
        parts += [some[b : b + size] for b in range(0, len(some), size)]
    for i in rng.permutation(len(parts)):
        yield parts[i]
