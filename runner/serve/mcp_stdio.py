"""MCP over standard input and output, for one client."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from mcp.server import Server
from mcp.server.stdio import stdio_server

from runner.errors import UsageError

LONGEST_MESSAGE = 1024 * 1024
"""Bytes of a line of standard input."""


async def serve_stdio(server: Server[Any], stop: Callable[[], Coroutine[None, None, None]]) -> None:
    """Serve until the client leaves, or until `stop` returns. Standard output carries the protocol alone.

    UsageError for a message that is too long.
    """
    lines = InputLines()
    serving = asyncio.create_task(_serve(server, lines))
    stopped = asyncio.create_task(stop())
    await asyncio.wait([serving, stopped], return_when=asyncio.FIRST_COMPLETED)
    for task in (serving, stopped):
        task.cancel()
    with suppress(asyncio.CancelledError):
        await serving
    if lines.has_too_long:
        raise UsageError(f"The client sent a message of more than {LONGEST_MESSAGE:,} bytes: the server has ended.")


async def _serve(server: Server[Any], lines: InputLines) -> None:
    try:
        async with stdio_server(stdin=lines) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    except* BrokenPipeError:
        pass  # the client has left


class InputLines:
    """The lines of standard input. A daemon thread reads them, so that a stop need not wait for the next line.

    They end with standard input, and before a line that is too long.
    """

    def __init__(self) -> None:
        self.has_too_long = False
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
            while (line := file.readline(LONGEST_MESSAGE + 1)) and not self.has_too_long:
                self.has_too_long = len(line) > LONGEST_MESSAGE
                self._put(None if self.has_too_long else line.decode("utf-8", "replace"))
            self._put(None)

    def _put(self, line: str | None) -> None:
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
