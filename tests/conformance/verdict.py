"""What came of a run against one server, and how such a server is started."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

FOLDER = Path("build/conformance").absolute()
INSTALLED = {
    "AIMOCK": FOLDER / "aimock/node_modules/.bin/llmock",
    "LLMOCK": FOLDER / "llmock/bin/llmock",
}
"""Where tests.conformance.install puts a program, by the variable that names another."""

_PATIENCE = 30.0


class Verdict(NamedTuple):
    """`is_content` is None when the server is not installed."""

    server: str
    is_content: bool | None
    words: str


def absent(server: str, variable: str, what: str = "its program") -> Verdict:
    return Verdict(server, None, f"not installed, nothing was run (set {variable} to {what})")


def program(variable: str, name: str) -> str | None:
    """The program an environment variable names, else the installed one, else the one of that name on the path."""
    installed = str(INSTALLED[variable]) if INSTALLED[variable].exists() else None
    return os.environ.get(variable) or installed or (shutil.which(name) if name else None)


@asynccontextmanager
async def server(*command: str) -> AsyncIterator[int]:
    """Starts a server whose command holds "{port}", and yields the port once it listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [word.replace("{port}", str(port)) for word in command]
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*words, stdout=quiet, stderr=quiet)
    try:
        async with asyncio.timeout(_PATIENCE):
            await _listening(port)
        yield port
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _listening(port: int) -> None:
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
            continue
        writer.close()
        await writer.wait_closed()
        return
