"""Playing episodes to learn from: the loop without records, guard and pictures."""

from __future__ import annotations

from typing import Protocol

from openvenus.device import Device
from openvenus.episode import Effect, Observation, Step, Task, Verdict
from openvenus.errors import DeviceFault
from openvenus.learn.online._samples import EpisodeSample, sample_of
from openvenus.learn.online._settings import Settings
from openvenus.policy import Situation
from openvenus.policy.embedded import EmbeddedPolicy
from openvenus.screen import describe_change


class ScoredEnvironment(Protocol):
    """A task environment that says when an episode is over and what it was worth."""

    async def reset(self, device: Device, task: Task) -> Task:
        """Set the task up and return it with its instruction."""
        ...

    async def ended(self, device: Device) -> bool:
        """Whether the environment has closed the episode."""
        ...

    async def verdict(self, device: Device, episode: object = None) -> Verdict | None:
        """What it was worth."""
        ...


async def play(
    device: Device,
    environment: ScoredEnvironment,
    task: Task,
    policy: EmbeddedPolicy,
    settings: Settings,
    max_steps: int,
) -> EpisodeSample:
    """One sampled episode.

    A device fault makes the episode invalid and is raised on, so that the caller can replace
    the device; the episode itself is the fault's `episode` attribute.
    """
    episode = EpisodeSample(
        task=str(task.provenance["task"]), seed=int(task.provenance.get("seed", 0))
    )
    try:
        await _play(device, environment, task, policy, settings, max_steps, episode)
    except DeviceFault:
        episode.valid = False
        raise
    return episode


async def _play(
    device: Device,
    environment: ScoredEnvironment,
    task: Task,
    policy: EmbeddedPolicy,
    settings: Settings,
    max_steps: int,
    episode: EpisodeSample,
) -> None:
    task = await environment.reset(device, task)
    observation = await device.observe(image=False)
    history: list[Step] = []
    idle = 0
    ended = False
    for index in range(max_steps):
        situation = Situation(
            task=task,
            observation=observation,
            history=tuple(history),
            actions=device.actions,
        )
        proposal = policy.consider([situation])[0]
        if proposal is None:
            break
        sample = sample_of(proposal.features, proposal.choice, fingerprint(observation))
        decision = proposal.decision
        performed = await device.perform(decision.action, observation, target=decision.target)
        after = await device.observe(image=False)
        ended = await environment.ended(device)
        sample.penalty = settings.step_cost
        episode.steps.append(sample)
        if ended:
            sample.last = True
            break
        change = describe_change(
            observation.frame, observation.elements, after.frame, after.elements
        )
        changed = change.changed or performed.navigated or performed.new_tab
        if performed.status != "done" or changed is False:
            sample.penalty += settings.idle_cost
            idle += 1
        history.append(
            Step(
                index=index,
                observation=observation,
                decision=decision,
                effect=Effect(
                    status=performed.status,
                    message=performed.message,
                    changed=changed,
                    navigated=performed.navigated,
                    new_tab=performed.new_tab,
                    settled=performed.settled,
                ),
            )
        )
        observation = after
        if idle >= settings.idle_steps:
            break
    if ended:
        verdict = await environment.verdict(device)
        if verdict is not None and verdict.reward is not None:
            episode.raw = verdict.reward
            episode.reward = min(max(verdict.reward, 0.0), 1.0)
            episode.success = verdict.result == "success"


def fingerprint(observation: Observation) -> int:
    """The same number for screens that look the same, in any episode of one process."""
    return hash(
        (
            observation.url,
            tuple(
                (
                    e.role, e.name, e.text, e.value, e.length, e.checked, e.selected, e.expanded,
                    e.focused, e.visible, round(e.box.left), round(e.box.top),
                )
                for e in observation.elements
            ),
        )
    )  # fmt: skip
