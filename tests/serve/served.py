"""`tabletop mcp` in a process of its own, and the official SDK's clients of it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.cli.command import environment


@dataclass
class Served:
    """A server over HTTP: its process, its URL and its token."""

    process: subprocess.Popen[str]
    url: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}


@contextmanager
def served(folder: Path, *words: str) -> Iterator[Served]:
    """A server on a free port; it is killed in the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "runner", "mcp", "--http", "0", *words],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        said = process.stderr.readline() + process.stderr.readline()
        found = re.search(r"(http://\S+/mcp).*Bearer (\S+)", said, re.DOTALL)
        assert found is not None, said
        yield Served(process, found[1], found[2])
    finally:
        process.kill()
        process.communicate()


@dataclass
class Calls:
    """Calls of tools by a client; a tool error is raised as ValueError."""

    client: Any

    async def __call__(self, name: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(name, arguments)
        if result.is_error:
            raise ValueError(result.content[0].text)
        return dict(result.structured_content)


@asynccontextmanager
async def over_stdio(folder: Path, mode: str = "auto", *more: str) -> AsyncIterator[Calls]:
    """The SDK's client of a server of its own; `more` are options of its command."""
    words = ["-m", "runner", "mcp", *more]
    server = StdioServerParameters(command=sys.executable, args=words, env=environment(), cwd=folder)
    async with Client(stdio_client(server), mode=mode) as client:
        yield Calls(client)


@asynccontextmanager
async def over_http(server: Served, mode: str = "auto") -> AsyncIterator[Calls]:
    """The SDK's client of a server over HTTP."""
    async with (
        httpx2.AsyncClient(headers=server.headers) as http,
        Client(streamable_http_client(server.url, http_client=http), mode=mode) as client,
    ):
        yield Calls(client)
