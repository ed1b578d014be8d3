"""MCP service: one run of the server, from its start until its client leaves or a signal comes."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

from games.core import GameFault, OptionError, quoted
from runner.agents.environment import Environment
from runner.errors import TabletopError, UsageError, told_fault
from runner.interrupts import STOP, on_signals
from runner.match.header import package_version
from runner.prompting.renderer import data_folder
from runner.serve.http_server import HOST, serve_http
from runner.serve.match_host import HostLimits, MatchHost
from runner.serve.match_tools import INSTRUCTIONS, TOOLS, call

PATH = "/mcp"
SKILL = "skill://"
LONGEST_BODY = 256 * 1024
"""Bytes of a request's body."""


def _app(server: Server[Any], token: str, port: int) -> Starlette:
    """The application: no token, no entry; no other Host, and no page of another Origin. No CORS headers."""
    names = [f"{name}:{port}" for name in (HOST, "localhost")]
    app: Starlette = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=LONGEST_BODY,
        transport_security=TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]),
        auth=AuthSettings(issuer_url=AnyHttpUrl(f"http://{names[0]}"), resource_server_url=None),
        token_verifier=OneToken(token),
    )
    return app


@dataclass(frozen=True)
class OneToken:
    """Knows one token."""

    token: str

    async def verify_token(self, token: str) -> AccessToken | None:
        """The token's holder; None for any other token."""
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            return None
        return AccessToken(token=token, client_id="client", scopes=[])


def skills() -> dict[str, str]:
    """The skills for agents by their URI."""
    return {
        f"{SKILL}{path.parent.name}": path.read_text("utf-8")
        for path in sorted(data_folder("skills", "docs").glob("*/SKILL.md"))
    }


_BUG = "The server failed; its standard error has the traceback."


def _mcp_server(host: MatchHost) -> Server[Any]:
    async def list_tools(context: object, params: object) -> types.ListToolsResult:
        names = "name", "description", "input_schema", "output_schema"
        return types.ListToolsResult(
            tools=[types.Tool(**{name: getattr(tool, name) for name in names}) for tool in TOOLS.values()]
        )

    async def call_tool(context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await _result(host, params.name, params.arguments or {})

    async def list_resources(context: object, params: object) -> types.ListResourcesResult:
        found = [types.Resource(uri=uri, name=uri.removeprefix(SKILL), mime_type="text/markdown") for uri in skills()]
        return types.ListResourcesResult(resources=found)

    async def read_resource(context: object, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        if (text := skills().get(str(params.uri))) is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no skill {quoted(str(params.uri))}.")
        found = types.TextResourceContents(uri=params.uri, mime_type="text/markdown", text=text)
        return types.ReadResourceResult(contents=[found])

    handlers: dict[str, Any] = {"on_list_tools": list_tools, "on_call_tool": call_tool}
    handlers |= {"on_list_resources": list_resources, "on_read_resource": read_resource}
    return Server("tabletop", version=package_version(), instructions=INSTRUCTIONS, **handlers)


async def _result(host: MatchHost, name: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
    try:
        found = await call(host, name, arguments)
    except TabletopError as refusal:
        return _error(refusal.sentence)
    except OptionError as refusal:
        return _error(str(refusal))
    except GameFault as fault:
        return _error(told_fault(fault))
    except Exception as bug:
        traceback.print_exception(bug, file=sys.stderr)
        return _error(_BUG)
    text = found["text"] if found.keys() == {"text"} else json.dumps(found, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(type="text", text=str(text))], structured_content=found)


def _error(sentence: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=sentence)], is_error=True)


LONGEST_MESSAGE = 1024 * 1024
"""Bytes of a line of standard input."""


async def serve_stdio(server: Server[Any], stop: Callable[[], Coroutine[None, None, None]]) -> None:
    """Serve until the client leaves, or until `stop` returns. Standard output carries the protocol alone. UsageError for a
    message that is too long."""
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
    """The lines of standard input. A daemon thread reads them, so that a stop need not wait for the next line. They end with
    standard input, and before a line that is too long."""

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


async def serve(
    environment: Environment, limits: HostLimits, port: int | None, on_ready: Callable[[str, str], None]
) -> list[Path]:
    """Serve over HTTP on a port, or with None over standard input and output; the logs of the matches that are paused then.
    `on_ready` gets the URL and the token of a server over HTTP. UsageError for a port that is taken."""
    signalled = asyncio.Event()
    on_signals(signalled.set, *STOP, signal.SIGHUP)
    host, paused = MatchHost(environment, limits), list[Path]()
    server, token = _mcp_server(host), secrets.token_urlsafe(32)

    async def stop() -> None:
        """Wait for a signal, and pause the matches: calls that wait for a turn are answered."""
        await signalled.wait()
        paused.extend(await host.close())

    try:
        if port is None:
            await serve_stdio(server, stop)
        else:
            on_port = partial(_app, server, token)
            await serve_http(on_port, HOST, port, stop, lambda port: on_ready(f"http://{HOST}:{port}{PATH}", token))
    finally:
        paused += await host.close()
    return paused
