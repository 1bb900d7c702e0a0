"""Asking the browser: every call has a deadline, every failure is a `DeviceFault`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from openvenus.errors import DeviceFault, DeviceTimeout

T = TypeVar("T")

_NETWORK = {
    "ERR_NAME_NOT_RESOLVED": "no server of that name was found; check the address and the network",
    "ERR_INTERNET_DISCONNECTED": "this machine is not connected to a network",
    "ERR_CONNECTION_REFUSED": "the server refused the connection; is it running?",
    "ERR_CONNECTION_RESET": "the server broke the connection",
    "ERR_CONNECTION_TIMED_OUT": "the server did not answer",
    "ERR_CONNECTION_CLOSED": "the server closed the connection",
    "ERR_EMPTY_RESPONSE": "the server sent nothing",
    "ERR_ADDRESS_UNREACHABLE": "the server can't be reached from this network",
    "ERR_CERT": "the server's certificate is not valid",
    "ERR_SSL": "no secure connection could be made",
    "ERR_FILE_NOT_FOUND": "there is no such file",
    "ERR_INVALID_URL": "this is not a valid address",
    "Cannot navigate to invalid URL": "this is not a valid address",
    "ERR_UNSAFE_PORT": "browsers don't open this port",
    "ERR_UNKNOWN_URL_SCHEME": "the browser can't open this kind of address",
    "ERR_BLOCKED": "the browser blocked the request",
    "ERR_PROXY": "the proxy could not be used",
    "ERR_TUNNEL": "the proxy could not be used",
    "ERR_TOO_MANY_REDIRECTS": "the server redirects in circles",
}
_GONE = ("has been closed", "Target closed", "crashed", "Connection closed", "Browser closed")
_REPLACED = ("context was destroyed", "Cannot find context", "frame was detached", "navigat")


async def ask(call: Awaitable[T], seconds: float, what: str) -> T:
    """The answer of one call to the browser.

    Raises:
        DeviceTimeout: no answer within `seconds`.
        DeviceFault: the page or the browser is gone, or refused.
    """
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError:
        raise DeviceTimeout(
            f"the browser did not answer within {seconds:g} s ({what})",
            hint="the page may be stuck in a loop",
        ) from None
    except Error as e:
        raise fault(e, what) from e


def fault(error: Exception, what: str) -> DeviceFault:
    """A browser's error in words."""
    text = str(error).split("\nCall log:", maxsplit=1)[0].strip()
    for code, meaning in _NETWORK.items():
        if code in text:
            return DeviceFault(f"{what}: {meaning}", hint=text.splitlines()[0][:200])
    if any(sign in text for sign in _GONE):
        return DeviceFault(f"the page or the browser is gone ({what})", hint=text[:200])
    return DeviceFault(f"{what}: {text[:300]}")


def replaced(error: DeviceFault) -> bool:
    """Whether a call failed only because its document was replaced by another."""
    text = error.message + (error.hint or "")
    return any(sign in text for sign in _REPLACED) and not any(sign in text for sign in _GONE)
