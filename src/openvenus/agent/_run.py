"""One episode from start to end: its clocks, how it ends, and its record."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path

import openvenus
from openvenus.agent._act import describe
from openvenus.agent._environment import Environment
from openvenus.agent._events import EpisodeEnded, EpisodeStarted, StepEnded
from openvenus.agent._history import without_image
from openvenus.agent._record import Recorder
from openvenus.agent._setup import Setup
from openvenus.agent._step import Stepper
from openvenus.agent._turn import Ending
from openvenus.device import Device
from openvenus.episode import (
    Effect,
    Episode,
    Observation,
    Outcome,
    Step,
    Task,
    Verdict,
    new_episode_id,
)
from openvenus.errors import DeviceFault, PolicyFault, VenusError

_log = logging.getLogger(__name__)
_WHILE: dict[str, tuple[Outcome, str]] = {
    "observe": ("device_fault", "the screen could not be captured"),
    "perform": ("device_fault", "the action did not end"),
    "environment": ("device_fault", "the task's environment did not answer"),
    "propose": ("policy_fault", "the policy did not answer"),
}


class Run:
    """Runs one episode on one device; used once.

    Args:
        setup: what stays the same from episode to episode.
        device: not used by anybody else until `go` returns.
        environment: sets up and judges; None opens the task's start and judges nothing.
    """

    def __init__(
        self, setup: Setup, device: Device, task: Task, environment: Environment | None
    ) -> None:
        self._setup = setup
        self._device = device
        self._task = task
        self._environment = environment
        self._id = new_episode_id()
        self._started = time.time()
        self._steps: list[Step] = []
        self._stepper = Stepper(setup, device, self._id, environment)
        self._recorder: Recorder | None = None
        self._announced = False

    async def go(self) -> Episode:
        """The whole episode.

        Whatever happens, the record is closed and held keys are let go before this returns or
        raises.

        Raises:
            TaskError: the environment could not set the task up.
            UsageError: nothing can be recorded where it was asked to be.
            asyncio.CancelledError: after the episode was recorded as `cancelled`.
        """
        cause: BaseException | None = None
        try:
            ending = await self._live()
        except asyncio.CancelledError as e:
            ending, cause = Ending("cancelled", "the run was cancelled"), e
        except Exception as e:
            ending, cause = Ending("cancelled", f"the run broke off: {describe(e)}"), e
        closing = asyncio.ensure_future(self._close(ending, cause))
        cause = await _uninterrupted(closing) or cause
        if cause is not None:
            raise cause
        return closing.result()

    async def _live(self) -> Ending:
        seconds = self._task.limits.episode_seconds
        try:
            async with asyncio.timeout(seconds) as clock:
                self._stepper.clocks = (clock,)
                await self._start()
                return await self._loop(clock)
        except TimeoutError:
            if not clock.expired():
                raise
            return Ending("time_limit", f"the episode's {seconds:g} s were over")
        except DeviceFault as e:
            return Ending("device_fault", _with_hint(e))
        except PolicyFault as e:
            return Ending("policy_fault", _with_hint(e))

    async def _start(self) -> None:
        seconds = self._task.limits.step_seconds
        try:
            async with asyncio.timeout(seconds) as clock:
                if self._environment is not None:
                    self._task = await self._environment.reset(self._device, self._task)
                else:
                    await _of_device(self._device, self._device.open(self._task.start))
        except TimeoutError as e:
            if not clock.expired():
                raise
            what = self._task.start or "the task"
            raise DeviceFault(f"{what} could not be opened within {seconds:g} s") from e
        self._begin_record()
        self._announced = True
        self._setup.emit(
            EpisodeStarted(
                self._id, self._task, self._setup.policy.name, self._device.name, self._path
            )
        )

    async def _loop(self, episode_clock: asyncio.Timeout) -> Ending:
        limits = self._task.limits
        self._stepper.task = self._task
        while len(self._steps) < limits.max_steps:
            try:
                async with asyncio.timeout(limits.step_seconds) as clock:
                    self._stepper.clocks = (episode_clock, clock)
                    ending = await self._stepper.step(len(self._steps))
            except TimeoutError:
                if not clock.expired():
                    raise
                return self._overdue(limits.step_seconds)
            await self._keep(self._stepper.take())
            if ending is not None:
                return ending
            if self._recorder is not None and self._recorder.failure:
                return Ending("cancelled", f"it can't be recorded: {self._recorder.failure}")
        return Ending("step_limit", f"{limits.max_steps} steps were taken")

    def _overdue(self, seconds: float) -> Ending:
        outcome, what = _WHILE.get(self._stepper.phase, ("time_limit", "the step did not end"))
        return Ending(outcome, f"{what} within the step's {seconds:g} s")

    async def _keep(self, step: Step) -> None:
        self._remember(step)
        if self._recorder is not None:
            await self._recorder.step(step)
        self._setup.emit(StepEnded(self._id, step))
        # Others get their turn at every step, even where neither device nor policy ever waits.
        await asyncio.sleep(0)

    def _remember(self, step: Step) -> None:
        self._steps.append(step)
        place = len(self._steps) - 1 - self._setup.options.history_images
        # What is on disk need not be in memory too.
        if self._recorder is not None and place >= 0:
            old = self._steps[place]
            self._steps[place] = replace(old, observation=without_image(old.observation))

    def _keep_broken(self) -> None:
        """Keep what is known of a step that was broken off after its decision."""
        step = self._stepper.take_broken()
        if step is None:
            return
        if step.decision is not None and step.effect is None:
            step = replace(
                step,
                effect=Effect("not_performed", "the step was broken off before anything was done"),
            )
        self._remember(step)
        if self._recorder is not None:
            self._recorder.submit(step)
        self._setup.emit(StepEnded(self._id, step))

    async def _close(self, ending: Ending, cause: BaseException | None) -> Episode:
        broken = cause is not None
        self._keep_broken()
        await self._release()
        if self._recorder is None and not broken:
            self._begin_record()
        notes, final = self._stepper.notes.shown(), self._stepper.final
        episode = self._episode(ending, final, notes)
        if self._environment is not None and not broken and ending.outcome != "device_fault":
            episode = replace(
                episode, verdict=await self._verdict(self._environment, self._device, episode)
            )
        episode = replace(episode, ended=time.time())
        if self._recorder is not None:
            await self._recorder.finish(
                outcome=ending.outcome,
                reason=ending.reason,
                answer=episode.answer,
                final=final,
                verdict=episode.verdict,
                notes=notes,
                ended=episode.ended or 0.0,
            )
            lost = self._recorder.failure
            if lost and lost not in episode.reason:
                said = f"{episode.reason}; " if episode.reason else ""
                episode = replace(episode, reason=f"{said}the record is incomplete: {lost}")
        if self._announced or not isinstance(cause, Exception):
            self._setup.emit(EpisodeEnded(episode, self._path))
        return episode

    def _episode(
        self, ending: Ending, final: Observation | None, notes: tuple[str, ...]
    ) -> Episode:
        return Episode(
            id=self._id,
            task=self._task,
            policy=self._setup.policy.name,
            device=self._device.name,
            steps=tuple(self._steps),
            outcome=ending.outcome,
            reason=ending.reason,
            answer=self._stepper.answer,
            final=final,
            notes=notes,
            started=self._started,
            version=openvenus.__version__,
        )

    async def _release(self) -> None:
        try:
            async with asyncio.timeout(self._setup.options.release_seconds):
                await self._device.release()
        except Exception as e:
            _log.warning("%s did not let go of its keys: %s", self._device.name, describe(e))

    async def _verdict(
        self, environment: Environment, device: Device, episode: Episode
    ) -> Verdict | None:
        try:
            async with asyncio.timeout(self._setup.options.verdict_seconds):
                return await environment.verdict(device, episode)
        except Exception as e:
            _log.warning("%s can't be judged: %s", self._task.id or self._id, describe(e))
            return Verdict(
                "unknown", judge="environment", evidence=(f"judging failed: {describe(e)}",)
            )

    def _begin_record(self) -> None:
        if self._setup.record is not None:
            self._recorder = Recorder.open(
                self._setup.record,
                self._task,
                self._setup.policy.name,
                self._device.name,
                self._id,
                self._started,
            )

    @property
    def _path(self) -> Path | None:
        return self._recorder.path if self._recorder is not None else None


def _with_hint(error: VenusError) -> str:
    return f"{error.message} ({error.hint})" if error.hint else error.message


async def _of_device(device: Device, call: Awaitable[None]) -> None:
    try:
        await call
    except DeviceFault:
        raise
    except OSError as e:
        raise DeviceFault(f"{device.name} failed: {describe(e)}") from e


async def _uninterrupted(task: asyncio.Future[Episode]) -> BaseException | None:
    """Wait until the task is done; a cancellation meanwhile is returned, not passed on."""
    interrupted: BaseException | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as e:
            interrupted = e
        except Exception:
            break  # The caller gets it from the task's result.
    return interrupted
