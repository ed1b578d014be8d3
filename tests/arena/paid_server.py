"""The offline model behind a socket, slow and for money."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from runner.llm.offline import OfflineModel

PRICE = 1e-6
"""USD a token, of prompt and reply alike."""


@contextmanager
def paid_server(delay: float, price: float = PRICE) -> Iterator[tuple[str, list[float]]]:
    """The base URL, and what each answer has cost so far; `price` in USD a token."""
    model, charged = OfflineModel(1), list[float]()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            entry = {"id": "offline", "pricing": {"prompt": f"{price:.9f}", "completion": f"{price:.9f}"}}
            self._send(json.dumps({"data": [entry]}).encode())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            reply = json.loads(model.handle("POST", "/chat/completions", {}, body).body)
            reply["usage"]["cost"] = reply["usage"]["total_tokens"] * price
            charged.append(reply["usage"]["cost"])
            time.sleep(delay)
            self._send(json.dumps(reply).encode())

        def _send(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
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
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", charged
    finally:
        server.shutdown()
        server.server_close()
