"""Inter-process messages: collected during one round of the event loop, sent together."""

from __future__ import annotations

import asyncio
import pickle
import socket
import struct
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

_LENGTH = struct.Struct("!I")

Sent = TypeVar("Sent")
Received = TypeVar("Received")


class Outbox(Generic[Sent]):
    """Hands over all messages of one round of the event loop as one batch."""

    def __init__(self, hand_over: Callable[[list[Sent]], None]) -> None:
        self._hand_over = hand_over
        self._waiting: list[Sent] = []

    def send(self, message: Sent) -> None:
        """Queue a message."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(message)

    def _flush(self) -> None:
        batch, self._waiting = self._waiting, []
        self._hand_over(batch)


class Connection(asyncio.Protocol, Generic[Sent, Received]):
    """Batches of messages over a socket between trusted processes of one machine."""

    def __init__(self, on_batch: Callable[[Sequence[Received]], None], on_lost: Callable[[], None]) -> None:
        self._on_batch, self._on_lost = on_batch, on_lost
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._outbox = Outbox(self._write)

    async def open(self, end: socket.socket) -> None:
        """Use one end of a pair of sockets."""
        await asyncio.get_running_loop().connect_accepted_socket(lambda: self, end)

    def send(self, message: Sent) -> None:
        """Queue a message."""
        self._outbox.send(message)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Hand over each batch once it is complete."""
        self._received += data
        while len(self._received) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._received)[0]
            if len(self._received) < end:
                return
            batch = pickle.loads(self._received[_LENGTH.size : end])
            del self._received[:end]
            self._on_batch(batch)

    def connection_lost(self, error: Exception | None) -> None:
        """The peer is gone."""
        self._transport = None
        self._on_lost()

    def close(self) -> None:
        """Send what is queued and close the socket."""
        if self._transport is not None:
            self._transport.close()

    def _write(self, batch: list[Sent]) -> None:
        if self._transport is not None:
            data = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
            self._transport.write(_LENGTH.pack(len(data)) + data)
