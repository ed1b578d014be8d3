"""MCP over HTTP closes connections whose request does not come to its end, and serves the others."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from mcp.server import Server

from runner.serve import mcp_service

HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"


async def ended(reader: asyncio.StreamReader) -> bool:
    """Whether the server has closed the connection, once it has."""
    with suppress(ConnectionResetError):
        await reader.read()
    return True


@pytest.mark.parametrize("sent", [b"", b"POST /m", HEAD, HEAD + b"\r\n{"])
async def test_a_half_open_connection_is_closed(sent: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_service, "WHOLE_WITHIN", 0.05)
    url, stop = asyncio.get_running_loop().create_future(), asyncio.Event()
    serving = asyncio.create_task(mcp_service.serve_http(Server("t"), 0, "token", stop.wait, url.set_result))
    port = int((await url).split(":")[2].split("/")[0])
    reader, writer = await asyncio.open_connection(mcp_service.HOST, port)
    writer.write(sent)
    try:
        async with asyncio.timeout(20):
            assert await ended(reader)
        other, answer = await asyncio.open_connection(mcp_service.HOST, port)
        answer.write(HEAD + b"\r\n{}       ")
        async with asyncio.timeout(20):
            assert b"HTTP/1.1 4" in await other.readline()
        answer.close()
    finally:
        writer.close()
        stop.set()
        await serving
