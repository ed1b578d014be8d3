"""Two agents of one model at one endpoint: what one learns is known to both, and each keeps what was set for it alone."""

from __future__ import annotations

from runner.llm.client import Client
from runner.llm.request import AnswerForm
from tests.llm.odd_server import OddServer
from tests.llm.support import ask_with, model, request


async def test_a_form_that_is_fixed_holds_for_its_agent_alone() -> None:
    async with OddServer() as server, Client() as client:
        forms = [await client.choose_form(model(server.base_url, form=form)) for form in (None, AnswerForm.TEXT, None)]
    assert forms == [AnswerForm.STRICT_SCHEMA, AnswerForm.TEXT, AnswerForm.STRICT_SCHEMA]


async def test_a_form_that_was_learnt_strengthens_no_request() -> None:
    async with OddServer() as server, Client() as client:
        of = model(server.base_url)
        state = client._line(of)
        state.capabilities = state.capabilities.__class__(form=AnswerForm.JSON_OBJECT)
        for form in AnswerForm:
            await ask_with(client, request(of, form))
        await ask_with(client, request(model(server.base_url, form=AnswerForm.TOOL), AnswerForm.TOOL))
    kinds = [body.get("response_format", body.get("tools", [{}])[0]).get("type") for body in server.bodies]
    assert kinds == ["json_object", "json_object", "json_object", None, "function"]


async def test_a_bound_that_was_learnt_raises_no_other() -> None:
    listed = {"data": [{"id": "vendor/model", "top_provider": {"max_completion_tokens": 3000}}]}
    async with OddServer(pages={"/models": listed}) as server, Client() as client:
        for bound in (4096, 200):
            of = model(server.base_url, max_tokens=bound)
            await client.choose_form(of)
            await ask_with(client, request(of))
    assert [body["max_tokens"] for body in server.bodies] == [3000, 200]
