from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
import time
import traceback
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from openvenus.action import Click, Finish, Point
from openvenus.episode import Decision, ParseFailure, Usage
from openvenus.errors import PolicyFault, UsageError
from openvenus.policy import Policy
from openvenus.policy.endpoint import EndpointOptions, EndpointPolicy
from tests.policy.endpoint.server import DROP, NEVER, Reply, refuses, says, serving
from tests.policy.endpoint.situations import situation

KEY = "sk-very-secret-0123456789"
CLICK = json.dumps(
    {"thought": "I see it", "action": {"type": "click", "point": [500, 250]}, "conclusion": "ok"}
)
FAST = EndpointOptions(first_pause=0.01, deadline=10.0)


def policy(url: str, **options: Any) -> EndpointPolicy:
    settings = {"first_pause": 0.01, "deadline": 10.0, **options}
    return EndpointPolicy(url, "test-model", api_key=KEY, options=EndpointOptions(**settings))


async def ask(url: str, **options: Any) -> Decision | ParseFailure:
    asked = policy(url, **options)
    try:
        return await asked.propose(situation())
    finally:
        await asked.close()


async def test_a_good_answer_is_a_decision_with_usage_and_latency() -> None:
    async with serving(says(CLICK)) as server:
        result = await ask(server.url)
    assert isinstance(result, Decision)
    assert result.action == Click(point=Point(500, 250))
    assert (result.thought, result.conclusion, result.raw) == ("I see it", "ok", CLICK)
    assert result.usage == Usage(11, 7)
    assert 0 < result.seconds < 10
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


async def test_the_request_tells_all_that_is_known() -> None:
    async with serving(says(CLICK)) as server:
        await ask(server.url, temperature=0.0, extra_body={"top_k": 1})
    request = server.requests[0]
    assert request["model"] == "test-model"
    assert (request["temperature"], request["top_k"], request["max_tokens"]) == (0.0, 1, 4096)
    system, user = request["messages"]
    assert '"type": "click"' in system["content"]
    assert '"type": "scroll"' not in system["content"]
    assert '"type": "sequence"' not in system["content"]
    text = user["content"][0]["text"]
    for part in (
        "Save the form for Ann", "Use the second address", "Ann is 44", "The name first.",
        "textbox 'Name' now has 'Ann'", "could not be read: it is not JSON", "nothing changed",
        '[e7] button "Save" at [500, 500]', "holds 9 characters", "option of a closed list",
        "out of view", "(5 more are not listed)", "http://localhost/form", "Tabs: A form; Help",
        "Dialog (confirm): 'Leave?' (dismissed)",
        "Note well: The last action changed nothing that can be seen.",
    ):  # fmt: skip
        assert part in text
    schema = request["response_format"]["json_schema"]["schema"]
    assert {r["$ref"].rsplit("/")[-1] for r in schema["properties"]["action"]["anyOf"]} == {
        "Click", "TypeText", "Finish", "Refuse", "AskUser", "Note",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("size", "long_edge", "expected"),
    [((640, 400), 1600, (640, 400)), ((1000, 500), 300, (300, 150)), ((300, 900), 450, (150, 450))],
)
async def test_the_screenshot_keeps_to_the_long_edge(
    size: tuple[int, int], long_edge: int, expected: tuple[int, int]
) -> None:
    async with serving(says(CLICK)) as server:
        asked = policy(server.url, long_edge=long_edge)
        await asked.propose(situation(size=size))
        await asked.close()
    head, data = server.requests[0]["messages"][1]["content"][1]["image_url"]["url"].split(",")
    assert head == "data:image/png;base64"
    assert Image.open(io.BytesIO(base64.b64decode(data))).size == expected


async def test_without_image_and_elements_the_message_is_plain_text() -> None:
    async with serving(says(CLICK)) as server:
        await ask(server.url, image=False, elements=0)
    content = server.requests[0]["messages"][1]["content"]
    assert isinstance(content, str)
    assert "[e7]" not in content


