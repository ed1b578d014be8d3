"""Real MCP clients over stdio and HTTP: the official SDK's and FastMCP's. They need the extra `mcp`: `make doors`."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import httpx2

from runner.record.reader import read_log
from runner.record.verify import verify
from tests.cli.command import ROOT, environment
from tests.patience import PATIENCE
from tests.serve.hosting import Caller, play
from tests.serve.served import over_http, over_stdio, served

INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
EXAMPLES = ROOT / "docs" / "examples"
ACCEPT = {"accept": "application/json, text/event-stream"}


async def coup(call: Caller, *seats: str) -> dict[str, Any]:
    return await call("new_match", game="coup", seats=list(seats), seed=3)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_sdk_plays_over_stdio(mode: str, tmp_path: Path) -> None:
    async with over_stdio(tmp_path, mode) as call:
        tools = (await call.client.list_tools()).tools
        assert [tool.name for tool in tools] == ["list_games", "rules", "new_match", "wait_for_turn", "act", "table"]
        assert all(tool.output_schema["type"] == tool.input_schema["type"] == "object" for tool in tools)
        assert len((await call("list_games"))["games"]) >= 4
        assert "Duke" in (await call("rules", game="coup"))["text"]
        begun = await coup(call, "mcp", "bot:steady", "mcp")
        assert "P-0" in (await call("table", handle=begun["handles"]["P-0"]))["text"]
        with pytest.raises(ValueError, match="no seat with that handle"):
            await call("table", handle="guessed")
        await play(call, begun["handles"])
    verify(read_log(tmp_path / begun["log"]))


async def test_the_sdk_reads_the_skills_of_the_documents(tmp_path: Path) -> None:
    pages = {f"skill://{path.parent.name}": path for path in (ROOT / "docs" / "skills").glob("*/SKILL.md")}
    async with over_stdio(tmp_path, "auto") as call:
        found = (await call.client.list_resources()).resources
        assert {str(one.uri) for one in found} == pages.keys()
        for uri, path in pages.items():
            [content] = (await call.client.read_resource(uri)).contents
            assert content.text == path.read_text(encoding="utf-8")
        with pytest.raises(Exception, match="There is no skill"):
            await call.client.read_resource("skill://../log")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_two_clients_play_over_http_and_one_that_dies_comes_back(mode: str, tmp_path: Path) -> None:
    with served(tmp_path) as server:
        async with over_http(server, mode) as one:
            begun = await coup(one, "mcp", "mcp")
            first, second = ({name: handle} for name, handle in begun["handles"].items())
            before = await one("wait_for_turn", handle=first["P-0"], seconds=0)
        async with over_http(server, mode) as one, over_http(server, mode) as other:
            assert await one("wait_for_turn", handle=first["P-0"], seconds=0) == before
            results = await asyncio.gather(play(one, first), play(other, second))
        assert results[0] == results[1]
    verify(read_log(tmp_path / begun["log"]))


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
async def test_a_node_program_a_function_a_client_a_bot_and_a_model_play_over_stdio(tmp_path: Path) -> None:
    (tmp_path / "own_bots.py").write_text("def first(ask): return ask.legal[0]\n", encoding="utf-8")
    node, function = f"cmd:node {EXAMPLES / 'bot.mjs'}", "py:own_bots:first"
    allowed = "--allow-seat", node, "--allow-seat", function
    async with over_stdio(tmp_path, "auto", *allowed) as call:
        begun = await coup(call, node, function, "mcp", "bot:steady", "offline")
        await play(call, begun["handles"])
    log = read_log(tmp_path / begun["log"])
    verify(log)
    assert [seat["kind"] for seat in log.header["seats"]] == ["program", "function", "mcp", "bot", "offline"]


def test_the_client_of_the_documents_plays_over_http(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        command = [sys.executable, str(EXAMPLES / "mcp_client.py"), server.url]
        done = subprocess.run(command, env=environment() | {"TOKEN": server.token}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    outcome, log = done.stdout.split()
    assert outcome in ("won", "lost")
    verify(read_log(tmp_path / log))


async def test_fastmcp_plays_over_http(tmp_path: Path) -> None:
    fastmcp = pytest.importorskip("fastmcp")

    with served(tmp_path) as server:
        async with fastmcp.Client(server.url, auth=server.token) as client:

            async def call(name: str, **arguments: Any) -> dict[str, Any]:
                return dict((await client.call_tool(name, arguments)).structured_content)

            begun = await coup(call, "mcp", "bot:steady")
            await play(call, begun["handles"])
            with pytest.raises(fastmcp.exceptions.ToolError, match="There is no game"):
                await call("rules", game="chess")
    verify(read_log(tmp_path / begun["log"]))


async def test_no_entry_without_the_token_from_a_foreign_page_or_under_another_name(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        async with httpx2.AsyncClient() as http:

            async def status(body: Any = INITIALIZE, **headers: str) -> int:
                encoded = {name.encode(): value.encode() for name, value in {**ACCEPT, **headers}.items()}
                found = await http.post(server.url, json=body, headers=encoded)
                assert "access-control-allow-origin" not in found.headers
                return found.status_code

            assert await status() == 401
            for wrong in ("Bearer guessed", "Bearer", "Basic x", f"Bearer {server.token}x", "Bearer \u00e9"):
                assert await status(authorization=wrong) == 401
            assert await status(**server.headers) == 200
            assert await status(**server.headers, origin="https://evil.example") == 403
            assert await status(**server.headers, host="evil.example") == 421
            assert await status({**INITIALIZE, "more": "x" * 300_000}, **server.headers) == 413
            assert (await http.options(server.url, headers={"origin": "https://evil.example"})).status_code == 401


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_pauses_the_matches_and_says_how_they_resume(number: signal.Signals, tmp_path: Path) -> None:
    with served(tmp_path) as server:
        async with over_http(server) as call:
            begun = await coup(call, "mcp", "mcp")
            turns = {name: await call("wait_for_turn", handle=handle, seconds=0) for name, handle in begun["handles"].items()}
            (idle,) = (name for name, turn in turns.items() if turn["status"] == "not_yet")
            waiting = asyncio.create_task(call("wait_for_turn", handle=begun["handles"][idle]))
            await call("list_games")
            server.process.send_signal(number)
            with pytest.raises(ValueError, match="paused: the server stopped it"):
                await waiting
        _, errors = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 3, errors
        assert errors.splitlines()[-1].startswith(f"tabletop: Paused: {Path(begun['log']).name}. A server of the same folder")
    assert read_log(tmp_path / begun["log"]).records[-1][1]["kind"] == "pause"


def piped_server(folder: Path) -> subprocess.Popen[str]:
    """A server over stdio, to be talked to line by line."""
    return subprocess.Popen(
        [sys.executable, "-m", "runner", "mcp"],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_standard_output_carries_the_protocol_alone_and_the_server_ends_with_its_client(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENROUTER_API_KY=x\n", encoding="utf-8")  # a note about that goes to standard error
    call = {"name": "new_match", "arguments": {"game": "coup", "seats": ["mcp", "bot:steady"]}}
    lines = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    process = piped_server(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("".join(f"{json.dumps(line)}\n" for line in lines))
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    rest, errors = process.communicate(timeout=PATIENCE)
    assert [answer["id"] for answer in answers] == [1, 2]
    assert rest == ""
    assert process.returncode == 3
    assert "OPENROUTER_API_KY" in errors
    assert "Paused: coup-" in errors.splitlines()[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_server_whose_client_stays(number: signal.Signals, tmp_path: Path) -> None:
    process = piped_server(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{json.dumps(INITIALIZE)}\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    process.send_signal(number)
    assert process.wait(timeout=PATIENCE) == 0
    process.communicate()


def test_a_message_that_is_too_long_ends_the_server_with_a_sentence(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "runner", "mcp"],
        cwd=tmp_path,
        env=environment(),
        input=json.dumps({**INITIALIZE, "more": "x" * 1_100_000}),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tabletop: The client sent a message of more than 1,048,576 bytes: the server has ended.\n"
