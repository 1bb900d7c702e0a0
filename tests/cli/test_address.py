"""What people type for an address."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.cli._address import to_url
from openvenus.errors import UsageError


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("example.org", "https://example.org"),
        ("example.org/a b?q=ü", "https://example.org/a b?q=ü"),
        ("  https://example.org/x  ", "https://example.org/x"),
        ("HTTP://example.org", "HTTP://example.org"),
        ("example.org:8443/x", "https://example.org:8443/x"),
        ("localhost:3000/app", "http://localhost:3000/app"),
        ("localhost", "http://localhost"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("[::1]:8000/", "http://[::1]:8000/"),
        ("localhost.example.org", "https://localhost.example.org"),
        ("about:blank", "about:blank"),
        ("data:text/html,<p>x", "data:text/html,<p>x"),
        ("例え.jp", "https://例え.jp"),
    ],
)
def test_addresses(typed: str, url: str) -> None:
    assert to_url(typed) == url


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "a page.html"
    page.write_text("x")
    assert to_url(str(page)) == page.as_uri()
    monkeypatch.chdir(tmp_path)
    assert to_url("a page.html") == page.as_uri()
    assert to_url("./a page.html") == page.as_uri()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("./missing.html", "no file"),
        ("/no/such/file.html", "no file"),
        ("~nobody-of-that-name/x", "no file"),
        ("javascript:alert(1)", "javascript:"),
        ("ftp://example.org", "ftp:"),
        ("https://", "not a URL"),
        ("http://[::1", "not a URL"),
        ("two words", "not a URL"),
        ("example.org:99999", "not a URL"),
        ("https://:80/", "not a URL"),
    ],
)
def test_mistakes(typed: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as e:
        to_url(typed)
    assert e.value.hint


@given(st.text(max_size=40))
def test_anything_is_a_url_or_a_mistake(typed: str) -> None:
    try:
        url = to_url(typed)
    except UsageError:
        return
    assert ":" in url
    assert to_url(url) == url or url.startswith("file:")