@pytest.mark.parametrize("content", ["I clicked it.", "", None, "{}", '{"action": null}'])
async def test_rubbish_is_a_parse_failure(content: str | None) -> None:
    async with serving(says(content)) as server:
        result = await ask(server.url)
    assert isinstance(result, ParseFailure)
    assert result.reason
    assert result.usage == Usage(11, 7)
    assert len(server.requests) == 1


async def test_an_answer_that_was_cut_off_is_never_acted_on() -> None:
    async with serving(says(CLICK, finish_reason="length")) as server:
        result = await ask(server.url)
    assert isinstance(result, ParseFailure)
    assert "cut off" in result.reason


async def test_half_a_character_can_be_recorded_but_not_acted_on() -> None:
    async with serving(says(CLICK.replace("I see it", "\ud83d"))) as server:
        result = await ask(server.url)
    assert isinstance(result, ParseFailure)
    assert "\\ud83d" in result.raw
    assert result.raw.encode()


async def test_content_in_parts_is_read_as_one_text() -> None:
    parts = [{"type": "text", "text": CLICK[:20]}, {"type": "text", "text": CLICK[20:]}]
    async with serving(says(parts)) as server:
        result = await ask(server.url)
    assert isinstance(result, Decision)


async def test_a_sequence_that_was_not_offered_is_refused() -> None:
    both = {"type": "sequence", "actions": [{"type": "click"}, {"type": "finish"}]}
    async with serving(says(json.dumps({"action": both}))) as server:
        assert isinstance(await ask(server.url), ParseFailure)
        allowed = await ask(server.url, sequences=True)
    assert isinstance(allowed, Decision)
    assert allowed.action.type == "sequence"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
async def test_passing_trouble_is_tried_again(status: int) -> None:
    async with serving(refuses(status, "busy"), refuses(status, "busy"), says(CLICK)) as server:
        result = await ask(server.url)
    assert isinstance(result, Decision)
    assert len(server.requests) == 3


async def test_a_dropped_connection_is_tried_again() -> None:
    async with serving(DROP, says(CLICK)) as server:
        assert isinstance(await ask(server.url), Decision)
    assert len(server.requests) == 2


async def test_the_server_says_how_long_to_wait() -> None:
    async with serving(refuses(429, "slow down", retry_after="0.4"), says(CLICK)) as server:
        begun = time.perf_counter()
        await ask(server.url)
    assert time.perf_counter() - begun >= 0.4


async def test_lasting_trouble_is_a_policy_fault_after_all_tries() -> None:
    async with serving(refuses(500, "the model is broken")) as server:
        with pytest.raises(PolicyFault, match=r"tries: 4.*HTTP 500: the model is broken"):
            await ask(server.url, retries=3)
    assert len(server.requests) == 4


async def test_a_refused_key_is_not_tried_again() -> None:
    async with serving(refuses(401, f"Incorrect API key provided: {KEY}")) as server:
        with pytest.raises(PolicyFault, match="check the API key"):
            await ask(server.url)
    assert len(server.requests) == 1


async def test_a_server_that_never_answers_ends_at_the_deadline() -> None:
    async with serving(NEVER) as server:
        begun = time.perf_counter()
        with pytest.raises(PolicyFault, match=r"within 0\.3 s"):
            await ask(server.url, deadline=0.3)
        assert time.perf_counter() - begun < 3


async def test_retries_end_at_the_deadline_and_say_what_was_wrong() -> None:
    async with serving(refuses(503, "starting up")) as server:
        with pytest.raises(PolicyFault, match=r"within 0\.3 s.*starting up"):
            await ask(server.url, deadline=0.3, retries=1000, first_pause=0.1)


async def test_nobody_listens() -> None:
    async with serving(says(CLICK)) as server:
        url = server.url
    with pytest.raises(PolicyFault, match="tries: 2"):
        await ask(url, retries=1)


async def test_another_kind_of_server() -> None:
    page = Reply(body="<html>hello</html>", kind="text/html")
    async with serving(page) as server:
        with pytest.raises(PolicyFault, match="not an answer of this protocol"):
            await ask(server.url)
    broken = Reply(body='{"choices": [')
    async with serving(broken) as server:
        with pytest.raises(PolicyFault, match="gave no answer"):
            await ask(server.url, retries=0)


