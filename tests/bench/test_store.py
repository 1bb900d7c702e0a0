"""Results on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openvenus.bench import Result, ResultStore
from openvenus.errors import EpisodeFormatError, UsageError

SETTINGS = {"suite": "miniwob", "policy": "p", "max_steps": 30}
ONE = Result("click-test", 0, True, "", "environment_done", raw_reward=1.0, steps=1)
TWO = Result("enter-text", 4, False, "stuck", "stuck", instruction='Enter "Zoë"')


def test_results_are_there_again(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "a" / "b", SETTINGS) as store:
        store.add(ONE)
        store.add(TWO)
    with ResultStore(tmp_path / "a" / "b", SETTINGS) as store:
        assert store.results == [ONE, TWO]


def test_a_result_is_on_disk_at_once(tmp_path: Path) -> None:
    with ResultStore(tmp_path, SETTINGS) as store:
        store.add(TWO)
        (line,) = (tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert Result.from_dict(json.loads(line)) == TWO


def test_other_settings_are_refused(tmp_path: Path) -> None:
    ResultStore(tmp_path, SETTINGS).close()
    with pytest.raises(UsageError, match="max_steps: 30 there, 8 now"):
        ResultStore(tmp_path, SETTINGS | {"max_steps": 8})
    with pytest.raises(UsageError, match="clock: None there, 'lifted' now"):
        ResultStore(tmp_path, SETTINGS | {"clock": "lifted"})
    ResultStore(tmp_path, SETTINGS).close()


def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path) -> None:
    with ResultStore(tmp_path, SETTINGS) as store:
        store.add(ONE)
    with (tmp_path / "results.jsonl").open("a") as f:
        f.write('{"task": "enter-te')
    with ResultStore(tmp_path, SETTINGS) as store:
        assert store.results == [ONE]
        store.add(TWO)
    with ResultStore(tmp_path, SETTINGS) as store:
        assert store.results == [ONE, TWO]


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"task": "x"}', '{"other": 1}'])
def test_damage_is_told_with_its_place(tmp_path: Path, line: str) -> None:
    with ResultStore(tmp_path, SETTINGS) as store:
        store.add(ONE)
    with (tmp_path / "results.jsonl").open("a") as f:
        f.write(line + "\n")
    with pytest.raises(EpisodeFormatError, match="line 2"):
        ResultStore(tmp_path, SETTINGS)


def test_one_run_at_a_time(tmp_path: Path) -> None:
    with ResultStore(tmp_path, SETTINGS), pytest.raises(UsageError, match="another run"):
        ResultStore(tmp_path, SETTINGS)


def test_folders_that_are_no_use(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="can't be kept"):
        ResultStore(tmp_path / "file", SETTINGS)
    (tmp_path / "results.jsonl").write_text("{}\n")
    with pytest.raises(UsageError, match=r"no settings\.json"):
        ResultStore(tmp_path, SETTINGS)


def test_damaged_settings_are_told(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{")
    with pytest.raises(EpisodeFormatError, match=r"settings\.json"):
        ResultStore(tmp_path, SETTINGS)
