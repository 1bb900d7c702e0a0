"""A chat-completions server on a real socket, for the tests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

NEVER = "never"
DROP = "drop"


@dataclass(frozen=True)
class Reply:
    """One answer of the server."""

    status: int = 200
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"


Behaviour = Reply | str | Callable[[dict[str, Any]], Reply]


@dataclass
class Server:
    """Answers the n-th request with the n-th behaviour, the last one again and again."""

    behaviours: list[Behaviour]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {k.lower(): v for k, _, v in (h.partition(": ") for h in head[1:] if h)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        request = json.loads(body)
        self.paths.append(head[0].split(" ")[1])
        self.headers.append(headers)
        self.requests.append(request)
        behaviour = self.behaviours[min(len(self.requests), len(self.behaviours)) - 1]
        if behaviour == NEVER:
            await asyncio.Event().wait()
        if behaviour == DROP:
            writer.transport.abort()
            return False
        reply = behaviour(request) if callable(behaviour) else behaviour
        assert isinstance(reply, Reply)
        data = reply.body.encode()
        lines = [f"HTTP/1.1 {reply.status} X", f"Content-Length: {len(data)}"]
        lines.append(f"Content-Type: {reply.kind}")
        lines += [f"{k}: {v}" for k, v in reply.headers.items()]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
        await writer.drain()
        return True


@asynccontextmanager
async def serving(*behaviours: Behaviour) -> AsyncIterator[Server]:
    """Serve on a free port of this machine as long as the block runs."""
    server = Server(list(behaviours))
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(server.handle(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    listener = await asyncio.start_server(accept, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1"
    try:
        yield server
    finally:
        listener.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def says(content: Any, **choice: Any) -> Reply:
    """A completion with this content."""
    message = {"role": "assistant", "content": content}
    return Reply(
        body=json.dumps(
            {
                "id": "c1",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}],
                "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
            }
        )
    )


def refuses(status: int, message: str, **headers: str) -> Reply:
    """An error as the protocol gives it."""
    body = json.dumps({"error": {"message": message, "type": "x"}})
    return Reply(status, body, {k.replace("_", "-"): v for k, v in headers.items()})
