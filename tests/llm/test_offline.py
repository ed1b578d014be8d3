"""The offline model: deterministic, in every form of answer, through the real client."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runner.llm.call import Attempt
from runner.llm.client import Client
from runner.llm.offline import OFFLINE_URL, PROVIDER, OfflineModel
from runner.llm.outcome import Delivered
from runner.llm.parse_answer import extract
from runner.llm.request import AnswerForm, Model, Request

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "card": {"type": "string", "enum": ["owl", "key", "tide"], "description": "a card of your hand"},
        "quote": {"type": "string", "description": "a quote, one line"},
    },
    "required": ["card", "quote"],
    "additionalProperties": False,
}


def request(form: AnswerForm, name: str = "offline") -> Request:
    words = f"Choose.\n```json\n{json.dumps(SCHEMA, indent=2)}\n```"
    return Request(Model(name, OFFLINE_URL, "", ""), ({"role": "user", "content": words},), SCHEMA, form)


async def ignore(attempt: Attempt) -> None:
    pass


@pytest.mark.parametrize("form", list(AnswerForm))
async def test_answers_in_every_form_fit_the_schema(form: AnswerForm) -> None:
    async with Client(offline=OfflineModel(seed=3)) as client:
        outcome = await client.complete(request(form), on_attempt=ignore)
    assert isinstance(outcome, Delivered)
    answer = extract(outcome.reply.text).data
    assert set(answer) == {"card", "quote"}
    assert answer["card"] in SCHEMA["properties"]["card"]["enum"]
    assert answer["quote"].strip()
    assert "\n" not in answer["quote"]
    assert outcome.reply.provider == PROVIDER
    assert outcome.reply.cost == 0


def test_the_same_request_gets_the_same_answer_whatever_came_before() -> None:
    bodies = [json.dumps(request(form).body()).encode() for form in AnswerForm]
    forwards = [OfflineModel(seed=1).handle("POST", "/v1/chat/completions", {}, body) for body in bodies]
    model = OfflineModel(seed=1)
    backwards = [model.handle("POST", "/v1/chat/completions", {}, body) for body in reversed(bodies)]
    assert forwards == backwards[::-1]
    assert forwards != [OfflineModel(seed=2).handle("POST", "/v1/chat/completions", {}, body) for body in bodies]
