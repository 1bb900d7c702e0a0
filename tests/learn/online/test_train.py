"""Learning from real pages: a short real run, and what it leaves behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openvenus.learn.online import Settings, train_embedded
from openvenus.policy import Situation
from openvenus.policy.embedded import EmbeddedPolicy, Shape, load_weights
from tests.policy.embedded.screens import element, situation


@pytest.mark.timeout(240)
async def test_a_few_episodes_of_learning(tmp_path: Path) -> None:
    """Episodes are played and learned from; weights, curve and summary are written."""
    settings = Settings(
        seed=3,
        minutes=1.5,
        max_episodes=24,
        pages=3,
        batch_episodes=12,
        shape=Shape(width=32, layers=1, heads=2, inner=32),
    )
    lines: list[dict[str, object]] = []
    path = train_embedded(("click-test", "click-button"), tmp_path, settings, lines.append)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["episodes"] >= 12
    assert set(summary["episodes_by_task"]) == {"click-test", "click-button"}
    assert sum(summary["episodes_by_task"].values()) == summary["episodes"]
    curve = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert curve and [line for line in lines if "update" in line] == curve
    weights = load_weights(path)
    assert weights.provenance["tasks"] == ["click-test", "click-button"]
    assert weights.shape == settings.shape
    policy = EmbeddedPolicy.load(path)
    one: Situation = situation("Click OK", element("a", "button", 0, 0, name="OK"))
    decision = await policy.propose(one)
    assert decision is not None
