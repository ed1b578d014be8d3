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

from tests.cli.command import environment

FOLDER = Path("build/conformance").absolute()
INSTALLED = {
    "AIMOCK": "aimock/node_modules/.bin/llmock",
    "LLMOCK": "llmock/bin/llmock",
    "LITELLM": "litellm/bin/litellm",
    "FAKELLM": "fakellm/bin/fakellm",
    "MOCK_LLM": "mock-llm/node_modules/.bin/mock-llm",
    "LLAMA": "xllamacpp/bin/python",
}
"""Where tools.conformance.install puts a program, by the variable that names another."""

_PATIENCE = 120.0
_GUARDED = ("/bin/sh", "-c", '{ "$@"; kill -KILL 0; } </dev/null & read -r nothing; kill -KILL 0', "sh")
"""Starts a command, and kills its process group once it ends or standard input does: with this process, however that ends."""


class Verdict(NamedTuple):
    """`is_content` is None when the server is not installed."""

    server: str
    is_content: bool | None
    words: str


def absent(server: str, variable: str, what: str = "its program") -> Verdict:
    return Verdict(server, None, f"not installed, nothing was run (set {variable} to {what})")


def program(variable: str, name: str = "") -> str | None:
    """The program an environment variable names, else the installed one, else the one of that name on the path."""
    installed = FOLDER / INSTALLED[variable]
    return os.environ.get(variable) or (str(installed) if installed.exists() else shutil.which(name) if name else None)


@asynccontextmanager
async def server(*command: str, **env: str) -> AsyncIterator[int]:
    """Starts a server whose command holds "{port}", and whose environment holds PORT, and yields the port once it listens."""
    port = _free_port()
    process = await _started([word.replace("{port}", str(port)) for word in command], env | {"PORT": str(port)})
    try:
        async with asyncio.timeout(_PATIENCE):
            await _listening(port, process)
        yield port
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _started(words: list[str], env: dict[str, str]) -> asyncio.subprocess.Process:
    pipe, quiet = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    surroundings = environment(**env)
    del surroundings["PYTHONPATH"]
    return await asyncio.create_subprocess_exec(
        *_GUARDED, *words, stdin=pipe, stdout=quiet, stderr=quiet, env=surroundings, start_new_session=True
    )


async def _listening(port: int, process: asyncio.subprocess.Process) -> None:
    while process.returncode is None:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
            continue
        writer.close()
        await writer.wait_closed()
        return
    raise OSError("the server ended before it listened")
