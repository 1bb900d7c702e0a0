"""Talking to the endpoint: retries, formats, and a key that nobody gets to see."""

from __future__ import annotations

import asyncio
import logging
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from openvenus.errors import PolicyFault

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_log = logging.getLogger(__name__)
_RETRIED = frozenset({408, 409, 429})
_LONGEST_PAUSE = 8.0
_LONGEST_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong with one try, in words that are free of the key."""

    message: str
    status: int | None = None
    """HTTP status, or None when there was no answer."""
    retry_after: float | None = None
    """Seconds that the server asked to wait."""

    @property
    def passing(self) -> bool:
        """Whether another try may succeed."""
        return self.status is None or self.status in _RETRIED or self.status >= 500


class Client:
    """The official client on one event loop, without its own retries.

    Args:
        base_url: address of the API, as `https://host/v1`.
        key: the key, or an empty string for a server that needs none.
    """

    def __init__(self, base_url: str, key: str) -> None:
        self.base_url = base_url
        self._key = key
        self._client: AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def safe(self, text: str) -> str:
        """The text without the key, wherever it came from."""
        return text.replace(self._key, "[key]") if self._key else text

    async def send(self, request: dict[str, Any]) -> Any | Trouble:
        """One try. Returns the completion, or what went wrong."""
        import openai

        client = self._open()
        try:
            completion = await client.chat.completions.create(**request)
        except openai.APIStatusError as e:
            return Trouble(
                self._short(f"HTTP {e.status_code}: {_said(e)}"), e.status_code, _after(e)
            )
        except openai.APIConnectionError as e:
            cause = e.__cause__
            return Trouble(self._short(f"{e}: {cause}" if cause and str(cause) else str(e)))
        except (openai.OpenAIError, ValueError) as e:
            return Trouble(self._short(f"not an answer of this protocol: {e}"), 200)
        if not hasattr(completion, "choices"):
            # The library hands a page of HTML through as a text.
            return Trouble("not an answer of this protocol (is the base URL right?)", 200)
        return completion

    async def close(self) -> None:
        """Close the connections. Never raises."""
        client, self._client = self._client, None
        if client is None or self._loop is not asyncio.get_running_loop():
            return
        try:
            await client.close()
        except (OSError, RuntimeError) as e:
            _log.debug("closing the endpoint's connections failed: %s", self.safe(str(e)))

    def _open(self) -> AsyncOpenAI:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            from openai import AsyncOpenAI

            # The library looks for a key in the environment when it is given none; a key meant
            # for another server must not go to this one.
            self._client = AsyncOpenAI(
                base_url=self.base_url, api_key=self._key or "none", max_retries=0, timeout=None
            )
            self._loop = loop
        return self._client

    def _short(self, text: str) -> str:
        text = " ".join(self.safe(text).split())
        return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."


@dataclass(slots=True)
class Attempts:
    """The tries for one decision."""

    retries: int
    first_pause: float
    made: int = 0
    last: str = ""

    async def again(self, trouble: Trouble) -> bool:
        """Take note of a failed try; pauses and returns True when another one is due."""
        self.made += 1
        self.last = trouble.message
        if not trouble.passing or self.made > self.retries:
            return False
        pause = min(_LONGEST_PAUSE, self.first_pause * 2 ** (self.made - 1))
        # Spread, so that many agents don't come back all at once.
        pause *= 0.75 + 0.5 * random.random()
        if trouble.retry_after is not None:
            pause = max(pause, trouble.retry_after)
        _log.info("trying again in %.1f s: %s", pause, trouble.message)
        await asyncio.sleep(pause)
        return True


def _said(error: Any) -> str:
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str) and message:
            return message
    return str(error.message)


def _after(error: Any) -> float | None:
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def no_answer(model: str, base_url: str, attempts: Attempts, status: int | None) -> PolicyFault:
    """The error for a server that did not answer after all tries."""
    hint = {
        401: "check the API key",
        403: "check that the key may use this model",
        404: "check the base URL (it usually ends in /v1) and the model's name",
        429: "the server is overloaded or the quota is used up",
    }.get(status or 0, "check that the server is up and speaks the chat-completions protocol")
    return PolicyFault(
        f"{model} at {base_url} gave no answer (tries: {attempts.made}): {attempts.last}",
        hint=hint,
    )
