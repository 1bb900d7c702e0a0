"""Training the embedded policy from reward alone: one process learns, another one plays."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import queue
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from openvenus import __version__
from openvenus.errors import VenusError
from openvenus.learn.online._credit import assign_advantages
from openvenus.learn.online._curriculum import Curriculum
from openvenus.learn.online._samples import EpisodeSample
from openvenus.learn.online._settings import Settings
from openvenus.learn.online._torch_network import TorchNetwork, initial_tensors
from openvenus.learn.online._update import Successes, update
from openvenus.learn.online._worker import Job, Played, work
from openvenus.policy.embedded import Weights, save_weights
from openvenus.tasks import FIRST_TRAINING_SEED

Report = Callable[[dict[str, Any]], None]


def train_embedded(
    tasks: Sequence[str], out: Path, settings: Settings, report: Report | None = None
) -> Path:
    """Train on the named tasks for `settings.minutes` and write weights.

    Writes `weights.npz` (averaged weights), `curve.jsonl` (one line per update) and
    `summary.json` to `out`. Interrupting it keeps what was learned so far.

    Args:
        tasks: names of MiniWoB++ pages to practise on.
        report: is given each line of the curve.

    Returns:
        Path of the weights.

    Raises:
        VenusError: nothing could be played.
    """
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    learner = _Learner(tuple(tasks), out, settings, report or (lambda line: None))
    return learner.run()


class _Learner:
    def __init__(
        self, tasks: tuple[str, ...], out: Path, settings: Settings, report: Report
    ) -> None:
        self.settings = settings
        self.out = out
        self.report = report
        self.rng = np.random.default_rng(settings.seed)
        self.curriculum = Curriculum(tasks)
        self.successes = Successes(settings.keep_successes)
        self.network = TorchNetwork(initial_tensors(settings.shape, settings.seed), settings.shape)
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=settings.lr, weight_decay=settings.weight_decay
        )
        self.average = self.network.arrays()
        self.next_seed = FIRST_TRAINING_SEED + settings.seed * 10_000_000
        self.started = time.monotonic()
        self.episodes = 0
        self.faults = 0
        self.updates = 0
        context = multiprocessing.get_context("spawn")
        self.jobs: Any = context.Queue()
        self.played: Any = context.Queue(maxsize=16)
        self.weights: Any = context.Queue()
        self.worker = context.Process(
            target=work, args=(settings, 0, self.jobs, self.played, self.weights), daemon=True
        )
        self.outstanding = 0

    @property
    def share(self) -> float:
        """Share of the time (or of the episodes, if that is more) that has passed, in [0, 1]."""
        share = (time.monotonic() - self.started) / (60 * self.settings.minutes)
        if self.settings.max_episodes is not None:
            share = max(share, self.episodes / self.settings.max_episodes)
        return min(share, 1.0)

    def run(self) -> Path:
        self.weights.put((0, self.network.arrays()))
        self.worker.start()
        try:
            with (self.out / "curve.jsonl").open("w") as curve:
                while self.share < 1:
                    line = self._turn()
                    curve.write(json.dumps(line) + "\n")
                    curve.flush()
                    self.report(line)
                    if self.updates % 20 == 0:
                        self._save()
        except KeyboardInterrupt:
            pass
        finally:
            self._stop()
            self._save()
        return self.out / "weights.npz"

    def _turn(self) -> dict[str, Any]:
        groups = self._gather()
        waited = time.monotonic()
        learned_from: list[EpisodeSample] = []
        others: list[EpisodeSample] = []
        for group in groups:
            teaches = assign_advantages(group, self.settings.credit)
            (learned_from if teaches else others).extend(group)
        idle = [others[i] for i in self.rng.permutation(len(others))[:12]]
        steps = sum(len(e.steps) for e in learned_from)
        remembered = self.successes.draw(self.rng, self.curriculum, self.settings, max(steps, 128))
        rate = self.settings.lr + (self.settings.final_lr - self.settings.lr) * self.share
        for parameters in self.optimizer.param_groups:
            parameters["lr"] = rate
        losses = update(
            self.network,
            self.optimizer,
            learned_from,
            idle,
            remembered,
            self.settings,
            entropy_weight=self.settings.entropy * (1 - self.share),
            rng=self.rng,
        )
        self.updates += 1
        fresh = self.network.arrays()
        decay = min(self.settings.average, self.updates / (self.updates + 10))
        for name, value in fresh.items():
            self.average[name] = decay * self.average[name] + (1 - decay) * value
        self.weights.put((self.updates, fresh))
        done = [e for g in groups for e in g if e.valid]
        return {
            "minutes": round((time.monotonic() - self.started) / 60, 3),
            "update": self.updates,
            "episodes": self.episodes,
            "faults": self.faults,
            "success": round(float(np.mean([float(e.success) for e in done] or [0.0])), 4),
            "teaching": round(len(learned_from) / max(len(done), 1), 3),
            "steps": round(float(np.mean([len(e.steps) for e in done] or [0])), 2),
            "learn_seconds": round(time.monotonic() - waited, 3),
            "mean_rate": round(
                float(np.mean([p.rate for p in self.curriculum.progress.values()])), 4
            ),
            **{k: round(v, 4) for k, v in losses.items()},
            "rates": {t: round(p.rate, 3) for t, p in self.curriculum.progress.items()},
        }

    def _gather(self) -> list[list[EpisodeSample]]:
        groups: list[list[EpisodeSample]] = []
        count = 0
        quiet_since = time.monotonic()
        while count < self.settings.batch_episodes and self.share < 1:
            self._keep_busy()
            try:
                result: Played = self.played.get(timeout=1.0)
            except queue.Empty:
                if not self.worker.is_alive():
                    raise VenusError(
                        "the process that plays has died",
                        hint="see its message above; `venus doctor` checks the browser",
                    ) from None
                if time.monotonic() - quiet_since > 120:
                    raise VenusError("no episode has ended for two minutes") from None
                continue
            quiet_since = time.monotonic()
            self.outstanding -= 1
            if result.fault:
                self.faults += 1
                self.report({"fault": result.fault, "task": result.job.task})
            for episode in result.episodes:
                if episode.valid:
                    self.episodes += 1
                    count += 1
                    self.curriculum.record(episode.task, episode.reward)
                    if episode.success:
                        self.successes.add(episode)
            groups.append(result.episodes)
        return groups

    def _keep_busy(self) -> None:
        while self.outstanding < self.settings.pages + 8:
            long = self.rng.random() < self.settings.long_share
            self.jobs.put(
                Job(
                    task=self.curriculum.draw(self.rng),
                    seed=self.next_seed,
                    max_steps=self.settings.long_steps if long else self.settings.max_steps,
                )
            )
            self.next_seed += 1
            self.outstanding += 1

    def _stop(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self.jobs.get_nowait()
        self.jobs.put(None)
        deadline = time.monotonic() + 20
        while self.worker.is_alive() and time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                self.played.get(timeout=0.2)
        if self.worker.is_alive():
            self.worker.terminate()
        self.worker.join(5)
        for q in (self.jobs, self.played, self.weights):
            q.cancel_join_thread()

    def _save(self) -> None:
        provenance = {
            "openvenus": __version__,
            "tasks": list(self.curriculum.tasks),
            "minutes": round((time.monotonic() - self.started) / 60, 1),
            "episodes": self.episodes,
            "updates": self.updates,
            "device_faults": self.faults,
            "settings": asdict(self.settings),
        }
        save_weights(
            self.out / "weights.npz",
            Weights(
                tensors=self.average,
                shape=self.settings.shape,
                version=f"1-seed{self.settings.seed}",
                provenance=provenance,
            ),
        )
        summary = provenance | {
            "rates": {t: round(p.rate, 3) for t, p in self.curriculum.progress.items()},
            "episodes_by_task": {t: p.episodes for t, p in self.curriculum.progress.items()},
        }
        (self.out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
