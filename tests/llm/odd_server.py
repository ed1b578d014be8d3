"""A raw loopback server that plays any response a byte at a time, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

Play = Callable[[asyncio.StreamWriter], Awaitable[None]]

GOOD_ANSWER = '{"card": "owl"}'


def completion(content: Any = GOOD_ANSWER, **changes: Any) -> dict[str, Any]:
    """A chat completion; `message`, `choice` and `usage` replace fields of those parts, everything else of the whole."""
    message = {"role": "assistant", "content": content, **changes.pop("message", {})}
    choice = {"index": 0, "finish_reason": "stop", "message": message, **changes.pop("choice", {})}
    usage = {"prompt_tokens": 300, "completion_tokens": 12, "total_tokens": 312, **changes.pop("usage", {})}
    return {"id": "gen-1", "object": "chat.completion", "model": "vendor/model", "choices": [choice], "usage": usage, **changes}


def error(code: int, message: str = "something went wrong", **metadata: Any) -> dict[str, Any]:
    """An error body as OpenRouter writes it; `availability` goes beside the metadata."""
    availability = metadata.pop("availability", None)
    body: dict[str, Any] = {"code": code, "message": message}
    if metadata:
        body["metadata"] = metadata
    if availability:
        body["availability"] = availability
    return {"error": body}


def reply(
    body: Any = None,
    status: int = 200,
    *,
    headers: Mapping[str, str] | None = None,
    kind: str = "application/json",
    length: int | None = None,
) -> Play:
    """A response; a dict or list goes as JSON, text and bytes as they are. `length` announces another length and cuts."""
    raw = (
        body
        if isinstance(body, bytes)
        else (body if isinstance(body, str) else json.dumps(body)).encode("utf-8", "surrogatepass")
    )
    lines = {"content-type": kind, "content-length": str(len(raw) if length is None else length), **(headers or {})}

    async def play(writer: asyncio.StreamWriter) -> None:
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + raw)
        await writer.drain()
        if length is not None:
            writer.close()

    return play


def raw(sent: bytes) -> Play:
    """These bytes, whatever they are."""

    async def play(writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()
        writer.close()

    return play


async def silence(writer: asyncio.StreamWriter) -> None:
    """No byte at all."""
    await asyncio.sleep(60)


async def drip(writer: asyncio.StreamWriter) -> None:
    """A 200 whose body is blanks without end, as OpenRouter keeps slow calls alive."""
    writer.write(b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"1\r\n \r\n")
        await writer.drain()
        await asyncio.sleep(0.01)


async def hang_up(writer: asyncio.StreamWriter) -> None:
    """The connection is reset before a byte came."""
    writer.transport.abort()


@dataclass(eq=False)
class OddServer:
    """Plays its responses in turn, then `after` for ever. GETs are answered from `pages`, by path."""

    plays: list[Play] = field(default_factory=list)
    after: Play = field(default_factory=lambda: reply(completion()))
    pages: dict[str, Any] = field(default_factory=dict)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def __aenter__(self) -> OddServer:
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port, backlog=1024)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self.connections += 1
        self._tasks.add(task)
        try:
            with suppress(asyncio.CancelledError, ConnectionError, asyncio.IncompleteReadError):
                while not writer.is_closing():
                    await self._exchange(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lengths = [line.partition(":")[2] for line in head.split("\r\n") if line.lower().startswith("content-length")]
        body = await reader.readexactly(int(lengths[0]) if lengths else 0)
        if head.startswith("GET"):
            path = head.split(" ")[1].removeprefix("/v1")
            page = self.pages.get(path)
            await (reply(error(404), 404) if page is None else page if callable(page) else reply(page))(writer)
            return
        self.heads.append(head)
        self.bodies.append(json.loads(body))
        await (self.plays.pop(0) if self.plays else self.after)(writer)
