"""Playing episodes to learn from: the loop without records, guard and pictures."""

from __future__ import annotations

from openvenus.agent import Environment
from openvenus.device import Device
from openvenus.episode import Effect, Episode, Observation, Step, Task
from openvenus.learn.online._samples import EpisodeSample, sample_of
from openvenus.learn.online._settings import Settings
from openvenus.policy import Situation
from openvenus.policy.embedded import EmbeddedPolicy
from openvenus.screen import describe_change


async def play(
    device: Device,
    environment: Environment,
    task: Task,
    policy: EmbeddedPolicy,
    settings: Settings,
    max_steps: int,
) -> EpisodeSample:
    """One sampled episode.

    Raises:
        DeviceFault: the device failed; what was played says nothing about the policy.
    """
    episode = EpisodeSample(
        task=str(task.provenance["task"]), seed=int(task.provenance.get("seed", 0))
    )
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
        so_far = Episode(id=task.id, task=task, policy=policy.name, device=device.name)
        verdict = await environment.verdict(device, so_far)
        if verdict is not None and verdict.reward is not None:
            episode.raw = verdict.reward
            episode.reward = min(max(verdict.reward, 0.0), 1.0)
            episode.success = verdict.result == "success"
    return episode


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