async def test_a_server_without_response_formats_gets_none_and_is_remembered() -> None:
    def picky(request: dict[str, Any]) -> Reply:
        known = request.get("response_format", {}).get("type")
        return refuses(400, f"unknown format {known}") if known else says(CLICK)

    async with serving(picky) as server:
        asked = policy(server.url)
        assert isinstance(await asked.propose(situation()), Decision)
        assert isinstance(await asked.propose(situation()), Decision)
        await asked.close()
    tried = [r.get("response_format", {}).get("type") for r in server.requests]
    assert tried == ["json_schema", "json_object", None, None]


async def test_a_bad_request_for_another_reason_ends_with_the_servers_words() -> None:
    async with serving(refuses(400, "this model takes no images")) as server:
        with pytest.raises(PolicyFault, match="this model takes no images"):
            await ask(server.url)
    assert len(server.requests) == 3


async def test_the_newer_name_of_the_length_limit() -> None:
    def newer(request: dict[str, Any]) -> Reply:
        if "max_tokens" in request:
            return refuses(400, "Unsupported 'max_tokens', use 'max_completion_tokens' instead")
        return says(CLICK)

    async with serving(newer) as server:
        assert isinstance(await ask(server.url, max_tokens=99), Decision)
    assert server.requests[-1]["max_completion_tokens"] == 99
    assert "response_format" in server.requests[-1]


async def test_the_key_shows_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = json.dumps({"thought": f"the key is {KEY}", "action": {"type": "finish"}})
    async with serving(
        refuses(500, f"failed for {KEY}"), says(echo), refuses(403, f"{KEY} may not")
    ) as server:
        asked = policy(server.url)
        result = await asked.propose(situation())
        with pytest.raises(PolicyFault) as caught:
            await asked.propose(situation())
        await asked.close()
    assert isinstance(result, Decision)
    assert result.action == Finish()
    shown = [repr(asked), asked.name, repr(result), str(caught.value)]
    shown.append("".join(traceback.format_exception(caught.value)))
    shown.append(caplog.text)
    shown.extend(str(r.args) for r in caplog.records)
    assert not any(KEY in text for text in shown)


async def test_the_key_comes_from_the_named_variable_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-server")
    monkeypatch.setenv("MY_KEY", KEY)
    async with serving(says(CLICK)) as server:
        for env in (None, "MY_KEY"):
            asked = EndpointPolicy(server.url, "m", api_key_env=env, options=FAST)
            await asked.propose(situation())
            await asked.close()
    sent = [h["authorization"] for h in server.headers]
    assert sent == ["Bearer none", f"Bearer {KEY}"]


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://x/v1", "http://", "http://[::1"])
def test_a_bad_address_is_a_usage_error(url: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        EndpointPolicy(url, "m")


def test_secrets_in_the_address_and_broken_keys_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(UsageError, match="user name or password") as caught:
        EndpointPolicy("http://ann:secret@localhost/v1", "m")
    assert "secret" not in str(caught.value)
    with pytest.raises(UsageError) as caught:
        EndpointPolicy("http://localhost/v1", "m", api_key="sk\nbroken")
    assert "broken" not in str(caught.value)
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(UsageError, match="NO_SUCH_KEY"):
        EndpointPolicy("http://localhost/v1", "m", api_key_env="NO_SUCH_KEY")


async def test_many_decisions_at_once() -> None:
    async with serving(says(CLICK)) as server:
        asked = policy(server.url)
        results = await asyncio.gather(*(asked.propose(situation()) for _ in range(8)))
        await asked.close()
    assert all(isinstance(r, Decision) for r in results)
    assert len(server.requests) == 8


def test_it_is_a_policy_and_light_to_import() -> None:
    assert isinstance(EndpointPolicy("http://localhost/v1", "m"), Policy)
    import subprocess
    import sys

    code = "import sys, openvenus.policy.endpoint; sys.exit('openai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path("/"), check=False)
    assert done.returncode == 0
