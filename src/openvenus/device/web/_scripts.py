"""The scripts that run in pages, as one source that installs itself once per document."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

MISSING = "openvenus-missing"
"""What a call gives in a document that the scripts are not in yet."""
SYMBOL = 'Symbol.for("openvenus.device")'
KEY = f"globalThis[{SYMBOL}]"


@cache
def install_script() -> str:
    """Source that installs the three scripts in a document; harmless when done twice."""
    folder = files(__package__)
    base, reach, walk = (
        _body(folder.joinpath(name).read_text(encoding="utf-8"))
        for name in ("base.js", "reach.js", "walk.js")
    )
    return f"({base})();\nif (!{KEY}.walk) {{ ({reach})({KEY}); {KEY}.walk = ({walk})({KEY}); }}"


@cache
def call_script(name: str) -> str:
    """A function that calls one entry with one argument; gives MISSING where none is installed.

    It is short on purpose: it is sent with every call.
    """
    return f"(order) => {{ const v = {KEY}; return v && v.walk ? v.{name}(order) : '{MISSING}'; }}"


@cache
def holder_script() -> str:
    """A function of the element that holds a frame: its name, and how many windows further out
    the outermost one is that may be looked into from there."""
    return (
        "(e) => { let w = e.ownerDocument.defaultView, hops = 0; while (w !== w.parent) {"
        " try { if (!w.parent.document) break; } catch { break; } w = w.parent; hops++; }"
        f" const v = w[{SYMBOL}]; return v && v.walk ? {{ id: v.id(e), hops }} : null; }}"
    )


def _body(source: str) -> str:
    lines = source.strip().splitlines()
    return "\n".join(line for line in lines if not line.startswith("//"))
