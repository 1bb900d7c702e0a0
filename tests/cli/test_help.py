"""Help teaches, and comes quickly."""

from __future__ import annotations

import subprocess
import sys

import pytest

import openvenus
from openvenus.cli._main import start


@pytest.mark.parametrize("command", ["run", "bench", "replay", "demo", "doctor", "train embedded"])
def test_every_command_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert start([*command.split(), "--help"]) == 0
    assert f"Example: venus {command}" in " ".join(capsys.readouterr().out.split())


def test_the_first_page_leads_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert start(["-h"]) == 0
    out = capsys.readouterr().out
    for word in ("venus demo", "venus doctor", "run", "bench", "replay", "train"):
        assert word in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert start(["--version"]) == 0
    assert capsys.readouterr().out == f"venus {openvenus.__version__}\n"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from openvenus.cli._main import start; start(['run', '--help']);"
        "print([m for m in ('playwright', 'torch', 'openai', 'miniwob', 'numpy', 'PIL')"
        " if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
