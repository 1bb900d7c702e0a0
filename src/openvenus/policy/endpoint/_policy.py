"""A model behind an OpenAI-compatible endpoint as a policy."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import time
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from openvenus.episode import Decision, ParseFailure, Usage
from openvenus.errors import MissingDependency, PolicyFault, UsageError
from openvenus.policy import Situation
from openvenus.policy.endpoint._client import Attempts, Client, Trouble, no_answer
from openvenus.policy.endpoint._image import data_url
from openvenus.policy.endpoint._language import answer_schema
from openvenus.policy.endpoint._parse import parse_answer
from openvenus.policy.endpoint._prompt import system_text, user_text

_FORMATS = ("json_schema", "json_object", "text")
"""Ways to ask for JSON, from the most binding to none; a server that refuses one gets the next."""
_REFUSED = frozenset({400, 404, 415, 422, 501})
"""Statuses with which servers refuse a `response_format` that they don't know."""
_RAW = 100_000
"""Characters kept of an answer."""


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """How a model is asked."""

    image: bool = True
    """Show the screenshot, where the device gives one."""
    long_edge: int | None = 1600
    """Greatest width or height of the screenshot in pixels; None sends it as it is."""
    elements: int = 200
    """Most elements listed; 0 lists none."""
    steps: int = 16
    """Most earlier steps told."""
    sequences: bool = False
    """Whether the model may decide several actions at once."""
    deadline: float = 50.0
    """Seconds for one decision, retries included; below a step's own 60, so that it can say why."""
    retries: int = 4
    """Tries after the first, for answers like 429 and 5xx and for broken connections."""
    first_pause: float = 0.5
    """Seconds before the first retry; doubled for each further one, up to 8."""
    temperature: float | None = None
    """None leaves it to the server."""
    max_tokens: int = 4_096
    extra_body: dict[str, Any] = field(default_factory=dict)
    """Sent along with each request, for what a server wants beyond the protocol."""


