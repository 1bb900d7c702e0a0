"""The person beside the loop: asked in a way that can be given up at any time."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable

Ask = Callable[[str], "str | Awaitable[str | None] | None"]
"""Puts a question to the person; returns the answer, or None when there is none.

A plain function runs in a thread of its own, so it may block (on a terminal, say).
"""


async def ask_person(ask: Ask, question: str) -> str | None:
    """The person's answer.

    Cancelling it leaves a blocked plain function behind in a daemon thread, which can't keep
    the process from ending.
    """
    if inspect.iscoroutinefunction(ask) or inspect.iscoroutinefunction(
        getattr(ask, "__call__", None)  # noqa: B004  (an object with an async call)
    ):
        answer = ask(question)
        assert inspect.isawaitable(answer)
        return await answer
    loop = asyncio.get_running_loop()
    done: asyncio.Future[str | Awaitable[str | None] | None] = loop.create_future()

    def settle(value: str | Awaitable[str | None] | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(value)

    def work() -> None:
        value: str | Awaitable[str | None] | None = None
        error: BaseException | None = None
        try:
            value = ask(question)
        except Exception as e:
            error = e
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=work, name="venus-ask", daemon=True).start()
    answer = await done
    return await answer if inspect.isawaitable(answer) else answer
