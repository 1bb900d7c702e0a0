"""`venus run` with a real browser and models that are servers of ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from openvenus.cli._main import start
from openvenus.episode import read_episode
from tests.cli.conftest import PAGE
from tests.cli.venus import endpoint, model_server


def answer(**action: Any) -> str:
    return json.dumps({"thought": "so", "action": action})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(answers: list[str], *flags: str) -> int:
    with model_server(answers) as url:
        return start(["run", "Open it", "--url", "page.html", *endpoint(url), *flags])


def test_done(capsys: pytest.CaptureFixture[str]) -> None:
    answers = [answer(type="wait", seconds=0.1), answer(type="finish", answer="It is a door.")]
    assert run(answers, "--json", "--out", "records") == 0
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert said["outcome"] == "claimed_done"
    assert said["steps"] == 2
    assert said["answer"] == "It is a door."
    assert "verdict" not in said
    path = Path(said["episode"])
    assert path.parent == Path("records")
    episode = read_episode(path)
    assert episode.policy == "endpoint:m"
    assert episode.task.instruction == "Open it"
    assert len(episode.steps) == 2
    assert "  1. wait seconds 0.1" in err
    assert '  2. finish "It is a door."' in err


def test_what_people_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([answer(type="finish", answer="42")]) == 0
    out, _ = capsys.readouterr()
    lines = dict(line.split(None, 1) for line in out.splitlines())
    assert lines["outcome"] == "claimed_done: the policy says that it is done"
    assert (lines["steps"], lines["answer"]) == ("1", "42")
    assert Path(lines["episode"]).is_dir()
    assert start(["replay", lines["episode"], "--out", "page-of-it.html"]) == 0
    assert "Open it" in Path("page-of-it.html").read_text(encoding="utf-8")
    assert capsys.readouterr().out.strip() == "page-of-it.html"


@pytest.mark.parametrize(
    ("answers", "flags", "outcome", "code"),
    [
        ([answer(type="refuse", reason="no")], (), "refused", 1),
        ([answer(type="ask_user", question="Which?")], (), "asked_user", 1),
        ([answer(type="finish", status="failure")], (), "claimed_done", 1),
        ([answer(type="wait", seconds=0.0)], ("--max-steps", "2"), "step_limit", 1),
        (["Sure! I have done it. {"], (), "invalid_output", 3),
    ],
)
def test_other_ends(
    answers: list[str],
    flags: tuple[str, ...],
    outcome: str,
    code: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(answers, "--json", *flags) == code
    assert json.loads(capsys.readouterr().out)["outcome"] == outcome


def test_a_policy_that_never_answers(capsys: pytest.CaptureFixture[str]) -> None:
    with model_server(None) as url:
        arguments = ["run", "x", "--url", "page.html", *endpoint(url), "--timeout", "2", "--json"]
        assert start(arguments) in (1, 5)
    assert json.loads(capsys.readouterr().out)["outcome"] in ("time_limit", "policy_fault")


@pytest.mark.parametrize("url", ["no-such-host.invalid", "http://127.0.0.1:1/"])
def test_a_page_that_is_not_there(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with model_server([answer(type="finish")]) as model:
        assert start(["run", "x", "--url", url, *endpoint(model), "--json"]) == 4
    said = json.loads(capsys.readouterr().out)
    assert said["outcome"] == "device_fault"
    assert "opening" in said["reason"]


def test_no_browser(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENVENUS_CHROMIUM", "/no/such/browser")
    assert run([answer(type="finish")]) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert "/no/such/browser" in err


def test_nowhere_to_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "file").write_text("x")
    assert run([answer(type="finish")], "--out", "file") == 2
    assert "can be recorded in file" in capsys.readouterr().err


def test_the_embedded_policy(weights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["run", "Press Open", "--url", "page.html", "--weights", str(weights)]
    assert start([*arguments, "--max-steps", "2", "--json"]) in (0, 1)
    said = json.loads(capsys.readouterr().out)
    assert said["outcome"] in ("claimed_done", "step_limit", "asked_user", "stuck")
    assert read_episode(Path(said["episode"])).policy == "embedded:random"
