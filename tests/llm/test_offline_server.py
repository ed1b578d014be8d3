"""The offline server: every fault, requests of other clients, and a clean end on a signal."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import urllib.request
from typing import Any

import pytest
from openai import AsyncOpenAI, InternalServerError

from runner.llm.call import RetryPolicy
from runner.llm.client import Client
from runner.llm.offline import BEHAVIOURS, FAULTS, Faults, OfflineModel
from runner.llm.offline_server import OfflineServer
from runner.llm.outcome import Delivered, ModelMistake
from tests.llm.support import ask, ask_with, model, request
from tests.patience import PATIENCE

EXPECTED = {
    "rate_limit": "throttled",
    "server_error": "server_error",
    "bad_gateway": "bad_gateway",
    "drip": "timeout",
    "cut": "connection_cut",
    "broken_json": "broken_json",
    "slow": "timeout",
    "html": "web_page",
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_is_what_it_says_and_the_next_request_is_answered(fault: str) -> None:
    limit = 0.8 if EXPECTED[fault] == "timeout" else 60.0
    async with OfflineServer(faults=Faults(script=(fault,))) as server:
        asked = await ask(model(server.base_url, name="offline", time_limit=limit))
    assert asked.kinds == [EXPECTED[fault], "delivered"]
    assert (server.requests, server.answered) == (2, 1)


def test_faults_come_at_their_rate_and_alike_for_a_seed() -> None:
    sequence = Faults(rate=0.2).sequence(seed=1)
    drawn = [next(sequence) for _ in range(5000)]
    assert 0.17 < sum(fault != "fine" for fault in drawn) / 5000 < 0.23
    again = Faults(rate=0.2).sequence(seed=1)
    assert drawn == [next(again) for _ in range(5000)]


@pytest.mark.parametrize("wrong", [{"rate": 1.5}, {"script": ("flood",)}, {"kinds": ("flood",)}])
def test_wrong_orders_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="fault"):
        Faults(**wrong)


async def test_mistakes_come_at_their_rate() -> None:
    async with OfflineServer(OfflineModel(seed=2, mistake_rate=1.0)) as server, Client() as client:
        ends = [
            (await ask_with(client, request(model(server.base_url, name="offline", max_tokens=n)))).end for n in range(100, 130)
        ]
    texts = [end.reply.text for end in ends if isinstance(end, Delivered)]
    assert any(isinstance(end, ModelMistake) for end in ends)
    assert any("```" in text for text in texts)
    assert any('"not ' in text for text in texts)
    assert any("{" not in text for text in texts)


@pytest.mark.parametrize("habit", [habit for habit in BEHAVIOURS if habit not in ("failing", "slow")])
async def test_models_of_one_habit(habit: str) -> None:
    async with OfflineServer() as server:
        asked = await ask(model(server.base_url, name=f"offline/{habit}"))
    assert isinstance(asked.end, ModelMistake if habit in ("truncated", "empty") else Delivered)


@pytest.mark.parametrize(("habit", "kind"), [("failing", "overloaded"), ("slow", "timeout")])
async def test_models_that_never_answer(habit: str, kind: str) -> None:
    limit = 0.3 if habit == "slow" else 30.0
    async with OfflineServer() as server:
        asked = await ask(model(server.base_url, name=f"offline/{habit}", time_limit=limit), policy=RetryPolicy(attempts=2))
    assert asked.kinds == [kind, kind]


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET /v1/nothing HTTP/1.1\r\nhost: x\r\n\r\n", b"404"),
        (b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\n{x}", b"400"),
        (b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n[]", b"400"),
        (b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n", b"413"),
        (b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n", b"400"),
        (b"GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", b"200"),
        (b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 0\r\n\r\n", b"100"),
    ],
)
async def test_requests_of_any_kind_get_a_response(raw: bytes, status: bytes) -> None:
    async with OfflineServer() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(raw)
        line = await reader.readline()
        writer.close()
        await writer.wait_closed()
    assert line.split(b" ")[1] == status


SERVE = """
import asyncio
from runner.llm.offline_server import serve
asyncio.run(serve(seed=4, on_ready=lambda url: print(url, flush=True)))
"""


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
async def test_ends_cleanly_on_a_signal_with_a_connection_open(signal_number: int) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "error", "-c", SERVE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    url = (await process.stdout.readline()).decode().strip()
    async with Client() as client:
        assert isinstance((await ask_with(client, request(model(url, name="offline")))).end, Delivered)
        process.send_signal(signal_number)
        _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0
    assert errors == b""


@pytest.mark.parametrize("form", ["response_format", "tools"])
async def test_a_stream_holds_what_a_whole_answer_holds(form: str) -> None:
    schema = {"type": "object", "properties": {"line": {"type": "string"}}}
    how: Any = {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}}
    if form == "tools":
        how = {"tools": [{"type": "function", "function": {"name": "answer", "parameters": schema}}]}
    asked: Any = {"model": "offline", "messages": [{"role": "user", "content": "hello"}], **how}
    async with OfflineServer() as server, AsyncOpenAI(api_key="none", base_url=server.base_url) as client:
        whole = await client.chat.completions.create(**asked)
        plain = [chunk async for chunk in await client.chat.completions.create(**asked, stream=True)]
        counted = [
            chunk
            async for chunk in await client.chat.completions.create(
                **asked, stream=True, stream_options={"include_usage": True}
            )
        ]
        with pytest.raises(InternalServerError):
            await client.with_options(max_retries=0).chat.completions.create(model="offline/failing", messages=[], stream=True)
    for chunks in (plain, counted):
        choices = [choice for chunk in chunks for choice in chunk.choices]
        calls = [call for choice in choices for call in choice.delta.tool_calls or ()]
        if form == "tools":
            said = "".join(call.function.arguments or "" for call in calls if call.function)
            assert said == whole.choices[0].message.tool_calls[0].function.arguments
        else:
            assert "".join(choice.delta.content or "" for choice in choices) == whole.choices[0].message.content
        assert [choice.finish_reason for choice in choices if choice.finish_reason] == ["stop"]
    assert not any(chunk.usage for chunk in plain)
    assert (counted[-1].usage, counted[-1].choices) == (whole.usage, [])


async def test_any_http_client_can_ask() -> None:
    def ask_plainly(url: str) -> object:
        body = json.dumps({"model": "offline", "messages": [{"role": "user", "content": "hello"}]}).encode()
        with urllib.request.urlopen(urllib.request.Request(f"{url}/chat/completions", body)) as response:
            return json.load(response)["choices"][0]["message"]["content"]

    async with OfflineServer() as server:
        assert await asyncio.to_thread(ask_plainly, server.base_url)
