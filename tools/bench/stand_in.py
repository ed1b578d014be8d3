"""A model server that costs next to nothing, so that its clients are measured and not it: `python -m tools.bench.stand_in 0.2`.

It answers each question after so many seconds with any value that the schema allows, the same for the same question.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from runner.llm.offline import sampled

MODEL = "offline"
_FORM = b'"response_format":'
_END = b"\r\n\r\n"
_LISTED = json.dumps({"data": [{"id": MODEL, "supported_parameters": ["response_format", "structured_outputs"]}]}).encode()
_REPLY = (
    b'{"id":"x","object":"chat.completion","created":0,"model":"offline","choices":[{"index":0,"finish_reason":"stop",'
    b'"message":{"role":"assistant","content":%b}}],"usage":{"prompt_tokens":%d,"completion_tokens":20,"total_tokens":%d}}'
)


class StandIn(asyncio.Protocol):
    """One connection. Requests on it come one after the other."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport: Any = transport

    def data_received(self, data: bytes) -> None:
        """Answer a request that is whole, in time."""
        self._received += data
        head, end, rest = self._received.partition(_END)
        if not end or len(rest) < _length(head):
            return
        self._received = b""
        asks = head.startswith(b"POST")
        answer = _reply(rest) if asks else _LISTED
        asyncio.get_running_loop().call_later(self._delay if asks else 0, self._answer, answer)

    def _answer(self, body: bytes) -> None:
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
        self._transport.write(head + body)


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def _reply(body: bytes) -> bytes:
    tokens = len(body) // 4
    return _REPLY % (_content(body), tokens, tokens + 20)


def _content(body: bytes) -> bytes:
    """An answer, as JSON within JSON."""
    text = body[body.rindex(_FORM) + len(_FORM) :].decode()
    form, _ = json.JSONDecoder().raw_decode(text.lstrip())
    answer = sampled(form["json_schema"]["schema"], random.Random(zlib.crc32(body)))
    return json.dumps(json.dumps(answer)).encode()


async def serve(delay: float) -> None:
    """Serve for ever, and print where."""
    server = await asyncio.get_running_loop().create_server(lambda: StandIn(delay), "127.0.0.1", 0, backlog=2048)
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1\n")
    sys.stdout.flush()
    await server.serve_forever()


@contextmanager
def standing_in(delay: float) -> Iterator[str]:
    """The base URL of a stand-in in a process of its own."""
    command = [sys.executable, "-m", "tools.bench.stand_in", str(delay)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
