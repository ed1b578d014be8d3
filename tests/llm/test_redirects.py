"""Redirects are not followed: no key, header or prompt goes to an address that nobody named. A query goes with each request."""

from __future__ import annotations

import pytest

from runner.llm.client import Client
from runner.llm.outcome import AccountProblem
from tests.llm.odd_server import OddServer, completion, reply
from tests.llm.support import ask, model


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
@pytest.mark.parametrize("is_same_host", [False, True])
async def test_a_redirected_call_ends_where_it_was_sent(status: int, is_same_host: bool) -> None:
    async with OddServer() as other, OddServer() as server:
        target = (server if is_same_host else other).base_url + "/elsewhere"
        server.plays = [reply("", status, headers={"location": target}), reply(completion())]
        asked = await ask(model(server.base_url, headers={"x-api-key": "canary-header"}))
    assert (len(server.bodies), other.connections) == (1, 0)
    assert asked.kinds == ["redirected"]
    assert isinstance(asked.end, AccountProblem)
    assert target in str(asked.end)


async def test_a_redirect_shows_no_password_and_needs_no_target() -> None:
    plays = [reply("", 302, headers={"location": "http://u:pw-canary@host/"}), reply("<html>moved</html>", 302)]
    async with OddServer(plays) as server:
        first, second = await ask(model(server.base_url)), await ask(model(server.base_url))
    assert "pw-canary" not in repr(first)
    assert "http://[key]@host/" in str(first.end)
    assert "without saying where" in str(second.end)


async def test_a_redirected_list_is_no_list() -> None:
    listed = {"data": [{"id": "vendor/model"}]}
    async with OddServer(pages={"/models": listed}) as other, OddServer() as server:
        server.pages["/models"] = reply("", 302, headers={"location": f"{other.base_url}/models"})
        async with Client() as client:
            assert await client.models(model(server.base_url)) == ()
    assert other.connections == 0


async def test_the_query_of_a_base_url_goes_with_every_request() -> None:
    listed = {"data": [{"id": "vendor/model"}]}
    async with OddServer(pages={"/models?api-version=2024-10-21": listed}) as server:
        of = model(f"{server.base_url}/?api-version=2024-10-21")
        asked = await ask(of)
        async with Client() as client:
            assert [entry.name for entry in await client.models(of)] == ["vendor/model"]
    assert asked.kinds == ["delivered"]
    assert server.heads[0].startswith("POST /v1/chat/completions?api-version=2024-10-21 HTTP/1.1")
