"""The embedded policy as the loop uses it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from openvenus.action import AskUser, Click, Finish, Select, TypeText, Wait
from openvenus.episode import Decision
from openvenus.errors import PolicyFault
from openvenus.policy import BatchPolicy, Situation
from openvenus.policy.embedded import (
    KINDS,
    Choice,
    EmbeddedPolicy,
    Network,
    Shape,
    Thresholds,
    Weights,
    featurize,
    load_weights,
    save_weights,
    tensor_shapes,
)
from openvenus.policy.embedded._act import to_decision
from tests.policy.embedded.screens import element, situation, step

SHAPE = Shape(width=32, layers=2, heads=2, inner=32)


def random_network(seed: int = 0) -> Network:
    rng = np.random.default_rng(seed)
    return Network(
        {k: rng.normal(0, 0.3, s).astype(np.float32) for k, s in tensor_shapes(SHAPE).items()},
        SHAPE,
    )


def screens() -> list[Situation]:
    return [
        situation('Click "OK"', element("a", "button", 0, 0, name="OK")),
        situation(
            'Type "Ann" and press Enter',
            element("t", "textbox", 0, 0, name="Name"),
            element("b", "button", 0, 100, name="Send"),
            element("c", "text", 0, 200, text="Hello", scrolls="d"),
        ),
        situation("Nothing here"),
    ]


async def test_many_at_once_decide_as_each_alone() -> None:
    policy = EmbeddedPolicy(random_network(), thresholds=None)
    assert isinstance(policy, BatchPolicy)
    together = await policy.propose_many(screens())
    for one, situation_ in zip(together, screens(), strict=True):
        alone = await policy.propose(situation_)
        assert isinstance(one, Decision) and isinstance(alone, Decision)
        assert one.action == alone.action
        assert one.confidence == pytest.approx(alone.confidence, abs=1e-5)


async def test_an_empty_screen_is_a_question_not_an_end() -> None:
    policy = EmbeddedPolicy(random_network(), thresholds=None)
    decision = await policy.propose(screens()[2])
    # Waiting or pressing a key is possible on an empty screen, claiming success is not.
    assert isinstance(decision, Decision)
    assert not isinstance(decision.action, Finish)


async def test_an_unsure_policy_asks() -> None:
    policy = EmbeddedPolicy(random_network(), thresholds=Thresholds(unsure=1.1))
    decision = await policy.propose(screens()[0])
    assert isinstance(decision, Decision) and isinstance(decision.action, AskUser)


async def test_acting_in_vain_makes_it_ask_sooner() -> None:
    first = situation('Click "OK"', element("a", "button", 0, 0, name="OK"))
    limits = Thresholds(done=2, unsure=-1, in_vain=2, unsure_in_vain=1.1)
    policy = EmbeddedPolicy(random_network(), thresholds=limits)
    vain = step(first, Decision(Wait()), changed=False)
    once = await policy.propose(replace(first, history=(vain,)))
    assert isinstance(once, Decision) and not isinstance(once.action, AskUser)
    twice = await policy.propose(replace(first, history=(vain, vain)))
    assert isinstance(twice, Decision) and isinstance(twice.action, AskUser)


async def test_it_goes_on_when_the_last_element_has_only_now_appeared() -> None:
    """An action can look like the last one and still only open the way to it."""
    tab = element("tab", "tab", 0, 0, name="Tab 2")
    first = situation('Click "OK"', tab)
    opened = step(first, Decision(Click(), target="tab", completes=0.9))
    then = situation('Click "OK"', element("a", "button", 0, 100, name="OK"), history=(opened,))
    eager = Thresholds(done=0.0, unsure=-1)
    decision = await EmbeddedPolicy(random_network(), thresholds=eager).propose(then)
    assert isinstance(decision, Decision) and not isinstance(decision.action, Finish)
    same = situation('Click "OK"', tab, history=(opened,))
    again = replace(same, actions=frozenset({"click"}))
    decision = await EmbeddedPolicy(random_network(), thresholds=eager).propose(again)
    assert isinstance(decision, Decision) and isinstance(decision.action, Finish)


async def test_it_claims_the_end_after_an_action_that_should_complete_the_task() -> None:
    first = situation('Click "OK"', element("a", "button", 0, 0, name="OK"))
    policy = EmbeddedPolicy(random_network(), thresholds=Thresholds(done=0.5, unsure=-1))
    last = step(first, Decision(Click(), target="a", completes=0.9))
    decision = await policy.propose(replace(first, history=(last,)))
    assert isinstance(decision, Decision) and isinstance(decision.action, Finish)
    without_effect = step(first, Decision(Click(), target="a", completes=0.9), changed=False)
    decision = await policy.propose(replace(first, history=(without_effect,)))
    assert isinstance(decision, Decision) and not isinstance(decision.action, Finish)


def test_choices_become_actions_of_the_language() -> None:
    f = featurize(
        situation(
            'Type "Ann"',
            element("t", "textbox", 0, 0, name="Name", length=3),
            element("s", "combobox", 0, 100),
            element("o1", "option", 0, 100, name="red", native=True, parent="s"),
            element("o2", "option", 0, 100, name="blue", native=True, parent="s"),
        )
    )
    texts = [f.instruction.span_text(i) for i in range(len(f.instruction.span_start))]
    typed = Choice(KINDS.index("type"), target=0, span=texts.index("Ann"), case=1)
    action = to_decision(typed, f).action
    assert isinstance(action, TypeText) and action.text == "ANN" and action.clear
    chosen = to_decision(Choice(KINDS.index("click"), target=3), f)
    assert isinstance(chosen.action, Select) and chosen.action.index == (1,)
    assert chosen.target == "o2"


def test_weights_survive_the_file(tmp_path: Path) -> None:
    network = random_network()
    path = tmp_path / "w.npz"
    save_weights(path, Weights(network.tensors, SHAPE, "7", {"seed": 3}))
    loaded = load_weights(path)
    assert loaded.version == "7" and loaded.provenance == {"seed": 3}
    for name, tensor in network.tensors.items():
        np.testing.assert_allclose(loaded.tensors[name], tensor, atol=2e-3)


def test_bad_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(PolicyFault, match="no such weights file"):
        load_weights(tmp_path / "none.npz")
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"not a zip")
    with pytest.raises(PolicyFault, match=r"bad\.npz"):
        load_weights(bad)
    tensors = dict(random_network().tensors)
    tensors["kind"] = tensors["kind"][:, :2]
    save_weights(bad, Weights(tensors, SHAPE))
    with pytest.raises(PolicyFault, match="tensor kind"):
        load_weights(bad)
