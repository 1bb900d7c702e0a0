"""A small web server on this machine, for the pages of these tests."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HEAD = "<!DOCTYPE html><meta charset='utf-8'>"


class Site:
    """Serves texts under made-up paths at 127.0.0.1, also reachable as localhost."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[bytes, str, float]] = {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site._answer(self)

            def log_message(self, format: str, *args: object) -> None:
                return None

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def add(
        self,
        body: str,
        *,
        path: str = "",
        kind: str = "text/html",
        delay: float = 0.0,
        host: str = "127.0.0.1",
    ) -> str:
        """Address of a new page; HTML gets a doctype and a charset.

        Args:
            delay: seconds before it is answered.
        """
        path = path or f"/p{len(self._pages)}"
        text = HEAD + body if kind == "text/html" else body
        self._pages[path] = (text.encode(), kind, delay)
        return f"http://{host}:{self.port}{path}"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        found = self._pages.get(request.path.partition("?")[0])
        if found is None:
            request.send_error(404)
            return
        body, kind, delay = found
        time.sleep(delay)
        request.send_response(200)
        request.send_header("Content-Type", f"{kind}; charset=utf-8")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)
