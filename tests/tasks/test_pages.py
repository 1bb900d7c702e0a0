"""Finding the pages, and what is said about them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from importlib.machinery import ModuleSpec

import pytest

from openvenus.errors import MissingDependency
from openvenus.tasks.miniwob import find_pages, page_facts


def test_facts_are_about_pages_that_exist() -> None:
    facts, pages = page_facts(), find_pages()
    for names in (facts.reusable, facts.published_clock, facts.beyond):
        assert set(names) <= set(pages)
    assert all(facts.beyond.values()) and all(facts.published_clock.values())
    assert not facts.reusable & {"simon-says", "moving-items", "navigate-tree"}


def test_pages_called_hopeless_are() -> None:
    for name in page_facts().beyond:
        assert "endEpisode" not in find_pages()[name].read_text(encoding="utf-8")


def test_pages_that_keep_their_time_out_have_no_other_end() -> None:
    for name in page_facts().published_clock:
        assert "endEpisode" not in find_pages()[name].read_text(encoding="utf-8")


@pytest.mark.parametrize("spec", [None, ModuleSpec("miniwob", None)])
def test_a_missing_package_is_told(
    monkeypatch: pytest.MonkeyPatch, spec: ModuleSpec | None
) -> None:
    monkeypatch.setattr("openvenus.tasks.miniwob._pages.find_spec", lambda name: spec)
    find_pages.cache_clear()
    try:
        with pytest.raises(MissingDependency) as e:
            find_pages()
    finally:
        find_pages.cache_clear()
    assert e.value.hint == "pip install 'openvenus[miniwob]'"


def test_the_package_is_found_without_importing_it() -> None:
    code = (
        "import sys; from openvenus.tasks.miniwob import find_pages; find_pages();"
        "print([m for m in ('miniwob', 'gymnasium', 'selenium', 'playwright') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert importlib.util.find_spec("miniwob") is not None
