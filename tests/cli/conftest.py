"""What the command's tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.venus import Venus

PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>Door</title>
<h1>Door</h1><button onclick="this.textContent = 'Opened'">Open</button>
<input placeholder="Name">
"""


@pytest.fixture
def venus(tmp_path: Path) -> Iterator[Venus]:
    """The command, in a folder with `page.html`."""
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    command = Venus(tmp_path)
    yield command
    command.close()
