from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openvenus.action import Click
from openvenus.episode import (
    Decision,
    Episode,
    EpisodeWriter,
    Observation,
    Step,
    Task,
    Verdict,
    new_episode_id,
    read_episode,
)
from openvenus.errors import UsageError, VenusError
from openvenus.screen import Element, ElementTree, Frame
from tests.episode.records import episodes, step

TASK = Task("Send the form as Ann", id="form/1", provenance={"suite": "forms", "seed": 3})
VERDICT = Verdict("success", 1.0, "rule:sent", 1.0, ("the form was sent",))
PICTURES = [b"\x89PNG one", b"\x89PNG two"]


def write(root: Path, steps: int = 4) -> Path:
    with EpisodeWriter.create(root, TASK, "policy", "device", started=1_700_000_000.0) as writer:
        for i in range(steps):
            writer.write_step(step(i, PICTURES[i % 2]))
        writer.finish(
            outcome="claimed_done",
            reason="the policy says so",
            answer="sent",
            final=step(9, PICTURES[1]).observation,
            verdict=VERDICT,
            notes=("a note",),
            ended=1_700_000_009.0,
        )
    return writer.path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (path / "episode.jsonl").read_bytes().splitlines()]


def test_a_run_reads_as_it_was_written(tmp_path: Path) -> None:
    path = write(tmp_path)
    episode = read_episode(path)
    assert episode.steps == tuple(step(i, PICTURES[i % 2]) for i in range(4))
    assert (episode.task, episode.policy, episode.device) == (TASK, "policy", "device")
    assert (episode.outcome, episode.reason) == ("claimed_done", "the policy says so")
    assert (episode.answer, episode.verdict, episode.notes) == ("sent", VERDICT, ("a note",))
    assert episode.final == step(9, PICTURES[1]).observation
    assert (episode.started, episode.ended) == (1_700_000_000.0, 1_700_000_009.0)
    assert episode.id == path.name
    assert episode.version


def test_the_format_is_what_it_says(tmp_path: Path) -> None:
    header, *middle, end = lines(write(tmp_path))
    assert (header["record"], header["format"]) == ("episode", "openvenus-episode")
    assert header["version"] == "1.0"
    assert header["task"]["instruction"] == TASK.instruction
    assert [line["record"] for line in middle] == ["step"] * 4
    assert (end["record"], end["outcome"]) == ("end", "claimed_done")


def test_a_step_is_on_disk_as_soon_as_it_is_written(tmp_path: Path) -> None:
    with EpisodeWriter.create(tmp_path, TASK, "p", "d") as writer:
        for i in range(3):
            writer.write_step(step(i, PICTURES[0]))
            so_far = read_episode(writer.path)
            assert len(so_far.steps) == i + 1
            assert so_far.outcome is None


def test_a_killed_run_keeps_its_steps(tmp_path: Path) -> None:
    code = f"""
import os, signal
from pathlib import Path
from openvenus.episode import EpisodeWriter, Task
from tests.episode.records import step
writer = EpisodeWriter.create(Path({str(tmp_path)!r}), Task("x"), "p", "d", episode_id="killed")
for i in range(5):
    writer.write_step(step(i, b"picture"))
os.kill(os.getpid(), signal.SIGKILL)
"""
    here = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=here, timeout=60)
    assert done.returncode == -9
    episode = read_episode(tmp_path / "killed")
    assert len(episode.steps) == 5
    assert episode.steps[4].observation.frame.image == b"picture"
    assert episode.reason == "the record breaks off after 5 steps without a last line"


def test_equal_images_are_kept_once(tmp_path: Path) -> None:
    path = write(tmp_path, steps=6)
    kept = sorted(f.name for f in (path / "images").iterdir())
    assert len(kept) == 2
    assert all(re.fullmatch(r"[0-9a-f]{64}\.png", name) for name in kept)


def test_no_images_no_folder(tmp_path: Path) -> None:
    with EpisodeWriter.create(tmp_path, TASK, "p", "d") as writer:
        writer.write_step(step(0))
    assert [f.name for f in writer.path.iterdir()] == ["episode.jsonl"]
    assert read_episode(writer.path).steps[0] == step(0)


def test_images_keep_their_type(tmp_path: Path) -> None:
    frame = Frame("f", 1, 1, 1, 1, image=b"\xff\xd8", media_type="image/jpeg")
    with EpisodeWriter.create(tmp_path, TASK, "p", "d") as writer:
        writer.write_step(Step(0, Observation(frame), Decision(Click())))
    assert [f.suffix for f in (writer.path / "images").iterdir()] == [".jpg"]
    assert read_episode(writer.path).steps[0].observation.frame == frame


