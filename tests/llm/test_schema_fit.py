"""Side objects beside the answer: only those that fit the schema compete, and two different ones are ambiguous."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import answer_schema, free_text, one_of
from runner.llm.parse_answer import extract, fits
from runner.llm.strict_json import Unreadable

SCHEMA = answer_schema(action=one_of(["tax", "foreign aid", "coup"], "a"), target=one_of(["none", "P-1"], "t"))
QUOTE = answer_schema(card=one_of([1, 2], "c"), quote=free_text("q"))
TAX, AID = {"action": "tax", "target": "none"}, {"action": "foreign aid", "target": "none"}
FENCES = "Draft:\n```json\n{}\n```\nFinal:\n```json\n{}\n```"


@pytest.mark.parametrize(
    "text",
    [
        f'Payoffs {{"tax": 3, "coup": 1}} so: {json.dumps(TAX)}',
        f"{json.dumps(SCHEMA)}\n{json.dumps(TAX)}",
        FENCES.format('{"action": "tax"}', json.dumps(TAX)),
        FENCES.format('{"action": "think", "target": "none"}', json.dumps(TAX)),
        f'{json.dumps(TAX)} {{"confidence": 0.9}} {json.dumps(TAX)}',
        f'{{"coins": 3}} {json.dumps({"name": "answer", "arguments": TAX})}',
    ],
)
def test_the_object_that_fits_is_the_answer(text: str) -> None:
    assert extract(text, SCHEMA).data == TAX


@pytest.mark.parametrize(
    "text",
    [
        f"{json.dumps(TAX)} or {json.dumps(AID)}",
        FENCES.format(json.dumps(AID), json.dumps(TAX)),
        '{"tax": 3} {"coup": 1}',
        f'{json.dumps(TAX)} {{"answer": {json.dumps(AID)}}}',
    ],
)
def test_what_can_mean_two_things_is_ambiguous(text: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        extract(text, SCHEMA)
    assert refusal.value.kind == "ambiguous"


@pytest.mark.parametrize(
    ("data", "schema", "does"),
    [
        ({"action": "Foreign_Aid", "target": "p1", "reasoning": "x"}, SCHEMA, True),
        ({"answer": TAX}, SCHEMA, True),
        ({"action": "tax"}, SCHEMA, False),
        ({"action": ["tax"], "target": None}, SCHEMA, False),
        ({"card": 2, "quote": "q"}, QUOTE, True),
        ({"card": "2", "quote": 3}, QUOTE, False),
        ({"card": 2, "quote": "q"}, {}, False),
    ],
)
def test_what_fits(data: dict[str, Any], schema: dict[str, Any], does: bool) -> None:
    assert fits(data, schema) is does


@given(st.lists(st.sampled_from([{"tax": 3}, {"a": {}}, {"action": "tax"}, SCHEMA]), max_size=4), st.integers(0, 4))
def test_no_side_object_changes_an_answer(sides: list[dict[str, Any]], place: int) -> None:
    texts = [json.dumps(side) for side in sides]
    texts.insert(place, json.dumps(TAX))
    assert extract(" then ".join(texts), SCHEMA).data == TAX
