"""Mistakes get a sentence, a hint and an exit code; nobody gets a traceback unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from openvenus.cli._main import start

URL = ("--url", "about:blank")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("run", "x", *URL, "--bogus"), 2, "--bogus"),
        (("run", "x"), 2, "--url"),
        (("run",), 2, "instruction"),
        (("run", "", *URL), 2, "instruction is empty"),
        (("run", "x", *URL, "--max-steps", "0"), 2, "--max-steps"),
        (("run", "x", *URL, "--max-steps", "many"), 2, "--max-steps"),
        (("run", "x", *URL, "--timeout", "-1"), 2, "--timeout"),
        (("run", "x", *URL, "--pixel-ratio", "9"), 2, "--pixel-ratio"),
        (("run", "x", *URL, "--policy", "nope"), 2, "nope"),
        (("run", "x", *URL, "--policy", "endpoint"), 2, "--base-url"),
        (("run", "x", *URL, "--policy", "endpoint", "--base-url", "http://a/v1"), 2, "--model"),
        (("run", "x", *URL, "--base-url", "http://a/v1", "--model", "m"), 2, "--policy endpoint"),
        (("run", "x", *URL, "--policy", "endpoint", "--weights", "w.npz"), 2, "--weights"),
        (("run", "x", *URL, "--weights", "missing.npz"), 5, "missing.npz"),
        (("run", "x", "--url", "./missing.html"), 2, "missing.html"),
        (("bench", "nope"), 2, "no suite 'nope'"),
        (("bench", "miniwob", "--tasks", "click-tost"), 2, "click-test"),
        (("bench", "miniwob", "--tasks", ","), 2, "names no task"),
        (("bench", "miniwob", "--seeds", "0"), 2, "--seeds"),
        (("bench", "miniwob", "--clock", "none"), 2, "--clock"),
        (("replay", "missing"), 2, "missing"),
        (("nope",), 2, "nope"),
        (("train", "embedded", "--tasks", "click-tost"), 2, "click-tost"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_mistakes(
    arguments: tuple[str, ...],
    code: int,
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert start(arguments) == code
    out, err = capsys.readouterr()
    assert said in err
    assert "Traceback" not in err
    assert out == ""
    assert list(tmp_path.iterdir()) == []


def test_debug_shows_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert start(["run", "x", "--url", "./missing.html", "--debug"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_debug_may_be_said_to_the_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert start(["run", "--url", "./missing.html", "--", "--debug"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_mistake_of_ours_is_called_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("openvenus.tasks.load_suite", broken)
    assert start(["bench", "other"]) == 70
    err = capsys.readouterr().err
    assert "mistake in venus itself: ZeroDivisionError: oops" in err
    assert "--debug" in err and "Traceback" not in err


def test_a_full_disk_is_no_mistake_of_ours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(name: str) -> None:
        raise OSError(28, "No space left on device", "runs/x")

    monkeypatch.setattr("openvenus.tasks.load_suite", full)
    assert start(["bench", "other"]) == 74
    assert capsys.readouterr().err == "Error: runs/x: No space left on device\n"


def test_ctrl_c_outside_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("openvenus.tasks.load_suite", interrupted)
    assert start(["bench", "other"]) == 130
