from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from openvenus.episode import list_episodes, read_episode
from openvenus.errors import EpisodeFormatError
from tests.episode.test_store import PICTURES, write


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    return write(tmp_path)


def change(path: Path, number: int, **fields: Any) -> Path:
    """Change fields of a line (from 1); a field set to None is left out."""
    file = path / "episode.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    data = json.loads(lines[number - 1]) | fields
    data = {k: v for k, v in data.items() if v is not None}
    lines[number - 1] = json.dumps(data).encode() + b"\n"
    file.write_bytes(b"".join(lines))
    return path


def test_folder_and_file_mean_the_same(recorded: Path) -> None:
    assert read_episode(recorded / "episode.jsonl") == read_episode(str(recorded))


def test_every_cut_keeps_the_complete_steps(recorded: Path) -> None:
    file = recorded / "episode.jsonl"
    whole = file.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    cuts = random.Random(3).sample(range(ends[0], len(whole)), 40)
    for cut in [*cuts, *ends[:-1], ends[1] - 1]:
        file.write_bytes(whole[:cut])
        episode = read_episode(recorded)
        # A line that only lacks its end of line is complete.
        complete = sum(end <= cut + 1 for end in ends[:-1])
        assert len(episode.steps) == complete - 1
        assert episode.outcome is None
        assert f"breaks off after {complete - 1} step" in episode.reason
        assert ("is incomplete" in episode.reason) == (cut not in ends and cut + 1 not in ends)


def test_zeros_at_the_end_are_a_cut(recorded: Path) -> None:
    file = recorded / "episode.jsonl"
    whole = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(whole[:3]) + b"\0" * 500)
    assert len(read_episode(recorded).steps) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n", "line 1: not JSON"),
        (b"PK\x03\x04\x00\xff", "line 1: not JSON"),
        (b'{"record": "episode", "format"', "line 1: not JSON"),
        (b'{"hello": 1}\n', "line 1: not the first line of an OpenVenus episode"),
        (b"[1]\n", "line 1: a list where an object should be"),
        (b"[" * 100_000, "line 1: not JSON"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "episode.jsonl"
    file.write_bytes(content)
    with pytest.raises(EpisodeFormatError, match=message) as caught:
        read_episode(file)
    assert str(file) in caught.value.message


def test_damage_in_the_middle_is_named_by_line(recorded: Path) -> None:
    file = recorded / "episode.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2][:50] + b"\n"
    file.write_bytes(b"".join(lines))
    with pytest.raises(EpisodeFormatError, match=r"episode\.jsonl, line 3: not JSON"):
        read_episode(recorded)


@pytest.mark.parametrize(
    ("number", "fields", "message"),
    [
        (2, {"index": "zero"}, "line 2: index: must be a whole number, not 'zero'"),
        (2, {"decision": {"action": {"type": "fly"}}}, "line 2: decision.action: .*'fly'"),
        (3, {"observation": None}, "line 3: observation: is missing"),
        (3, {"record": "leap"}, "line 3: 'leap' is not a kind of line"),
        (1, {"task": None}, "task: is missing"),
        (1, {"version": "one"}, "line 1: 'one' is not a version"),
        (6, {"outcome": "won"}, "outcome: 'won' is not one of"),
    ],
)
def test_wrong_fields_are_named(
    recorded: Path, number: int, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(EpisodeFormatError, match=message):
        read_episode(change(recorded, number, **fields))


def test_a_newer_minor_version_is_read(recorded: Path) -> None:
    before = read_episode(recorded)
    change(recorded, 1, version="1.7", mood="good")
    change(recorded, 2, mood="better")
    with (recorded / "episode.jsonl").open("ab") as file:
        file.write(b'{"record": "applause", "seconds": 3}\n')
    assert read_episode(recorded) == before


def test_what_a_newer_minor_version_changed_is_said(recorded: Path) -> None:
    change(recorded, 1, version="1.7")
    change(recorded, 2, decision={"action": {"type": "fly"}})
    with pytest.raises(EpisodeFormatError, match="line 2") as caught:
        read_episode(recorded)
    assert "newer OpenVenus" in str(caught.value.hint)


@pytest.mark.parametrize("version", ["2.0", "0.9", "10.1"])
def test_another_major_version_is_refused(recorded: Path, version: str) -> None:
    with pytest.raises(EpisodeFormatError, match=f"format version {version}.*reads version 1"):
        read_episode(change(recorded, 1, version=version))


def test_without_images_frames_carry_geometry(recorded: Path) -> None:
    episode = read_episode(recorded, images=False)
    assert all(s.observation.frame.image is None for s in episode.steps)
    assert episode.steps[0].observation.frame.width == 64


def test_a_removed_image_leaves_the_rest(recorded: Path) -> None:
    for file in (recorded / "images").iterdir():
        if file.read_bytes() == PICTURES[0]:
            file.unlink()
    episode = read_episode(recorded)
    assert [s.observation.frame.image for s in episode.steps] == [
        None,
        PICTURES[1],
        None,
        PICTURES[1],
    ]


def test_a_damaged_image_is_named(recorded: Path) -> None:
    image = next((recorded / "images").iterdir())
    image.write_bytes(image.read_bytes()[:-1])
    with pytest.raises(EpisodeFormatError, match="is damaged") as caught:
        read_episode(recorded)
    assert image.name in caught.value.message
    assert read_episode(recorded, images=False).outcome == "claimed_done"


@pytest.mark.parametrize("name", ["../../secret.png", "/etc/passwd", "x.png", "", "a" * 64])
def test_images_are_only_read_from_the_folder(recorded: Path, name: str) -> None:
    (recorded.parent / "secret.png").write_bytes(b"secret")
    file = recorded / "episode.jsonl"
    data = json.loads(file.read_bytes().splitlines()[1])
    data["observation"]["frame"]["image"] = name
    with pytest.raises(EpisodeFormatError, match="is not the name of an image"):
        read_episode(change(recorded, 2, observation=data["observation"]))


def test_missing_records_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(EpisodeFormatError, match=r"holds no episode\.jsonl"):
        read_episode(tmp_path)
    with pytest.raises(EpisodeFormatError, match="does not exist"):
        read_episode(tmp_path / "nowhere")


def test_episodes_are_found_at_any_depth_in_order(tmp_path: Path) -> None:
    assert list_episodes(tmp_path) == []
    made = [write(tmp_path / name, steps=1) for name in ("b", "a/deep/er")]
    assert list_episodes(tmp_path) == sorted(made)
    with pytest.raises(EpisodeFormatError, match="is not a folder"):
        list_episodes(tmp_path / "nowhere")
