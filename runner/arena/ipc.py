"""Messages between processes: gathered while the event loop is at work, sent together."""

from __future__ import annotations

import asyncio
import pickle
import socket
import struct
from collections.abc import Callable
from typing import Any

from runner.arena.messages import Batch

_LENGTH = struct.Struct("!I")


class Outbox:
    """Hands over everything that is sent before the event loop comes round."""

    def __init__(self, hand_over: Callable[[Batch], None]) -> None:
        self._hand_over = hand_over
        self._waiting: Batch = []

    def send(self, message: Any) -> None:
        """Send a message, in order."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(message)

    def _flush(self) -> None:
        batch, self._waiting = self._waiting, []
        self._hand_over(batch)


class Wire(asyncio.Protocol):
    """Batches over a socket between processes of this machine that trust each other."""

    def __init__(self, on_batch: Callable[[Batch], None], on_lost: Callable[[], None]) -> None:
        self._on_batch, self._on_lost = on_batch, on_lost
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self.send = Outbox(self._write).send

    @classmethod
    async def over(cls, end: socket.socket, on_batch: Callable[[Batch], None], on_lost: Callable[[], None]) -> Wire:
        """The wire over one end of a pair of sockets."""
        _, wire = await asyncio.get_running_loop().connect_accepted_socket(lambda: cls(on_batch, on_lost), end)
        return wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Hand on every batch that is whole."""
        self._received += data
        while len(self._received) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._received)[0]
            if len(self._received) < end:
                return
            batch = pickle.loads(self._received[_LENGTH.size : end])
            del self._received[:end]
            self._on_batch(batch)

    def connection_lost(self, error: Exception | None) -> None:
        """The other side is gone."""
        self._transport = None
        self._on_lost()

    def close(self) -> None:
        """Send what is waiting and hang up."""
        if self._transport is not None:
            self._transport.close()

    def _write(self, batch: Batch) -> None:
        if self._transport is not None:
            data = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
            self._transport.write(_LENGTH.pack(len(data)) + data)
