"""The client around a call: the breaker, concurrency, what is found out without asking, and nothing imported too early."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from typing import Any

import pytest

from runner.llm.call import Attempt, RetryPolicy
from runner.llm.client import Client
from runner.llm.offline import OFFLINE_URL
from runner.llm.outcome import AccountProblem, Delivered, Outage
from tests.llm.odd_server import OddServer, completion, error, reply
from tests.llm.support import ask, ask_with, model, request
from tests.patience import PATIENCE


async def test_a_refused_key_stops_every_call_with_it_without_another_request() -> None:
    async with OddServer([reply(error(401, "no such key"), 401)]) as server, Client() as client:
        first = await ask_with(client, request(model(server.base_url)))
        others = [
            await ask_with(client, request(model(server.base_url, name=name))) for name in ("vendor/model", "vendor/other")
        ]
        assert len(server.bodies) == 1
        good = await ask_with(client, request(model(server.base_url, key="another-good-key")))
    assert all(isinstance(asked.end, AccountProblem) for asked in (first, *others))
    assert [asked.attempts for asked in others] == [[], []]
    assert "TEST_KEY" in str(first.end)
    assert isinstance(good.end, Delivered)


async def test_a_refused_model_leaves_the_others_of_its_key_alone() -> None:
    async with OddServer([reply(error(404, "no endpoints found for it"), 404)]) as server, Client() as client:
        first = await ask_with(client, request(model(server.base_url)))
        again = await ask_with(client, request(model(server.base_url)))
        other = await ask_with(client, request(model(server.base_url, name="vendor/other")))
    assert isinstance(first.end, AccountProblem)
    assert isinstance(again.end, AccountProblem)
    assert again.attempts == []
    assert isinstance(other.end, Delivered)


async def test_a_bad_request_stops_its_match_alone() -> None:
    refusals = [reply(error(400, "bad"), 400)] * 7  # one for each step down
    async with OddServer(refusals) as server, Client() as client:
        assert isinstance((await ask_with(client, request(model(server.base_url)))).end, AccountProblem)
        assert isinstance((await ask_with(client, request(model(server.base_url)))).end, Delivered)


async def test_a_reply_is_logged_even_when_the_match_is_stopped_meanwhile() -> None:
    logging, logged = asyncio.Event(), []

    async def slowly(attempt: Attempt) -> None:
        logging.set()
        await asyncio.sleep(0.05)
        logged.append(attempt)

    async with OddServer() as server, Client() as client:
        call = asyncio.create_task(client.complete(request(model(server.base_url)), on_attempt=slowly))
        await logging.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert [attempt.outcome.kind for attempt in logged] == ["delivered"]


async def test_connections_are_used_again_one_after_the_other_and_in_numbers() -> None:
    async with OddServer() as server, Client() as client:
        question = request(model(server.base_url))
        for _ in range(5):
            await ask_with(client, question)
        assert server.connections == 1
        for _ in range(3):
            ends = await asyncio.gather(*(ask_with(client, question) for _ in range(40)))
            assert all(isinstance(asked.end, Delivered) for asked in ends)
        assert server.connections <= 3 * 16


async def test_a_proxy_in_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with OddServer() as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        asked = await ask(model("http://models.invalid/v1"))
    assert isinstance(asked.end, Delivered)
    assert proxy.heads[0].startswith("POST http://models.invalid/v1/chat/completions")


async def test_a_proxy_of_no_use_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", "socks5://name:word@127.0.0.1:1")
    asked = await ask(model("http://models.invalid/v1"))
    assert isinstance(asked.end, AccountProblem)
    assert "socks5 proxy" in str(asked.end)
    assert "word" not in str(asked.end)


async def test_no_socket_is_left_open_by_a_limit_that_strikes_while_idle_connections_are_closed() -> None:
    closed: list[asyncio.StreamWriter] = []

    async def answer_and_hang_up(writer: asyncio.StreamWriter) -> None:
        await reply(completion())(writer)
        closed.append(writer)

    async with (
        asyncio.timeout(PATIENCE),
        OddServer(after=answer_and_hang_up) as server,
        Client(policy=RetryPolicy(slow_attempts=1)) as client,
    ):
        await asyncio.gather(*(ask_with(client, request(model(server.base_url))) for _ in range(60)))
        for writer in closed:
            writer.close()
        await asyncio.sleep(0.05)
        for limit in (0.002, 0.004, 0.006, 0.008):
            await ask_with(client, request(model(server.base_url, time_limit=limit)))
    gc.collect()


async def test_a_log_that_cannot_be_written_stops_the_call() -> None:
    async def fail(attempt: Attempt) -> None:
        raise OSError("no space left")

    async with OddServer([reply(error(500), 500)]) as server, Client() as client:
        with pytest.raises(OSError, match="space"):
            await client.complete(request(model(server.base_url)), on_attempt=fail)
        assert len(server.bodies) == 1


async def test_an_outage_mends() -> None:
    async with OddServer([reply(error(503), 503)] * 8) as server, Client() as client:
        question = request(model(server.base_url))
        client._policy = RetryPolicy(first_backoff=0.001)
        assert isinstance((await ask_with(client, question)).end, Outage)
        assert isinstance((await ask_with(client, question)).end, Delivered)


async def test_no_more_calls_at_once_than_a_model_takes() -> None:
    busiest = busy = 0

    async with OddServer() as server, Client() as client:
        good = server.after

        async def slowly(writer: asyncio.StreamWriter) -> None:
            nonlocal busy, busiest
            busy += 1
            busiest = max(busy, busiest)
            await asyncio.sleep(0.02)
            busy -= 1
            await good(writer)

        server.after = slowly
        question = request(model(server.base_url, max_in_flight=3))
        await asyncio.gather(*(ask_with(client, question) for _ in range(12)))
    assert busiest == 3


@pytest.mark.parametrize(
    "changes", [{"key": "line\nbreak-key"}, {"key": "kéy-with-accent"}, {"headers": {"x-api-key": "a\r\nb: c"}}]
)
async def test_a_key_that_cannot_be_sent_is_a_sentence_without_the_key(changes: dict[str, Any]) -> None:
    async with OddServer() as server:
        asked = await ask(model(server.base_url, **changes))
    assert isinstance(asked.end, AccountProblem)
    assert "TEST_KEY" in str(asked.end)
    assert "break-key" not in repr(asked.end)
    assert server.heads == []


async def test_an_address_that_is_none_is_a_problem_not_an_outage() -> None:
    asked = await ask(model("ftp://127.0.0.1/v1"))
    assert isinstance(asked.end, AccountProblem)
    assert asked.attempts == []


async def test_models_are_listed_once_for_all_matches() -> None:
    asked = 0

    async def page(writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.01)
        await reply({"data": [{"id": "vendor/model"}]})(writer)

    async with OddServer(pages={"/models": page}) as server, Client() as client:
        names = [f"vendor/model-{number}" for number in range(10)]
        await asyncio.gather(*(client.choose_form(model(server.base_url, name=name)) for name in names))
    assert asked == 1


async def test_inspection_tells_what_is_there() -> None:
    pages = {
        "/models": {
            "data": [{"id": "vendor/model", "pricing": {"prompt": "0.1", "completion": "0.2"}}, {"id": "vendor/other"}]
        },
        "/key": {"data": {"limit": 10, "limit_remaining": 2.5, "usage": 7.5}},
    }
    async with OddServer(pages=pages) as server, Client() as client:
        found = await client.inspect(model(server.base_url))
    assert found.is_reachable
    assert found.accepts_key
    assert found.listed == 2
    assert found.entry is not None
    assert found.entry.prices is not None
    assert found.credit == 2.5


async def test_inspection_tells_what_is_wrong() -> None:
    async with Client() as client:
        async with OddServer(pages={"/key": reply(error(401), 401)}) as server:
            refused = await client.inspect(model(server.base_url))
        gone = await client.inspect(model(server.base_url))
        offline = await client.inspect(model(OFFLINE_URL, name="offline"))
    assert refused.accepts_key is False
    assert not gone.is_reachable
    assert gone.why
    assert offline.entry is not None


def test_nothing_imports_the_sdk_before_a_model_is_called() -> None:
    modules = ("request", "outcome", "parse_answer", "budget", "call", "client", "offline", "negotiation", "wire.replies")
    code = "; ".join(f"import runner.llm.{module}" for module in modules)
    check = f"import sys; {code}; assert not {{'openai', 'httpx2', 'aiohttp', 'json_repair'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True)


async def test_of_an_endless_reply_a_bounded_part_is_read() -> None:
    written = 0

    async def flood(writer: asyncio.StreamWriter) -> None:
        nonlocal written
        writer.write(b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\n\r\n")
        while True:
            writer.write(b"[" * 1_000_000)
            await writer.drain()
            written += 1_000_000

    async with OddServer([flood]) as server:
        asked = await ask(model(server.base_url, time_limit=30.0))
    assert asked.kinds == ["broken_json", "delivered"]
    assert written < 40_000_000
    reply = asked.attempts[0].outcome.reply
    assert reply is not None
    assert len(reply.raw) == 65_536 < reply.raw_length
