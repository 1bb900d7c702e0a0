"""The torch network is the numpy one, and learning moves it the right way."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from openvenus.learn.online._samples import EpisodeSample, StepSample, sample_of
from openvenus.learn.online._settings import Settings
from openvenus.learn.online._tensors import to_tensors
from openvenus.learn.online._torch_network import TorchNetwork, initial_tensors
from openvenus.learn.online._update import update
from openvenus.policy import Situation
from openvenus.policy.embedded import KINDS, EmbeddedPolicy, Exploration, Network, Shape
from tests.policy.embedded.screens import element, situation

SHAPE = Shape(width=32, layers=2, heads=2, inner=48)
EXPLORE = Exploration(kind_floor=0.5, point_floor=0.1)


def screens() -> list[Situation]:
    made = []
    for i in range(24):
        fields = [element(f"f{j}", "textbox", 0, 100 * j, name=f"Name {j}") for j in range(i % 3)]
        others = [
            element(f"b{j}", "button", 300, 60 * j, name=n, scrolls="d" if j == 1 else "")
            for j, n in enumerate(["OK", "Cancel", "Ann", "Delete"][: 1 + i % 4])
        ]
        made.append(situation('Type "Ann" into the 2nd name, press OK', *fields, *others))
    return made


def noisy_tensors(seed: int) -> dict[str, torch.Tensor]:
    tensors = initial_tensors(SHAPE, seed)
    generator = torch.Generator().manual_seed(seed)
    return {k: v + 0.1 * torch.randn(v.shape, generator=generator) for k, v in tensors.items()}


def play_all(network: TorchNetwork, seed: int) -> list[StepSample]:
    policy = EmbeddedPolicy(
        Network(network.arrays(), SHAPE),
        thresholds=None,
        rng=np.random.default_rng(seed),
        explore=EXPLORE,
    )
    proposals = policy.consider(screens())
    return [sample_of(p.features, p.choice, 0) for p in proposals if p is not None]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_torch_gives_the_probability_that_numpy_drew_with(seed: int) -> None:
    network = TorchNetwork(noisy_tensors(seed), SHAPE)
    samples = [s for i in range(8) for s in play_all(network, 10 * seed + i)]
    assert {KINDS[s.choice.kind] for s in samples} == set(KINDS)
    scored = network(
        to_tensors(samples), kind_floor=EXPLORE.kind_floor, point_floor=EXPLORE.point_floor
    )
    logprob = scored.logprob.detach().numpy()
    np.testing.assert_allclose(logprob, [s.choice.logprob for s in samples], atol=2e-4)
    value = torch.sigmoid(scored.value).detach().numpy()
    np.testing.assert_allclose(value, [s.choice.value for s in samples], atol=1e-4)
    done = torch.sigmoid(scored.done).detach().numpy()
    np.testing.assert_allclose(done, [s.choice.completes for s in samples], atol=1e-4)


def test_rewarded_choices_become_likelier_and_punished_ones_rarer() -> None:
    network = TorchNetwork(initial_tensors(SHAPE, 0), SHAPE)
    settings = Settings(shape=SHAPE, explore=EXPLORE, epochs=3)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3)
    samples = play_all(network, 5)
    good, bad = samples[::2], samples[1::2]
    for s in good:
        s.advantage = 1.0
    for s in bad:
        s.advantage = -1.0

    def means() -> tuple[float, float]:
        with torch.no_grad():
            both = [
                network(to_tensors(part), kind_floor=0.5, point_floor=0.1).logprob.mean()
                for part in (good, bad)
            ]
        return float(both[0]), float(both[1])

    before = means()
    episodes = [EpisodeSample("t", 1, good, 1.0, 1.0, True), EpisodeSample("t", 1, bad)]
    losses = update(
        network,
        optimizer,
        episodes,
        [],
        [],
        settings,
        entropy_weight=0.0,
        rng=np.random.default_rng(0),
    )
    after = means()
    assert after[0] - before[0] > after[1] - before[1]
    assert all(np.isfinite(v) for v in losses.values())
