"""`venus doctor`."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from openvenus.cli import _checks
from openvenus.cli._main import start


def findings(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = start(["doctor", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert said["ok"] is (code == 0)
    return code, {check["name"]: check for check in said["checks"]}


def test_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    code, checks = findings(capsys)
    assert code in (0, 4)
    for name in ("python", "playwright", "chromium", "page", "miniwob", "disk"):
        assert checks[name]["status"] == "ok", checks[name]
    assert "130 pages" in checks["miniwob"]["detail"]
    assert {"fonts", "emoji", "openai", "torch", "embedded policy"} <= set(checks)
    for check in checks.values():
        assert check["status"] == "ok" or check["fix"]


def test_no_browser(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENVENUS_CHROMIUM", "/no/such/browser")
    code, checks = findings(capsys)
    assert code == 4
    assert checks["chromium"]["status"] == "missing"
    assert "page" not in checks


def test_a_browser_that_does_not_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("OPENVENUS_CHROMIUM", str(broken))
    assert start(["doctor"]) == 4
    out = capsys.readouterr().out
    assert f"PROBLEM  chromium         {broken}" in out
    assert out.endswith("Something needed is missing.\n")


def test_missing_packages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = {"torch", "openai"}
    monkeypatch.setattr(
        _checks, "find_spec", lambda name: None if name in gone else find_spec(name)
    )
    _, checks = findings(capsys)
    for name, extra in (("torch", "learn"), ("openai", "endpoint")):
        assert checks[name]["status"] == "missing"
        assert checks[name]["required"] is False
        assert checks[name]["fix"] == f"pip install 'openvenus[{extra}]'"


def test_fonts_are_told_apart() -> None:
    scripts = {"latin": True, "chinese": False, "japanese": False, "korean": True}
    fonts, emoji = _checks._fonts({**scripts, "emoji": False})
    assert (fonts.status, fonts.detail) == ("missing", "no signs for: chinese, japanese")
    assert "fonts-noto-cjk" in fonts.fix and fonts.passed
    assert (emoji.status, emoji.passed) == ("missing", True)
    assert "fonts-noto-color-emoji" in emoji.fix
    (fonts, _) = _checks._fonts({**scripts, "latin": False, "emoji": True})
    assert not fonts.passed