# Password fields are the concern of test_secrets; here every text must survive.
PLAIN = episodes.filter(
    lambda e: all(x.kind != "password" for s in e.steps for x in s.observation.elements)
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PLAIN, st.data())
def test_every_episode_survives_the_disk(
    tmp_path: Path, episode: Episode, data: st.DataObject
) -> None:
    with EpisodeWriter.create(
        tmp_path, episode.task, episode.policy, episode.device, started=episode.started
    ) as writer:
        for one in episode.steps:
            writer.write_step(one)
        assert episode.outcome is not None
        writer.finish(
            outcome=episode.outcome,
            reason=episode.reason,
            answer=episode.answer,
            final=episode.final,
            verdict=episode.verdict,
            notes=episode.notes,
            ended=episode.ended,
        )
    read = read_episode(writer.path)
    assert read.steps == episode.steps
    assert (read.task, read.final, read.verdict) == (episode.task, episode.final, episode.verdict)
    assert (read.answer, read.reason, read.ended) == (episode.answer, episode.reason, episode.ended)


def test_half_a_character_and_no_number_are_written_all_the_same(tmp_path: Path) -> None:
    odd = Element("e", "text", step(0).observation.elements[0].box, "\ud83d 中文", length=1)
    seen = Observation(Frame("f", 1, 1, 1, 1), ElementTree([odd]), seconds=float("inf"))
    with EpisodeWriter.create(tmp_path, TASK, "p", "d") as writer:
        writer.write_step(Step(0, seen))
    (writer.path / "episode.jsonl").read_text("utf-8")
    assert read_episode(writer.path).steps[0].observation == seen


def test_an_episode_is_never_overwritten(tmp_path: Path) -> None:
    EpisodeWriter.create(tmp_path, TASK, "p", "d", episode_id="one").close()
    before = (tmp_path / "one" / "episode.jsonl").read_bytes()
    with pytest.raises(UsageError, match="is there already"):
        EpisodeWriter.create(tmp_path, TASK, "q", "d", episode_id="one")
    assert (tmp_path / "one" / "episode.jsonl").read_bytes() == before


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../up", "a\\b", "a\0b"])
def test_an_episode_has_a_plain_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="plain file name"):
        EpisodeWriter.create(tmp_path / "in", TASK, "p", "d", episode_id=name)
    assert not (tmp_path / "in").exists()


def test_where_nothing_can_be_written_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(UsageError, match="no episode can be recorded in") as caught:
        EpisodeWriter.create(tmp_path / "file", TASK, "p", "d")
    assert caught.value.hint


def test_ids_differ_and_sort_by_time() -> None:
    names = {new_episode_id() for _ in range(100)}
    assert len(names) == 100
    assert all(re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{8}", name) for name in names)


def full_disk(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """Writes to files take `room` more bytes and then fail as on a full disk."""
    write_to, left = os.write, [room]

    def limited(file: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = write_to(file, data[: left[0]])
        left[0] -= done
        return done

    monkeypatch.setattr(os, "write", limited)


@pytest.mark.parametrize("room", [0, 1, 200])
def test_a_full_disk_loses_nothing_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    writer = EpisodeWriter.create(tmp_path, TASK, "p", "d")
    writer.write_step(step(0))
    writer.write_step(step(1))
    full_disk(monkeypatch, room)
    with pytest.raises(VenusError, match=r"step 2 can't be written to .*No space left") as caught:
        writer.write_step(step(2))
    assert "the 2 steps before are kept" in str(caught.value)
    monkeypatch.undo()
    with pytest.raises(VenusError, match="step 2 can't be written"):
        writer.write_step(step(3))
    writer.close()
    episode = read_episode(writer.path)
    assert episode.steps == (step(0), step(1))
    assert (writer.path / "episode.jsonl").read_bytes().endswith(b"\n"), "half a line is left"


def test_an_image_that_cannot_be_kept_ends_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = EpisodeWriter.create(tmp_path, TASK, "p", "d")
    (writer.path / "images").write_text("in the way")
    with pytest.raises(VenusError, match="step 0 can't be written") as caught:
        writer.write_step(step(0, PICTURES[0]))
    assert "nothing is kept" in str(caught.value)


def test_a_closed_record_takes_no_more(tmp_path: Path) -> None:
    writer = EpisodeWriter.create(tmp_path, TASK, "p", "d")
    writer.close()
    writer.close()
    with pytest.raises(UsageError, match="is closed"):
        writer.write_step(step(0))
