"""Finding a Chromium: what is asked for, what is on the PATH, what is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from openvenus.device.web import Browser, find_chromium
from openvenus.errors import MissingDependency


def program(path: Path, text: str = "#!/bin/sh\nexit 0\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser; the folder is all of its PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENVENUS_CHROMIUM", raising=False)
    monkeypatch.setattr("openvenus.device.web._find._MAC_APPS", ())
    return folder


def test_without_any_browser_the_error_says_how_to_get_one(bare: Path) -> None:
    with pytest.raises(MissingDependency) as caught:
        find_chromium()
    assert "install" in (caught.value.hint or "")


def test_the_one_on_the_path_is_found(bare: Path) -> None:
    there = program(bare / "google-chrome")
    assert find_chromium() == there


def test_one_that_is_asked_for_goes_first(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(bare / "chromium")
    mine, wanted = program(tmp_path / "mine"), program(tmp_path / "wanted")
    monkeypatch.setenv("OPENVENUS_CHROMIUM", str(mine))
    assert find_chromium() == mine
    assert find_chromium(str(wanted)) == wanted


def test_one_that_is_asked_for_and_missing_is_not_replaced_by_another(
    bare: Path, tmp_path: Path
) -> None:
    program(bare / "chromium")
    with pytest.raises(MissingDependency, match="nowhere"):
        find_chromium(str(tmp_path / "nowhere"))


def test_playwrights_own_download_is_found_the_newest_first(bare: Path, tmp_path: Path) -> None:
    program(tmp_path / "cache/chromium-1000/chrome-linux/chrome")
    newest = program(tmp_path / "cache/chromium-1001/chrome-linux/chrome")
    assert find_chromium() == newest


@pytest.mark.parametrize("form", ["link", "stub"])
def test_snaps_are_passed_over(bare: Path, tmp_path: Path, form: str) -> None:
    if form == "link":
        (bare / "chromium").symlink_to(program(tmp_path / "snap" / "bin" / "chromium"))
    else:
        stub = "#!/bin/sh\nexec /snap/bin/chromium\n"
        program(bare / "chromium", stub)
    with pytest.raises(MissingDependency):
        find_chromium()
    chrome = program(bare / "google-chrome")
    assert find_chromium() == chrome


async def test_a_driver_that_ends_at_once_is_told_as_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/bin/false")
    with pytest.raises(MissingDependency, match="driver"):
        await Browser.launch()
