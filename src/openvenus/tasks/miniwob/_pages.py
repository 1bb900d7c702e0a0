"""Where the pages are, and what has been measured about them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as package_version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from openvenus.errors import MissingDependency

_HINT = "pip install 'openvenus[miniwob]'"


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What `pages.json` says of the pages, by name."""

    reusable: frozenset[str] = frozenset()
    """Pages that start as if loaded anew after any episode in the same tab."""
    published_clock: dict[str, str] = field(default_factory=dict)
    """Pages that need their own time-out, with the reason."""
    beyond: dict[str, str] = field(default_factory=dict)
    """Pages that can't be solved with the actions of a web device, with the reason."""


@cache
def page_facts() -> PageFacts:
    """The facts that ship with this package."""
    raw = json.loads((files(__package__) / "pages.json").read_text(encoding="utf-8"))
    return PageFacts(
        reusable=frozenset(raw["reusable"]),
        published_clock=dict(raw["published_clock"]),
        beyond=dict(raw["beyond"]),
    )


@cache
def find_pages() -> dict[str, Path]:
    """All pages by name, sorted; the `miniwob` package is found, not imported.

    Its four flight pages are left out: from disk they only work in a browser that lets every
    local file read every other one.

    Raises:
        MissingDependency: the package, or its pages, are not there.
    """
    spec = find_spec("miniwob")
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise MissingDependency("the MiniWoB++ pages are not installed", hint=_HINT)
    folder = Path(places[0]) / "html" / "miniwob"
    pages = sorted(folder.glob("*.html"), key=lambda page: page.stem)
    found = {page.stem: page.resolve() for page in pages}
    if not found:
        raise MissingDependency(
            f"the `miniwob` package has no pages in {folder}", hint=f"{_HINT} --force-reinstall"
        )
    return found


def pages_version() -> str:
    """Version of the `miniwob` package, or an empty string when it has none."""
    try:
        return package_version("miniwob")
    except PackageNotFoundError:
        return ""
