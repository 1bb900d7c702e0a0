"""What people type for an address, as a URL."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from openvenus.errors import UsageError

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*):(.*)$", re.DOTALL)
_LOCAL = re.compile(r"^(localhost|127(\.\d+){3}|\[::1\])([:/?#]|$)", re.IGNORECASE)
_SCHEMES = frozenset({"http", "https", "file", "about", "data"})


def to_url(address: str) -> str:
    """A URL that a browser can open.

    An existing file becomes a `file:` URL. An address without a scheme gets `https://`, or
    `http://` when it is on this machine.

    Raises:
        UsageError: it is empty, names a missing file, or can't be a URL.
    """
    text = address.strip()
    if not text:
        raise UsageError("the URL is empty", hint="as in: --url https://example.org")
    if _as_path(text).exists():
        return _as_path(text).resolve().as_uri()
    if text.startswith(("/", "./", "../", "~")):
        raise UsageError(f"there is no file {text}", hint="a web address starts with its host")
    parts = _SCHEME.match(text)
    if parts is None or re.match(r"^\d+([/?#]|$)", parts[2]):  # host:port
        text = f"{'http' if _LOCAL.match(text) else 'https'}://{text}"
    elif parts[1].lower() not in _SCHEMES:
        raise UsageError(
            f"addresses that start with {parts[1]}: can't be opened",
            hint=f"these can: {', '.join(sorted(_SCHEMES))}",
        )
    elif parts[1].lower() in {"about", "data", "file"}:
        return text
    return _checked(text)


def _as_path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:  # there is no such user
        return Path(text)


def _checked(url: str) -> str:
    try:
        split = urlsplit(url)
        port_is_good = split.port is None or split.port > 0
    except ValueError as e:
        raise UsageError(f"'{url}' is not a URL: {e}", hint="as in: https://example.org") from e
    if not split.hostname or not port_is_good or re.search(r"\s", split.netloc):
        raise UsageError(f"'{url}' is not a URL", hint="as in: https://example.org")
    return url
