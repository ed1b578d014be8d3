"""A stand-in for xllamacpp on PYTHONPATH: its server is the offline model, with the same settings, key and failures.

Each server that starts adds a line to the file that GGML_STAND_IN_STARTS names: its process id and settings. Names of model
files order failures: broken, crashing, endless (while loading), slow and dying (when asked).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

from runner.llm.offline import OfflineModel

BROKEN = "E llama_model_load: error loading model: tensor 'token_embd.weight' data is not within the file bounds\n"


class CommonParams(SimpleNamespace):
    """The settings, as objects that take every attribute."""

    def __init__(self) -> None:
        super().__init__(model=SimpleNamespace(path=""), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())


def get_device_info() -> list[dict[str, object]]:
    """The devices that compute: no GPU among them."""
    return [{"name": "CPU", "type": SimpleNamespace(name="GGML_BACKEND_DEVICE_TYPE_CPU")}]


class Server:
    """A server in a thread."""

    def __init__(self, settings: CommonParams) -> None:
        _note(settings)
        if "broken" in settings.model.path:
            sys.stderr.write(BROKEN)
            raise RuntimeError("Failed to init server, please check the input params.")
        if "crashing" in settings.model.path:
            os.abort()
        if "endless" in settings.model.path:
            time.sleep(3600)
        http = ThreadingHTTPServer((settings.hostnames[0], settings.port), _handler(settings))
        threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
        self.listening_address = f"http://127.0.0.1:{http.server_port}"


def _note(settings: CommonParams) -> None:
    shown = {name: value for name, value in vars(settings).items() if isinstance(value, int | str)}
    _write({"pid": os.getpid(), **shown})


def _write(line: dict[str, int | str]) -> None:
    with open(os.environ["GGML_STAND_IN_STARTS"], "a", encoding="utf-8") as file:
        file.write(f"{json.dumps(line)}\n")


def _handler(settings: CommonParams) -> type[BaseHTTPRequestHandler]:
    model = OfflineModel()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(200, {}, json.dumps({"data": [{"id": name} for name in settings.model_alias]}).encode())

        def do_POST(self) -> None:
            if "slow" in settings.model.path:
                _write({"asked": os.getpid()})
                time.sleep(3600)
            if "dying" in settings.model.path:
                os.kill(os.getpid(), signal.SIGKILL)
            self._answer(self.rfile.read(int(self.headers["content-length"])))

        def _answer(self, body: bytes) -> None:
            if self.headers["authorization"] != f"Bearer {settings.api_keys[0]}":
                self._send(401, {}, b'{"error": {"code": 401, "message": "Invalid API Key"}}')
                return
            found = model.handle(self.command, self.path, self.headers, body)
            self._send(found.status, {}, found.body)

        def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
