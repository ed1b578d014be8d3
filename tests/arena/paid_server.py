"""The offline model behind a socket, slow, for money, and with a bad moment."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from runner.llm.offline import OfflineModel

PRICE = 1e-6
"""USD a token, of prompt and reply alike."""

RETRY_AFTER = 2
"""Seconds, in a 429."""


@dataclass
class Takings:
    """What a server has been asked and paid: its base URL, when each question came, what each answer cost, and when it told
    everybody to wait."""

    url: str
    asked: list[float] = field(default_factory=list)
    charged: list[float] = field(default_factory=list)
    told_to_wait: float = 0.0


@contextmanager
def paid_server(delay: float, throttles_at: int = 0, price: float = PRICE) -> Iterator[Takings]:
    """A server that takes so long for each answer, at `price` USD a token, and refuses one: the one with that number."""
    model = OfflineModel(1)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            entry = {"id": "offline", "pricing": {"prompt": f"{price:.9f}", "completion": f"{price:.9f}"}}
            self._send(json.dumps({"data": [entry]}).encode())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            takings.asked.append(time.monotonic())
            if len(takings.asked) == throttles_at:
                self._send(b'{"error": {"code": 429, "message": "slow down"}}', 429, {"retry-after": str(RETRY_AFTER)})
                takings.told_to_wait = time.monotonic()
                return
            reply = json.loads(model.handle("POST", "/chat/completions", {}, body).body)
            reply["usage"]["cost"] = reply["usage"]["total_tokens"] * price
            takings.charged.append(reply["usage"]["cost"])
            time.sleep(delay)
            self._send(json.dumps(reply).encode())

        def _send(self, body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            about = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
            for name, value in about.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

        def handle_error(self, *_: object) -> None:
            """A client that was stopped has gone away."""

    server = Server(("127.0.0.1", 0), Handler)
    takings = Takings(f"http://127.0.0.1:{server.server_port}/v1")
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield takings
    finally:
        server.shutdown()
        server.server_close()
