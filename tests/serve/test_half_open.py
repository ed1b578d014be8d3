"""HTTP closes connections whose request does not come to its end, and serves the others."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

from starlette.applications import Starlette

from runner.serve import http_server
from tests.patience import PATIENCE

HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"


async def ended(reader: asyncio.StreamReader) -> bool:
    """Whether the server has closed the connection, once it has."""
    with suppress(ConnectionResetError):
        await reader.read()
    return True


@pytest.mark.parametrize("sent", [b"", b"POST /m", HEAD, HEAD + b"\r\n{"])
async def test_a_half_open_connection_is_closed(sent: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "WHOLE_WITHIN", 0.05)
    ready, stop = asyncio.get_running_loop().create_future(), asyncio.Event()
    app, host = Starlette(), http_server.HOST
    serving = asyncio.create_task(http_server.serve_http(lambda port: app, host, 0, stop.wait, ready.set_result))
    port = await ready
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(sent)
    try:
        async with asyncio.timeout(PATIENCE):
            assert await ended(reader)
        monkeypatch.undo()
        other, answer = await asyncio.open_connection(host, port)
        answer.write(HEAD + b"\r\n{}       ")
        async with asyncio.timeout(PATIENCE):
            assert b"HTTP/1.1 4" in await other.readline()
        answer.close()
    finally:
        writer.close()
        stop.set()
        await serving
