"""The scripts that run in pages, as one source that installs itself once per document."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

MISSING = "openvenus-missing"
"""What a call gives in a document that the scripts are not in yet."""
KEY = 'globalThis[Symbol.for("openvenus.device")]'


@cache
def install_script() -> str:
    """Source that installs base.js and walk.js in a document; harmless when done twice."""
    folder = files(__package__)
    base = _body(folder.joinpath("base.js").read_text(encoding="utf-8"))
    walk = _body(folder.joinpath("walk.js").read_text(encoding="utf-8"))
    return f"({base})();\nif (!{KEY}.walk) {KEY}.walk = ({walk})({KEY});"


@cache
def call_script(name: str) -> str:
    """A function that calls one entry with one argument; gives MISSING where none is installed.

    It is short on purpose: it is sent with every call.
    """
    return f"(order) => {{ const v = {KEY}; return v && v.walk ? v.{name}(order) : '{MISSING}'; }}"


def _body(source: str) -> str:
    lines = source.strip().splitlines()
    return "\n".join(line for line in lines if not line.startswith("//"))
