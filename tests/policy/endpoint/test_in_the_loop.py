"""The endpoint policy in the closed loop: what the server says is what happens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from openvenus.agent import Agent
from openvenus.episode import Limits, Task, read_episode
from openvenus.policy.endpoint import EndpointOptions, EndpointPolicy
from tests.agent.memory import MemoryDevice
from tests.policy.endpoint.server import NEVER, Reply, refuses, says, serving

KEY = "sk-very-secret-0123456789"


def model(request: dict[str, Any]) -> Reply:
    """Clicks the first button until the counter shows 2; its second answer is rubbish."""
    text = request["messages"][1]["content"][0]["text"]
    if "could not be read" not in text and '"count" value="1"' in text:
        return says("I think I should click again")
    if '"count" value="2"' in text:
        return says(json.dumps({"action": {"type": "finish", "answer": "2"}}))
    return says(json.dumps({"thought": KEY, "action": {"type": "click"}, "target": "e1"}))


async def test_a_model_does_a_task(tmp_path: Path) -> None:
    device = MemoryDevice()
    async with serving(refuses(429, "wait"), model) as server:
        options = EndpointOptions(first_pause=0.01)
        policy = EndpointPolicy(server.url, "m", api_key=KEY, options=options)
        async with Agent(device, policy, record=tmp_path) as agent:
            episode = await agent.run_async("Count to two")
    assert (episode.outcome, episode.answer, device.count) == ("claimed_done", "2", 2)
    assert [s.failure is None for s in episode.steps] == [True, False, True, True]
    assert device.targets == ["e1", "e1"]
    stored = read_episode(tmp_path / episode.id)
    assert stored.steps[0].decision is not None
    assert stored.steps[0].decision.usage is not None
    for file in tmp_path.rglob("*"):
        assert KEY.encode() not in (file.read_bytes() if file.is_file() else b"")
    told = server.requests[-1]["messages"][1]["content"][0]["text"]
    assert "Earlier steps:" in told


async def test_a_dead_model_ends_the_episode_and_says_why() -> None:
    async with serving(refuses(500, "out of memory")) as server:
        options = EndpointOptions(first_pause=0.01, retries=2)
        policy = EndpointPolicy(server.url, "m", options=options)
        async with Agent(MemoryDevice(), policy) as agent:
            episode = await agent.run_async("Count to two")
    assert episode.outcome == "policy_fault"
    assert "out of memory" in episode.reason
    assert "check that the server is up" in episode.reason


async def test_a_silent_model_ends_at_the_steps_deadline() -> None:
    async with (
        serving(NEVER) as server,
        Agent(MemoryDevice(), EndpointPolicy(server.url, "m")) as agent,
    ):
        task = Task("Count to two", limits=Limits(step_seconds=0.3))
        episode = await agent.run_async(task)
    assert episode.outcome == "policy_fault"
