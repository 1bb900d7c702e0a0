"""The real command in processes of its own, and models for it that are servers of ours."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

_MARK = "OPENVENUS_TEST_MARK"


@dataclass
class Venus:
    """Starts `venus` below a folder, with temporary files of its own."""

    folder: Path

    def __post_init__(self) -> None:
        self.mark = uuid.uuid4().hex
        # Chromium puts a socket there, whose path must be short.
        self.temporary = Path(tempfile.mkdtemp(prefix="venus-"))

    def close(self) -> None:
        """Remove the folder for temporary files."""
        shutil.rmtree(self.temporary, ignore_errors=True)

    def environment(self, **more: str) -> dict[str, str]:
        """Of the process: marked, so that its children can be told from others."""
        mine = {_MARK: self.mark, "TMPDIR": str(self.temporary), "COLUMNS": "100"}
        return {k: v for k, v in os.environ.items() if k != "OPENVENUS_DEBUG"} | mine | more

    def __call__(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run it to its end."""
        return subprocess.run(
            [sys.executable, "-m", "openvenus", *arguments],
            cwd=self.folder,
            env=self.environment(**env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start it in a session of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "openvenus", *arguments],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def left_behind(self, seconds: float = 15.0) -> list[str]:
        """Processes and temporary files still there when the time is up; empty when none are."""
        until = time.monotonic() + seconds
        while (left := [*self._processes(), *self._files()]) and time.monotonic() < until:
            time.sleep(0.1)
        return left

    def _processes(self) -> list[str]:
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if self.mark.encode() in (entry / "environ").read_bytes():
                    found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue
        return [f"process: {command[:120]}" for command in found if command]

    def _files(self) -> list[str]:
        return [f"file: {path}" for path in self.temporary.iterdir()]


@contextmanager
def model_server(answers: list[str] | None) -> Iterator[str]:
    """A chat-completions server on a real socket.

    Args:
        answers: given one after another, the last one again and again; None never answers.

    Yields:
        Its base URL.
    """
    asked = threading.Event()
    released = threading.Event()
    left = list(answers or [])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked.set()
            if answers is None:
                released.wait(60)
                return
            text = left.pop(0) if len(left) > 1 else left[0]
            body = json.dumps(_completion(text)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        released.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def _completion(text: str) -> dict[str, Any]:
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def endpoint(url: str) -> list[str]:
    """Flags for a model server."""
    return ["--policy", "endpoint", "--base-url", url, "--model", "m"]


def wait_for_line(process: subprocess.Popen[str], text: str) -> list[str]:
    """Lines of standard error up to one that has the text."""
    assert process.stderr is not None
    lines: list[str] = []
    for line in process.stderr:
        lines.append(line)
        if text in line:
            return lines
    raise AssertionError(f"it ended without saying {text!r}: {lines}")
