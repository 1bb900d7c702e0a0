"""`venus bench` and `venus demo` with a real browser and a policy that has learned nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from openvenus.cli import _demo
from openvenus.cli._main import start


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bench(weights: Path, *flags: str) -> int:
    return start(["bench", "miniwob", "--weights", str(weights), "--max-steps", "2", *flags])


def test_what_machines_read(weights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--tasks", "click-test,click-button", "--seeds", "2", "--seed-offset", "5",
             "--workers", "2", "--out", "b")  # fmt: skip
    assert bench(weights, *flags, "--json") == 0
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert said["suite"] == "miniwob"
    assert said["policy"] == "embedded:random"
    assert said["episodes"] == 4
    assert 0 <= said["interval"][0] <= said["success"] <= said["interval"][1] <= 1
    assert {n: t["episodes"] for n, t in said["tasks"].items()} == {
        "click-test": 2, "click-button": 2
    }  # fmt: skip
    assert sum(said["causes"].values()) == round(4 * (1 - said["success"]))
    assert said["steps_per_second"] > 0 and said["episodes_per_second"] > 0
    assert "miniwob: 4 episodes" in err
    assert "4/4 episodes" in err
    report = json.loads(Path("b/report.json").read_text(encoding="utf-8"))
    assert report["success"] == said["success"]
    lines = Path("b/results.jsonl").read_text(encoding="utf-8").splitlines()
    results = [json.loads(line) for line in lines]
    assert {r["seed"] for r in results} == {5, 6}

    assert bench(weights, *flags) == 0
    out, err = capsys.readouterr()
    assert "4 of them are there already" in err
    assert re.search(r"click-test +2 ", out)
    assert len(Path("b/results.jsonl").read_text(encoding="utf-8").splitlines()) == 4

    assert bench(weights, *flags, "--clock", "published") == 2
    assert "clock: 'lifted' there, 'published' now" in capsys.readouterr().err


def test_replays_of_recorded_episodes(weights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(weights, "--tasks", "click-test", "--seeds", "1", "--record", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["out"].startswith("runs/bench-miniwob-")
    index = Path(said["replays"])
    (link,) = re.findall(r'href="([^"]+)"', index.read_text(encoding="utf-8"))
    assert "Click the button." in (index.parent / link).read_text(encoding="utf-8")


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert start(["bench", "miniwob", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 130
    assert "click-test" in lines
    assert any(line.startswith("hover-shape  (can't be solved: ") for line in lines)


def test_demo(
    weights: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(_demo.TASKS) >= 10
    monkeypatch.setattr(_demo, "TASKS", ("click-test", "enter-text"))
    code = start(["demo", "--weights", str(weights), "--no-open", "--out", "d"])
    out, err = capsys.readouterr()
    report = json.loads(Path("d/report.json").read_text(encoding="utf-8"))
    assert code == (0 if report["success"] > 0 else 1)
    assert report["episodes"] == 2
    assert "click-test  " in err and "enter-text  " in err
    pages = re.findall(r"^replay: (.+)$", out, re.MULTILINE)
    assert len(pages) == 2 and all(Path(p).is_file() for p in pages)
    assert "all of them: d/replays/index.html" in out