class EndpointPolicy:
    """Asks a chat-completions endpoint for one JSON object per decision.

    Args:
        base_url: as `https://host/v1`; without user name or password.
        model: name the server knows it by.
        api_key: the key itself. It is never written, logged or shown.
        api_key_env: environment variable that holds the key when `api_key` is None.

    Raises:
        UsageError: the URL can't be used, or the named variable is not set.
        MissingDependency: the `openai` package is not installed.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        api_key_env: str | None = None,
        options: EndpointOptions | None = None,
    ) -> None:
        if importlib.util.find_spec("openai") is None:
            raise MissingDependency(
                "the endpoint policy needs the openai package",
                hint="pip install 'openvenus[endpoint]'",
            )
        self._model = model
        self._options = options or EndpointOptions()
        self._client = Client(_checked(base_url), _key(api_key, api_key_env))
        self._format = 0
        self._length_name = "max_tokens"

    def __repr__(self) -> str:
        return f"EndpointPolicy({self._client.base_url!r}, {self._model!r})"

    @property
    def name(self) -> str:
        """As `endpoint:model-name`."""
        return f"endpoint:{self._model}"

    async def propose(self, situation: Situation) -> Decision | ParseFailure:
        """The model's next decision.

        Raises:
            PolicyFault: no answer within the deadline, or the server refused for good.
        """
        begun = time.perf_counter()
        attempts = Attempts(self._options.retries, self._options.first_pause)
        failed: PolicyFault | None = None
        try:
            async with asyncio.timeout(self._options.deadline):
                completion = await self._ask(
                    await self._request(situation), self._actions(situation), attempts
                )
        except TimeoutError:
            last = f"; the last try said: {attempts.last}" if attempts.last else ""
            failed = PolicyFault(
                f"{self._model} at {self._client.base_url} gave no answer within "
                f"{self._options.deadline:g} s{last}",
                hint="check that the server is up, or allow more time",
            )
        if failed is not None:
            # Outside of the handler: what the library raised may hold the key.
            raise failed
        return self._read(completion, situation, time.perf_counter() - begun)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _request(self, situation: Situation) -> dict[str, Any]:
        o = self._options
        frame = situation.observation.frame
        url = await asyncio.to_thread(data_url, frame, o.long_edge) if o.image else None
        text = user_text(situation, elements=o.elements, steps=o.steps)
        content: Any = text
        if url is not None:
            content = [
                {"type": "text", "text": text},
                {"type": "image_url", "image_url": {"url": url}},
            ]
        system = system_text(
            self._actions(situation), image=url is not None, elements=o.elements > 0
        )
        request: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": content},
            ],
        }
        if o.temperature is not None:
            request["temperature"] = o.temperature
        if o.extra_body:
            request["extra_body"] = o.extra_body
        return request

    def _actions(self, situation: Situation) -> frozenset[str]:
        extra = {"sequence"} if self._options.sequences else set()
        return (situation.actions - {"sequence"}) | extra

    async def _ask(
        self, request: dict[str, Any], actions: frozenset[str], attempts: Attempts
    ) -> Any:
        form = self._format
        while True:
            result = await self._client.send(
                {**request, **_format(_FORMATS[form], actions), **self._length()}
            )
            if not isinstance(result, Trouble):
                # Kept only now: the refusal may have had another reason.
                self._format = form
                return result
            if result.status == 400 and self._other_length(result.message):
                continue
            if result.status in _REFUSED and form + 1 < len(_FORMATS):
                form += 1
                continue
            if not await attempts.again(result):
                raise no_answer(self._model, self._client.base_url, attempts, result.status)

    def _length(self) -> dict[str, int]:
        return {self._length_name: self._options.max_tokens}

    def _other_length(self, message: str) -> bool:
        """Take the newer name of the length limit where the server asks for it."""
        if self._length_name == "max_tokens" and "max_completion_tokens" in message:
            self._length_name = "max_completion_tokens"
            return True
        return False

    def _read(
        self, completion: Any, situation: Situation, seconds: float
    ) -> Decision | ParseFailure:
        usage = _usage(completion)
        text, missing = _content(completion)
        text = self._client.safe(text)
        if not _whole(text):
            text = text.encode("utf-8", "backslashreplace").decode()
            missing = "it has half a character (a lone surrogate)"
        result = (
            ParseFailure(missing, raw=text)
            if missing
            else parse_answer(text, situation.observation.elements)
        )
        if isinstance(result, Decision):
            refused = self._not_offered(result, situation)
            result = ParseFailure(refused, raw=text) if refused else result
        return replace(result, raw=text[:_RAW], usage=usage, seconds=seconds)

    def _not_offered(self, decision: Decision, situation: Situation) -> str:
        if decision.action.type == "sequence" and not self._options.sequences:
            return "a sequence is not among the actions; decide one action at a time"
        return ""


def _format(form: str, actions: frozenset[str]) -> dict[str, Any]:
    if form == "json_schema":
        schema = {"name": "decision", "schema": answer_schema(actions)}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    return {"response_format": {"type": "json_object"}} if form == "json_object" else {}


def _content(completion: Any) -> tuple[str, str]:
    """The text of an answer, and why it can't be read as one (or an empty string)."""
    choices = getattr(completion, "choices", None)
    if not choices:
        return "", "the server's answer has no choices"
    message = getattr(choices[0], "message", None)
    content = getattr(message, "content", None)
    if isinstance(content, list):
        texts = [p.get("text", "") for p in content if isinstance(p, dict)]
        content = "".join(t for t in texts if isinstance(t, str))
    if not isinstance(content, str) or not content:
        refusal = getattr(message, "refusal", None)
        said = f" (the model declined: {refusal})" if isinstance(refusal, str) else ""
        return "", f"the answer has no text{said}"
    if getattr(choices[0], "finish_reason", None) == "length":
        return content, "it was cut off because it is too long; be brief"
    return content, ""


def _whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _usage(completion: Any) -> Usage | None:
    usage = getattr(completion, "usage", None)
    counts = [getattr(usage, n, None) for n in ("prompt_tokens", "completion_tokens")]
    if not any(isinstance(c, int) for c in counts):
        return None
    return Usage(*(c if isinstance(c, int) else 0 for c in counts))


def _checked(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        fine = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        parts, fine = None, False
    if parts is None or not fine:
        raise UsageError(
            f"{base_url!r} is no address of an endpoint", hint="give it as https://host/v1"
        )
    if parts.username or parts.password:
        raise UsageError(
            "the endpoint's address must not hold a user name or password",
            hint="they would end up in logs; give a key instead",
        )
    return base_url


def _key(api_key: str | None, env: str | None) -> str:
    if api_key is None and env is None:
        return ""
    where = "the API key" if env is None or api_key is not None else f"the API key in {env}"
    key = (api_key if api_key is not None else os.environ.get(env or "", "")).strip()
    if not key and api_key is None:
        raise UsageError(f"the environment variable {env} holds no API key", hint=f"set {env}")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UsageError(
            f"{where} has characters that no key has", hint="copy it again, without spaces"
        )
    return key
