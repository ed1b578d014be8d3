"""The offline model on a loopback port, for other processes and clients, with faults to order."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import NamedTuple, Self

from runner.llm.fault_injection import FINE, Faults, Meter, Quota, play, response, throttled
from runner.llm.offline import OfflineModel

_HEAD_LIMIT = 64 * 1024
_BODY_LIMIT = 16 * 1024 * 1024


class _Asked(NamedTuple):
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class _Refused(Exception):
    """A request this server cannot read, with the status that says so."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(slots=True, eq=False)
class OfflineServer:
    """An HTTP/1.1 server for the offline model. An asynchronous context manager; port 0 takes any free one.

    `requests` counts the chat completions that came in, `answered` those that were answered without a fault.
    """

    model: OfflineModel = field(default_factory=OfflineModel)
    faults: Faults = field(default_factory=Faults)
    quota: Quota | None = None
    host: str = "127.0.0.1"
    port: int = 0
    requests: int = 0
    answered: int = 0
    _server: asyncio.Server | None = None
    _sequence: Iterator[str] = field(default_factory=lambda: iter(()))
    _meter: Meter = field(default_factory=lambda: Meter(None))
    _connections: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def base_url(self) -> str:
        """What a client takes for its base URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/v1"

    async def __aenter__(self) -> Self:
        self._sequence, self._meter = self.faults.sequence(self.model.seed), Meter(self.quota)
        self._server = await asyncio.start_server(self._connected, self.host, self.port, limit=_HEAD_LIMIT, backlog=1024)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is None:
            return
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "a connection runs as a task"
        self._connections.add(task)
        try:
            with suppress(asyncio.CancelledError, ConnectionError, asyncio.IncompleteReadError):
                while await self._exchange(reader, writer):
                    pass
        finally:
            self._connections.discard(task)
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its response; True when the connection can be used further."""
        try:
            asked = await _read(reader, writer)
        except _Refused as refused:
            writer.write(response(refused.status, b'{"error": {"message": "the request cannot be read"}}'))
            await writer.drain()
            return False
        is_open = await self._answer(asked, writer)
        return is_open and asked.headers.get("connection", "").lower() != "close"

    async def _answer(self, asked: _Asked, writer: asyncio.StreamWriter) -> bool:
        if asked.path.endswith("/chat/completions"):
            self.requests += 1
            wait = self._meter.wait(asyncio.get_running_loop().time())
            if wait is not None:
                writer.write(throttled(wait))
                await writer.drain()
                return True
            fault = next(self._sequence)
            if fault == "slow":
                await asyncio.sleep(self.faults.slowness)
            elif fault != FINE:
                return await play(fault, writer, self.faults)
            self.answered += 1
        answer = self.model.handle(*asked)
        if answer.delay:
            await asyncio.sleep(answer.delay)
        body = b"" if asked.method == "HEAD" else answer.body
        writer.write(response(answer.status, body, answer.headers["content-type"]))
        await writer.drain()
        return True


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> _Asked:
    """The next request. Raises IncompleteReadError when the client has gone, _Refused when it is not HTTP as spoken here."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        method, path, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
    except (asyncio.LimitOverrunError, ValueError):
        raise _Refused(400) from None
    headers = _headers(head)
    if "transfer-encoding" in headers:
        raise _Refused(411)
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > _BODY_LIMIT:
        raise _Refused(413 if length.isdigit() else 400)
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return _Asked(method, path, headers, await reader.readexactly(int(length)))


def _headers(head: bytes) -> dict[str, str]:
    lines = (line.decode("latin-1").partition(":") for line in head.split(b"\r\n")[1:] if line)
    return {name.strip().lower(): value.strip() for name, _, value in lines}


async def serve(
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    seed: int = 0,
    mistake_rate: float = 0.0,
    faults: Faults | None = None,
    quota: Quota | None = None,
    on_ready: Callable[[str], None] = lambda base_url: None,
) -> None:
    """Serves until SIGINT or SIGTERM. `on_ready` is called with the base URL once the port is open.

    Raises OSError when the port cannot be had, ValueError for faults that do not exist.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    async with OfflineServer(OfflineModel(seed, mistake_rate), faults or Faults(), quota, host, port) as server:
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(signal_number, stopped.set)
        try:
            on_ready(server.base_url)
            await stopped.wait()
        finally:
            for signal_number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(signal_number)
