"""Ctrl-C and SIGTERM: once lets everything end in order, twice ends at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(Exception):
    """A signal ended the work; everything was closed in order."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number

    @property
    def exit_code(self) -> int:
        """As shells give it: 130 for Ctrl-C, 143 for SIGTERM."""
        return 128 + self.number


def run_interruptible(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on a loop of its own.

    The first signal cancels it, and this waits until it has cleaned up. A second one ends the
    process at once: the pipe to the browser's driver closes with it, and that ends the browser.

    Raises:
        Interrupted: a signal came before the end.
    """
    return asyncio.run(_guarded(work))


async def _guarded(work: Coroutine[Any, Any, T]) -> T:
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    received: list[int] = []

    def on_signal(number: int) -> None:
        received.append(number)
        if len(received) > 1:
            os._exit(128 + number)
        print("\nStopping and closing the browser...", file=sys.stderr, flush=True)
        task.cancel()

    for number in _SIGNALS:
        loop.add_signal_handler(number, on_signal, number)
    try:
        return await task
    except asyncio.CancelledError:
        if received:
            raise Interrupted(received[0]) from None
        raise
    finally:
        # During the loop's own shutdown a signal shall still end the process.
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
