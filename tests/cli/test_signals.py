"""A run that is told to stop closes its browser, finishes its record and leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

from openvenus.episode import list_episodes, read_episode
from tests.cli.venus import Venus, endpoint, model_server, wait_for_line


def _end(process: subprocess.Popen[str]) -> tuple[str, str]:
    try:
        return process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


@pytest.mark.parametrize(
    ("number", "whole_group", "code"),
    [(signal.SIGINT, True, 130), (signal.SIGINT, False, 130), (signal.SIGTERM, False, 143)],
    ids=["ctrl-c", "sigint", "sigterm"],
)
def test_a_run_ends_in_order(
    venus: Venus, number: signal.Signals, whole_group: bool, code: int
) -> None:
    with model_server(None) as url:
        process = venus.start("run", "Open it", "--url", "page.html", *endpoint(url), "--json")
        wait_for_line(process, "endpoint:m on file:")
        if whole_group:  # what a terminal does: the browser's driver gets it too
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        out, err = _end(process)
    assert process.returncode == code, err
    assert '"outcome": "cancelled"' in out
    assert "Traceback" not in err
    assert venus.left_behind() == []
    (path,) = list_episodes(venus.folder / "runs")
    episode = read_episode(path)
    assert episode.outcome == "cancelled"
    assert episode.task.instruction == "Open it"


def test_a_second_signal_ends_at_once(venus: Venus) -> None:
    with model_server(None) as url:
        process = venus.start("run", "Open it", "--url", "page.html", *endpoint(url))
        wait_for_line(process, "endpoint:m on file:")
        os.killpg(process.pid, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        _end(process)
    assert time.monotonic() - started < 10
    assert process.returncode == 130
    assert venus.left_behind() == []


def test_a_killed_run_leaves_no_browser_and_a_readable_record(venus: Venus) -> None:
    with model_server(None) as url:
        process = venus.start("run", "Open it", "--url", "page.html", *endpoint(url))
        wait_for_line(process, "endpoint:m on file:")
        process.kill()
        _end(process)
    assert venus.left_behind() == []
    (path,) = list_episodes(venus.folder / "runs")
    assert read_episode(path).outcome is None


def test_a_benchmark_ends_in_order_and_says_how_to_go_on(venus: Venus) -> None:
    with model_server(None) as url:
        process = venus.start(
            "bench", "miniwob", "--tasks", "click-test", "--seeds", "4", "--workers", "2",
            "--out", "b", *endpoint(url),
        )  # fmt: skip
        wait_for_line(process, "miniwob: 4 episodes")
        time.sleep(1.5)
        os.killpg(process.pid, signal.SIGINT)
        _, err = _end(process)
    assert process.returncode == 130
    assert "--out b" in err
    assert "Traceback" not in err
    assert venus.left_behind() == []
