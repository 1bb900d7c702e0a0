"""How episodes go and how they end."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from openvenus.action import (
    Answer,
    AskUser,
    Click,
    Finish,
    Hotkey,
    Note,
    Point,
    Refuse,
    Sequence,
    Swipe,
    TypeText,
    Wait,
)
from openvenus.agent import Agent, AgentOptions
from openvenus.device import Device, Performed
from openvenus.episode import (
    Decision,
    Dialog,
    Episode,
    Limits,
    Observation,
    ParseFailure,
    Ruling,
    Task,
    Verdict,
)
from openvenus.errors import DeviceFault, PolicyFault, StaleFrame, TaskError, UsageError
from tests.agent.memory import FINISH, IDLE, UP, MemoryDevice, ScriptedPolicy, forever

BAD = ParseFailure("it is not JSON", raw="???", position=3)


async def run(
    *answers: Any, device: MemoryDevice | None = None, limits: Limits | None = None, **setup: Any
) -> tuple[Episode, MemoryDevice, ScriptedPolicy]:
    device = device or MemoryDevice()
    policy = ScriptedPolicy(*answers)
    agent = Agent(device, policy, **setup)
    episode = await agent.run_async(Task("count", limits=limits or Limits()))
    assert device.released == 1
    return episode, device, policy


async def test_each_step_knows_what_it_saw_and_what_came_of_it() -> None:
    episode, device, policy = await run(UP, UP, FINISH)
    assert (episode.outcome, episode.answer, len(episode.steps)) == ("claimed_done", "done", 3)
    first = episode.steps[0]
    assert first.effect is not None
    assert first.effect.status == "done"
    assert first.effect.changed is True
    assert first.effect.changes
    assert first.effect.point == Point(40, 25)
    assert first.ruling == Ruling("allow", "no-guard", reason="no guard is configured")
    assert set(first.seconds) == {"observe", "propose", "review", "perform", "overhead"}
    assert first.started > 1e9
    # What a step led to is what the next one sees: one capture for both.
    assert device.observed == 3
    assert [s.observation for s in episode.steps] == [s.observation for s in policy.situations]
    assert episode.final is episode.steps[-1].observation
    assert device.opened == [None]


async def test_the_policy_is_told_what_it_may_do_and_what_happened() -> None:
    _, _, policy = await run(UP, IDLE, FINISH)
    situations = policy.situations
    assert {"click", "type", "finish", "refuse", "note", "wait"} <= situations[0].actions
    assert "drag" not in situations[0].actions
    assert situations[0].feedback == situations[1].feedback == ""
    assert "changed nothing" in situations[2].feedback
    assert [len(s.history) for s in situations] == [0, 1, 2]
    assert situations[2].history[0].effect is not None
    assert situations[2].history[0].effect.changed is True


@pytest.mark.parametrize(
    ("action", "outcome", "reason"),
    [
        (Finish(), "claimed_done", ""),
        (Finish(status="failure"), "claimed_done", "the policy says that it failed"),
        (Refuse(reason="no such button"), "refused", "no such button"),
        (AskUser(question="Which one?"), "asked_user", "Which one?"),
    ],
)
async def test_what_ends_an_episode(action: Any, outcome: str, reason: str) -> None:
    episode, device, _ = await run(action)
    assert (episode.outcome, episode.reason) == (outcome, reason)
    assert device.observed == 1


async def test_the_start_is_opened() -> None:
    device = MemoryDevice()
    await Agent(device, ScriptedPolicy(FINISH)).run_async(Task("x", start="memory://there"))
    assert device.opened == ["memory://there"]


async def test_an_answer_goes_on_and_is_kept() -> None:
    episode, _, _ = await run(Answer(text="42"), Finish())
    assert (episode.outcome, episode.answer, len(episode.steps)) == ("claimed_done", "42", 2)


async def test_the_person_answers_and_the_clocks_stand_still() -> None:
    async def person(question: str) -> str:
        await asyncio.sleep(0.3)
        return f"the answer to {question}"

    limits = Limits(step_seconds=0.15, episode_seconds=0.25)
    episode, _, policy = await run(AskUser(question="Q"), FINISH, ask=person, limits=limits)
    assert episode.outcome == "claimed_done"
    assert policy.situations[1].messages == ("the answer to Q",)
    assert "the answer to Q" in policy.situations[1].feedback


async def test_a_person_at_a_terminal_may_block() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    def person(_: str) -> str:
        patience = time.monotonic() + 20
        while ticks < 5 and time.monotonic() < patience:
            time.sleep(0.01)
        return "yes"

    ticking = asyncio.create_task(tick())
    episode, _, policy = await run(AskUser(question="Q"), FINISH, ask=person)
    ticking.cancel()
    assert policy.situations[1].messages == ("yes",)
    assert episode.outcome == "claimed_done"
    assert ticks >= 5


@pytest.mark.parametrize("reply", [None, OSError("no terminal")])
async def test_a_person_who_gives_no_answer(reply: Exception | None) -> None:
    def person(_: str) -> None:
        if reply is not None:
            raise reply

    episode, _, _ = await run(AskUser(question="Q"), FINISH, ask=person)
    assert episode.outcome == "asked_user"
    assert ("no terminal" in episode.reason) == (reply is not None)


async def test_a_person_who_never_answers() -> None:
    async def person(_: str) -> str:
        await asyncio.Event().wait()
        return ""

    options = AgentOptions(ask_seconds=0.05)
    episode, _, _ = await run(AskUser(question="Q"), FINISH, ask=person, options=options)
    assert episode.outcome == "asked_user"
    assert "no answer came" in episode.reason


async def test_notes_are_kept_within_bounds() -> None:
    notes = [Note(text=f"{i}" * 10) for i in range(4)]
    options = AgentOptions(max_notes=2, max_note_chars=5)
    episode, _, policy = await run(*notes, FINISH, options=options)
    assert episode.notes == ("22222", "33333")
    assert [s.notes for s in policy.situations][1:3] == [("00000",), ("00000", "11111")]
    assert "cut to its first 5" in policy.situations[1].feedback
    assert "oldest note was dropped" in policy.situations[3].feedback


async def test_a_wait_is_bounded_and_looks_again() -> None:
    options = AgentOptions(max_wait_seconds=0.05)
    begun = time.perf_counter()
    _, device, policy = await run(Wait(seconds=60), FINISH, options=options)
    assert time.perf_counter() - begun < 2
    assert device.observed == 2
    assert "longest" in policy.situations[1].feedback
    assert "changed nothing" not in policy.situations[1].feedback


async def test_unreadable_answers_are_sent_back_twice_and_never_finish() -> None:
    episode, device, policy = await run(BAD)
    assert (episode.outcome, len(episode.steps)) == ("invalid_output", 3)
    assert "not JSON (at character 3)" in episode.reason
    assert all(s.failure == BAD and s.decision is None for s in episode.steps)
    assert "not JSON (at character 3)" in policy.situations[1].feedback
    assert device.actions_done == []


async def test_a_readable_answer_in_between_is_a_new_start() -> None:
    episode, _, _ = await run(BAD, BAD, UP, BAD, BAD, UP, FINISH)
    assert episode.outcome == "claimed_done"


async def test_what_the_device_cant_do_is_feedback() -> None:
    swipe = Swipe(start=Point(1, 1), end=Point(2, 2))
    episode, device, policy = await run(swipe, FINISH)
    assert episode.steps[0].effect is not None
    assert episode.steps[0].effect.status == "unsupported"
    assert "can't swipe" in policy.situations[1].feedback
    assert "click" in policy.situations[1].feedback
    assert device.actions_done == []


async def test_what_failed_is_feedback() -> None:
    device = MemoryDevice()
    device.answers = {
        1: Performed("failed", "the button is disabled"),
        2: Performed("stale", "the window was resized"),
    }
    episode, _, policy = await run(UP, UP, FINISH, device=device)
    assert [s.effect and s.effect.status for s in episode.steps] == ["failed", "stale", "done"]
    assert "failed: the button is disabled" in policy.situations[1].feedback
    assert "the window was resized" in policy.situations[2].feedback


async def test_what_a_device_raises_instead_is_feedback_too() -> None:
    device = MemoryDevice()

    async def raises(number: int) -> None:
        if number == 1:
            raise StaleFrame("the frame is gone")

    device.before_perform = raises
    episode, _, _ = await run(UP, FINISH, device=device)
    assert episode.steps[0].effect is not None
    assert episode.steps[0].effect.status == "stale"


async def test_a_sequence_is_done_in_order() -> None:
    both = Sequence(actions=(UP, TypeText(text="a"), UP, Finish(answer="end")))
    episode, device, _ = await run(Decision(both, target="e1"))
    assert device.actions_done == [UP, TypeText(text="a"), UP]
    assert device.targets == [None, None, None]
    assert (episode.outcome, episode.answer, device.observed) == ("claimed_done", "end", 2)
    assert episode.steps[0].effect is not None
    assert episode.steps[0].effect.changed is True


async def test_a_sequence_stops_at_the_first_failure() -> None:
    device = MemoryDevice()
    device.answers = {2: Performed("failed", "no field has the focus")}
    both = Sequence(actions=(UP, TypeText(text="a"), UP, Finish()))
    episode, _, policy = await run(both, FINISH, device=device)
    assert len(device.actions_done) == 2
    assert len(episode.steps) == 2
    assert "action 2 of 4 (type) was not done" in policy.situations[1].feedback
    assert "no field has the focus" in policy.situations[1].feedback


async def test_a_sequence_with_something_unsupported_is_not_begun() -> None:
    both = Sequence(actions=(UP, Swipe(start=Point(1, 1), end=Point(2, 2))))
    _, device, _ = await run(both, FINISH)
    assert device.actions_done == []


async def test_the_target_goes_to_the_device() -> None:
    _, device, _ = await run(Decision(UP, target="e1"), FINISH)
    assert device.targets == ["e1"]


async def test_dialogs_are_part_of_the_effect() -> None:
    device = MemoryDevice()
    device.answers = {1: Performed(dialogs=(Dialog("alert", "Saved"),))}
    episode, _, _ = await run(IDLE, FINISH, device=device)
    assert episode.steps[0].effect is not None
    assert episode.steps[0].effect.changed is True
    assert "Saved" in episode.steps[0].effect.changes[0]


async def test_steps_run_out() -> None:
    episode, _, _ = await run(UP, limits=Limits(max_steps=4))
    assert (episode.outcome, len(episode.steps)) == ("step_limit", 4)
    assert episode.final is not None
    assert episode.final.elements[-1].value == "4"


async def test_going_nowhere_is_told_and_then_ends() -> None:
    episode, _, policy = await run(IDLE)
    assert episode.outcome == "stuck"
    assert len(episode.steps) == 5
    warned = ["stuck" in s.feedback for s in policy.situations]
    assert warned == [False, False, False, True, True]


async def test_heeding_the_warning_goes_on() -> None:
    episode, _, _ = await run(IDLE, IDLE, IDLE, UP, IDLE, IDLE, IDLE, FINISH)
    assert episode.outcome == "claimed_done"


@dataclass
class Rules:
    """A guard with one fixed answer for clicks."""

    ruling: Ruling | Exception
    seen: list[Decision] = field(default_factory=list)

    def review(self, task: Task, observation: Observation, decision: Decision) -> Ruling:
        self.seen.append(decision)
        if not isinstance(decision.action, Click):
            return Ruling("allow", "others")
        if isinstance(self.ruling, Exception):
            raise self.ruling
        return self.ruling


@pytest.mark.parametrize(
    "ruling",
    [
        Ruling("deny", "pay", "payment", "it buys something"),
        Ruling("confirm", "pay", "payment", "it buys something"),
        ValueError("it buys something"),
    ],
)
async def test_what_is_not_allowed_is_not_done(ruling: Ruling | Exception) -> None:
    guard = Rules(ruling)
    episode, device, policy = await run(UP, FINISH, guard=guard)
    assert device.actions_done == []
    step = episode.steps[0]
    assert step.ruling is not None
    assert step.effect is not None
    assert (step.ruling.verdict, step.effect.status) == ("deny", "denied")
    assert "it buys something" in policy.situations[1].feedback
    assert len(guard.seen) == 2


async def test_denied_again_and_again_ends() -> None:
    episode, device, _ = await run(UP, guard=Rules(Ruling("deny", "pay")))
    assert (episode.outcome, len(episode.steps), device.count) == ("denied", 3, 0)


@pytest.mark.parametrize("approval", ["ann", None])
async def test_a_confirmation_is_asked_for_and_recorded(approval: str | None) -> None:
    async def approver(*_: object) -> str | None:
        return approval

    guard = Rules(Ruling("confirm", "pay", "payment", "it buys"))
    episode, device, _ = await run(UP, FINISH, guard=guard, approver=approver)
    assert device.count == (1 if approval else 0)
    ruling = episode.steps[0].ruling
    assert ruling is not None
    assert ruling.approval == approval
    assert ruling.effect_class == "payment"


async def test_a_device_that_breaks_is_a_device_fault() -> None:
    device = MemoryDevice()

    async def breaks(number: int) -> None:
        device.alive = number < 2

    device.before_perform = breaks
    episode, _, _ = await run(UP, UP, UP, device=device)
    assert (episode.outcome, episode.reason) == ("device_fault", "the counter is broken")
    assert len(episode.steps) == 2
    assert episode.steps[1].effect is not None
    assert episode.steps[1].effect.status == "failed"
    assert episode.final is None


async def test_a_device_that_breaks_after_acting_keeps_what_it_did() -> None:
    device = MemoryDevice()

    async def breaks(number: int) -> None:
        device.alive = number < 2

    device.before_observe = breaks
    episode, _, _ = await run(UP, device=device)
    assert episode.outcome == "device_fault"
    assert episode.steps[0].effect is not None
    assert (episode.steps[0].effect.status, episode.steps[0].effect.changed) == ("done", None)


@pytest.mark.parametrize("error", [RuntimeError("bug"), TimeoutError(), DeviceFault("gone")])
@pytest.mark.parametrize("place", ["before_observe", "before_perform"])
async def test_whatever_a_device_raises_is_its_fault(error: Exception, place: str) -> None:
    device = MemoryDevice()

    async def fails(_: int) -> None:
        raise error

    setattr(device, place, fails)
    episode, _, _ = await run(UP, device=device)
    assert episode.outcome == "device_fault"


async def test_a_start_that_cant_be_opened_is_a_device_fault() -> None:
    class Unreachable(MemoryDevice):
        async def open(self, start: str | None) -> None:
            raise DeviceFault(f"{start} can't be reached")

    device = Unreachable()
    task = Task("x", start="http://nowhere.invalid")
    episode = await Agent(device, ScriptedPolicy(UP)).run_async(task)
    assert (episode.outcome, episode.steps) == ("device_fault", ())
    assert "nowhere.invalid" in episode.reason
    assert device.released == 1


@pytest.mark.parametrize(
    ("place", "outcome"),
    [("observe", "device_fault"), ("perform", "device_fault"), ("propose", "policy_fault")],
)
async def test_what_never_ends_is_ended_by_the_step_deadline(place: str, outcome: str) -> None:
    device, policy = MemoryDevice(), ScriptedPolicy(UP)
    if place == "propose":
        policy.before = forever
    else:
        setattr(device, f"before_{place}", forever)
    begun = time.perf_counter()
    episode = await Agent(device, policy).run_async(
        Task("x", limits=Limits(step_seconds=0.1, episode_seconds=20))
    )
    assert time.perf_counter() - begun < 5
    assert episode.outcome == outcome
    assert "0.1 s" in episode.reason
    assert len(episode.steps) == (1 if place == "perform" else 0)


@pytest.mark.parametrize("place", ["open", "observe", "perform", "propose"])
async def test_the_episode_deadline(place: str) -> None:
    device, policy = MemoryDevice(), ScriptedPolicy(UP)
    if place == "propose":
        policy.before = forever
    elif place == "open":
        device.open = forever  # type: ignore[assignment, method-assign]
    else:
        setattr(device, f"before_{place}", forever)
    task = Task("x", start="a", limits=Limits(step_seconds=20, episode_seconds=0.1))
    episode = await Agent(device, policy).run_async(task)
    assert episode.outcome == "time_limit"
    assert device.released == 1


@pytest.mark.parametrize("error", [PolicyFault("no model"), RuntimeError("no model")])
async def test_a_policy_that_fails_is_a_policy_fault(error: Exception) -> None:
    episode, _, _ = await run(UP, error)
    assert episode.outcome == "policy_fault"
    assert "no model" in episode.reason
    assert len(episode.steps) == 1
    assert episode.final is not None


async def test_a_device_that_wont_let_go_holds_nothing_up() -> None:
    class Clinging(MemoryDevice):
        async def release(self) -> None:
            self.released += 1
            await asyncio.Event().wait()

    options = AgentOptions(release_seconds=0.05)
    episode, _, _ = await run(FINISH, device=Clinging(), options=options)
    assert episode.outcome == "claimed_done"


async def test_an_old_observation_is_not_decided_on_again() -> None:
    options = AgentOptions(reuse_seconds=0.0)
    _, device, _ = await run(Note(text="a"), Note(text="b"), FINISH, options=options)
    assert device.observed == 3
    _, device, _ = await run(Note(text="a"), Note(text="b"), FINISH)
    assert device.observed == 1


async def test_history_gets_lighter_with_age() -> None:
    options = AgentOptions(history_steps=6, history_elements=3, history_images=1)
    _, _, policy = await run(*[UP] * 9, FINISH, options=options)
    shown = policy.situations[-1].history
    assert [s.index for s in shown] == [3, 4, 5, 6, 7, 8]
    assert [len(s.observation.elements) > 0 for s in shown] == [False] * 3 + [True] * 3
    assert [s.observation.frame.image is not None for s in shown] == [False] * 5 + [True]
    assert all(s.decision is not None and s.effect is not None for s in shown)


@pytest.mark.parametrize(("steps", "kept"), [(1, 1), (2, 2), (0, 0)])
async def test_a_short_history(steps: int, kept: int) -> None:
    options = AgentOptions(history_steps=steps, history_elements=0, history_images=0)
    _, _, policy = await run(*[UP] * 4, FINISH, options=options)
    shown = policy.situations[-1].history
    assert len(shown) == kept
    assert all(s.observation.frame.image is None and not len(s.observation.elements) for s in shown)


class Counter:
    """An environment that ends when the counter has reached a number."""

    def __init__(self, goal: int) -> None:
        self.goal = goal
        self.checks = 0
        self.verdict_error: Exception | None = None

    async def reset(self, device: Device, task: Task) -> Task:
        if self.goal < 0:
            raise TaskError("there is no such page")
        return Task(f"count to {self.goal}", limits=task.limits)

    async def ended(self, device: Device) -> bool:
        self.checks += 1
        assert isinstance(device, MemoryDevice)
        return device.count >= self.goal

    async def verdict(self, device: Device, episode: Episode) -> Verdict | None:
        if self.verdict_error is not None:
            raise self.verdict_error
        assert isinstance(device, MemoryDevice)
        reached = device.count >= self.goal
        return Verdict("success" if reached else "failure", reward=float(len(episode.steps)))


async def in_environment(goal: int, *answers: Any) -> tuple[Episode, Counter, ScriptedPolicy]:
    environment, policy = Counter(goal), ScriptedPolicy(*answers)
    episode = await Agent(MemoryDevice(), policy).run_async(Task("?"), environment)
    return episode, environment, policy


async def test_an_environment_ends_and_judges() -> None:
    episode, environment, policy = await in_environment(3, UP)
    assert episode.outcome == "environment_done"
    assert episode.task.instruction == policy.situations[0].task.instruction == "count to 3"
    assert episode.verdict == Verdict("success", reward=3.0)
    assert environment.checks == 3
    assert episode.final is not None
    assert episode.final.elements[-1].value == "3"


async def test_an_environment_judges_what_the_policy_ended() -> None:
    episode, _, _ = await in_environment(3, UP, FINISH)
    assert episode.outcome == "claimed_done"
    assert episode.verdict == Verdict("failure", reward=2.0)


async def test_an_environment_that_cant_be_set_up() -> None:
    device = MemoryDevice()
    with pytest.raises(TaskError, match="no such page"):
        await Agent(device, ScriptedPolicy(UP)).run_async(Task("?"), Counter(-1))
    assert device.released == 1


async def test_an_environment_that_cant_judge_says_unknown() -> None:
    environment = Counter(1)
    environment.verdict_error = DeviceFault("the page is gone")
    episode = await Agent(MemoryDevice(), ScriptedPolicy(UP)).run_async(Task("?"), environment)
    assert episode.outcome == "environment_done"
    assert episode.verdict is not None
    assert episode.verdict.result == "unknown"
    assert "the page is gone" in episode.verdict.evidence[0]


async def test_an_agent_does_one_thing_at_a_time() -> None:
    policy = ScriptedPolicy(FINISH)
    policy.before = forever
    agent = Agent(MemoryDevice(), policy)
    running = asyncio.create_task(agent.run_async("a"))
    await asyncio.sleep(0.01)
    with pytest.raises(UsageError, match="busy"):
        await agent.run_async("b")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    policy.before = None
    assert (await agent.run_async("c")).outcome == "claimed_done"


async def test_hotkeys_and_other_plain_actions_reach_the_device() -> None:
    keys = Hotkey(keys=("ctrl", "a"))
    _, device, _ = await run(keys, FINISH)
    assert device.actions_done == [keys]


@pytest.mark.parametrize(
    "bad", [{"history_steps": -1}, {"denials": 0}, {"max_wait_seconds": 0.0}, {"max_notes": -3}]
)
def test_bounds_that_make_no_sense(bad: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(bad))):
        AgentOptions(**bad)
