from __future__ import annotations

import json
import subprocess
import sys

import pytest

import openvenus

HEAVY = ["PIL", "miniwob", "numpy", "openai", "playwright", "pydantic", "rich", "torch", "typer"]


def loaded_by(statement: str) -> set[str]:
    """What of the heavy modules a fresh interpreter holds after a statement."""
    report = f"print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    code = f"{statement}\nimport json, sys\n{report}"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    return set(json.loads(done.stdout))


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_by("import openvenus") == set()


def test_the_heavy_list_can_be_noticed() -> None:
    assert loaded_by("import numpy") == {"numpy"}


def test_every_room_loads_the_rest_when_it_is_used() -> None:
    names = [
        "action",
        "screen",
        "episode",
        "device.web",
        "policy.endpoint",
        "agent",
        "tasks",
        "cli",
    ]
    rooms = ", ".join(f"openvenus.{name}" for name in names)
    assert loaded_by(f"import {rooms}") == {"pydantic"}


@pytest.mark.parametrize("name", openvenus.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(openvenus, name) is not None
    assert name in dir(openvenus)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = openvenus.nonsense
