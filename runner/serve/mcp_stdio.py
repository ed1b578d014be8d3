"""MCP over standard input and output, for one client."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from mcp.server import Server
from mcp.server.stdio import stdio_server

LONGEST_MESSAGE = 1024 * 1024
"""Bytes of a line of standard input."""


async def serve_stdio(server: Server[Any], stop: Coroutine[None, None, None]) -> None:
    """Serve until standard input ends, or until `stop` returns. Standard output carries the protocol alone."""
    serving = asyncio.create_task(_serve(server))
    stopped = asyncio.create_task(stop)
    await asyncio.wait([serving, stopped], return_when=asyncio.FIRST_COMPLETED)
    for task in (serving, stopped):
        task.cancel()
    with suppress(asyncio.CancelledError):
        await serving


async def _serve(server: Server[Any]) -> None:
    async with stdio_server(stdin=InputLines()) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


class InputLines:
    """The lines of standard input. A daemon thread reads them, so that a stop need not wait for the next line."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def __aiter__(self) -> InputLines:
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            raise StopAsyncIteration
        return line

    def _read(self) -> None:
        with suppress(RuntimeError), os.fdopen(os.dup(0), "rb") as file:  # the event loop may be closed
            while line := file.readline(LONGEST_MESSAGE):
                self._put(line.decode("utf-8", "replace"))
            self._put(None)

    def _put(self, line: str | None) -> None:
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
