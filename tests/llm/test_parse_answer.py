"""Reading answers: what counts as one object, what is refused, and that nothing is ever made up."""

from __future__ import annotations

import json
import os
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.llm.parse_answer import LARGEST, extract
from runner.llm.strict_json import Unreadable

EXAMPLES = 200 if "TABLETOP_CAMPAIGN" in os.environ else 80
MOVE = '{"action": "bid", "amount": 120}'
DATA = {"action": "bid", "amount": 120}
OTHER = '{"action": "pass", "amount": 0}'

PROPERTIES = {"action": {"type": "string", "enum": ["bid", "pass"]}, "amount": {"type": "integer", "enum": [0, 120]}}
SCHEMA: dict[str, Any] = {"type": "object", "properties": PROPERTIES, "required": ["action", "amount"]}
FIELDS = (("action", "bid"), ("amount", "120"))


def in_xml(call: str, argument: str, space: str = "") -> str:
    """The move as a call in XML: the tags of the call and of an argument without their brackets."""
    closing = [re.split(r"[ =]", tag)[0] for tag in (call, argument)]
    inside = "".join(f"\n<{argument.format(name)}>{space}{value}{space}</{closing[1]}>" for name, value in FIELDS)
    return f"<{call}>{inside}\n</{closing[0]}>"


SHAPES = {
    "Qwen's call": in_xml("function=answer", "parameter={}", "\n"),
    "Qwen's call in its tags": f"<tool_call>\n{in_xml('function=answer', 'parameter={}', ' ')}\n</tool_call>",
    "Claude's call": in_xml('invoke name="answer"', 'parameter name="{}"'),
    "a call in a name space": in_xml('minimax:invoke name="answer"', 'minimax:parameter name="{}"'),
    "GLM's call": "<tool_call>answer" + "".join(
        f"\n<arg_key>{name}</arg_key>\n<arg_value>{value}</arg_value>" for name, value in FIELDS
    ),
    "a call behind a thought": f"<think>or {OTHER}?</think>{in_xml('function=answer', 'parameter={}')}",
    "Gemma's thought": f"<|channel>thought\nmaybe {OTHER} or {MOVE}?<channel|>{MOVE}",
    "gpt-oss, leaked": f"analysisWe may {OTHER}.assistantfinal{MOVE}",
    "gpt-oss, leaked call": f"analysisWe may {OTHER}.assistantcommentary to=functions.answer json{MOVE}",
    "Granite's thought": f"Here is my thought process:\nmaybe {OTHER}\n\nHere is my response:\n{MOVE}",
    "full-width punctuation": "｛＂action＂：＂bid＂，＂amount＂：120｝",
    "some full-width punctuation": '{"action"："bid"，"amount": 120}',
    "a thought without an end, then the answer": f"<think>\nI may bid or pass.\n\n{MOVE}",
    "a draft in a block that is not the first": f"Sure.\n<analysis>maybe {OTHER}</analysis>\n{MOVE}",
}  # fmt: skip

READABLE = {
    "plain": MOVE,
    "blanks around": f"\n\n  {MOVE}\t\n",
    "byte order mark": "\ufeff" + MOVE,
    "fenced": f"```json\n{MOVE}\n```",
    "fenced without a language": f"```\n{MOVE}\n```",
    "fenced, never closed": f"```json\n{MOVE}",
    "preamble": f"Here is my move: {MOVE}",
    "afterword": f"{MOVE}\nI hope that helps!",
    "prose with braces": f"I choose {{option 3}}, so {MOVE}",
    "said twice alike": f"{MOVE}\n\nTo repeat:\n```json\n{MOVE}\n```",
    "said twice, keys in another order": f'{MOVE} {{"amount": 120, "action": "bid"}}',
    "thought first": f"<think>maybe {OTHER}?</think>\n{MOVE}",
    "thought first, in capitals": f"<THINK>{OTHER}</THINK>{MOVE}",
    "thinking tag": f"<thinking>\n{OTHER}\n</thinking>{MOVE}",
    "thought whose start was cut by the template": f"maybe {OTHER}\n</think>\n\n{MOVE}",
    "thought with half an object, its start cut": f'try {{"action": </think>{MOVE}',
    "thought with brackets": f"[THINK]{OTHER}[/THINK]{MOVE}",
    **{
        f"{begin} at the start": f"\n{begin}a draft: {OTHER}{end}\n{MOVE}"
        for begin, end in (
            ("<seed:think>", "</seed:think>"),
            ("<antThinking>", "</antThinking>"),
            ("◁think▷", "◁/think▷"),
            ('<details type="reasoning" done="true">', "</details>"),
            ("<unused94>thought\n", "<unused95>"),
            ("<plan>", "</plan>"),
            ("<my_thoughts>", "</my_thoughts>"),
            ("<|START_THINKING|>", "<|END_THINKING|>"),
            ("<|begin_of_thought|>", "<|end_of_thought|>"),
        )
    },
    "a thought whose start was cut, another family": f"maybe {OTHER}\n</seed:think>\n\n{MOVE}",
    "answer tags and a word": f"<answer>{MOVE}</answer> {{thanks}}",
    "harmony": f"<|channel|>analysis<|message|>{OTHER}<|end|><|start|>assistant<|channel|>final<|message|>{MOVE}<|return|>",
    "harmony tool call": f"<|channel|>commentary to=functions.answer <|constrain|>json<|message|>{MOVE}<|call|>",
    "tool call as text": f'<tool_call>\n{{"name": "answer", "arguments": {MOVE}}}\n</tool_call>',
    "tool call as text, arguments in a string": json.dumps({"name": "answer", "arguments": MOVE}),
    "tool call with parameters": f'[TOOL_CALLS][{{"name": "answer", "parameters": {MOVE}}}]',
    "tool call nested": f'{{"type": "function", "function": {{"name": "answer", "arguments": {MOVE}}}}}',
    "answer tags": f"<answer>{MOVE}</answer>",
    "list of one": f"[{MOVE}]",
    "encoded twice": json.dumps(MOVE),
    "trailing comma": '{"action": "bid", "amount": 120,}',
    "single quotes": "{'action': 'bid', 'amount': 120}",
    "typographic quotes": "{“action”: “bid”, “amount”: 120}",
    "keys without quotes": '{action: "bid", amount: 120}',
    "a comment": '{"action": "bid", // my bid\n "amount": 120}',
    "a comment with numbers": '{"action": "bid", "amount": 120 // 100 or 120\n}',
    "no commas": '{"action": "bid"\n "amount": 120}',
}

UNREADABLE = {
    "empty": ("", "empty"),
    "blank": (" \n ", "empty"),
    "prose": ("I bid one hundred and twenty.", "no_object"),
    "prose that names a move": ("Final Answer: bid 120. This is solid.", "no_object"),
    "only braces in prose": ("I choose {option 3} because it wins.", "no_object"),
    "list of values": ("[1, 2, 3]", "no_object"),
    "a number": ("120", "no_object"),
    "refusal": ("I'm sorry, but I can't help with that.", "refused"),
    "refusal with a typographic apostrophe": ("I’m sorry, I won’t.", "refused"),
    "cut in a number": ('{"action": "bid", "amount": 12', "unfinished"),
    "cut in a string": ('{"action": "bi', "unfinished"),
    "cut after a comma": ('{"action": "bid",', "unfinished"),
    "cut after an inner object": ('{"moves": [{"action": "pass"},', "unfinished"),
    "cut after a whole object": (MOVE + ' or {"action": "pa', "unfinished"),
    "cut inside a fence": ('```json\n{"action": "bid"\n```', "unfinished"),
    "two that differ": (f"{MOVE} or {OTHER}", "ambiguous"),
    "two fences that differ": (f"```json\n{OTHER}\n```\nno:\n```json\n{MOVE}\n```", "ambiguous"),
    "a list of two": (f"[{MOVE}, {OTHER}]", "ambiguous"),
    "one broken, one whole, different": ("{'action': 'pass'} " + MOVE, "ambiguous"),
    "numbers to choose from": ('{"action": "bid", "amount": 100 | 120}', "ambiguous"),
    "one number or another": ("{'action': 'bid', amount: 100 or 120}", "ambiguous"),
    "a key twice": ('{"action": "bid", "action": "pass"}', "ambiguous"),
    "a key twice, to be repaired": ("{'action': 'bid', 'action': 'pass'}", "ambiguous"),
    "half an object in thoughts": ('{"a": "</think>', "reasoning_only"),
    "very many": ('{"a":1} ' * 100, "ambiguous"),
    "only thoughts": (f"<think>{MOVE}</think>", "reasoning_only"),
    "thoughts without an end": (f"<think>perhaps {MOVE}", "reasoning_only"),
    "thoughts without an end, a draft": (f"<think>perhaps {OTHER}\n{MOVE}", "reasoning_only"),
    "an argument twice": (in_xml("function=answer", "parameter=x"), "no_object"),
    "a draft in a block with an answer's name": (f"<answer>{OTHER}</answer>\n{MOVE}", "ambiguous"),
    "only thoughts, another family": (f"<seed:think>{MOVE}</seed:think>", "reasoning_only"),
    "answer tags beside another answer": (f"<answer>{MOVE}</answer>{OTHER}", "ambiguous"),
    "only analysis": (f"<|channel|>analysis<|message|>{MOVE}<|end|>", "reasoning_only"),
    "not a number": ('{"amount": NaN}', "bad_number"),
    "infinite": ('{"amount": -Infinity}', "bad_number"),
    "infinite by size": ('{"amount": 1e999}', "bad_number"),
    "many digits": ('{"amount": ' + "9" * 5000 + "}", "bad_number"),
    "more than 2**53": ('{"amount": 9007199254740993}', "bad_number"),
    "many digits, to be repaired": ("{'amount': " + "9" * 400 + "}", "bad_number"),
    "deep list": ("[" * 5000, "too_deep"),
    "deep object": ('{"a":' * 900, "too_deep"),
    "long": ("x" * (LARGEST + 1), "too_long"),
}


@pytest.mark.parametrize("name", READABLE)
def test_readable(name: str) -> None:
    assert extract(READABLE[name]).data == DATA


@pytest.mark.parametrize("name", SHAPES)
def test_unmistakable(name: str) -> None:
    found = extract(SHAPES[name], SCHEMA)
    assert {field: str(value) for field, value in found.data.items()} == {"action": "bid", "amount": "120"}
    assert found.is_repaired
    with pytest.raises(Unreadable):
        extract(SHAPES[name], is_complete=False)


@pytest.mark.parametrize("wrapping", ['{{"x": {{"answer": {}}}}}', '{{"a": {{"b": {{"answer": {}}}}}}}'])
def test_one_wrapper_at_most_is_left(wrapping: str) -> None:
    assert extract(wrapping.format(MOVE), SCHEMA).data == {"answer": DATA}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable(name: str) -> None:
    text, kind = UNREADABLE[name]
    with pytest.raises(Unreadable) as caught:
        extract(text)
    assert caught.value.kind == kind
    assert len(caught.value.why) < 200


def test_says_whether_it_was_repaired() -> None:
    assert not extract(READABLE["fenced"]).is_repaired
    assert extract(READABLE["single quotes"]).is_repaired


@pytest.mark.parametrize("text", ["{'action': 'bid', 'amount': 120}", f"well: {MOVE}", '{"action": "bid", "amount": 12'])
def test_incomplete_text_is_never_repaired_nor_searched(text: str) -> None:
    with pytest.raises(Unreadable):
        extract(text, is_complete=False)


def test_incomplete_text_that_is_one_object_is_whole() -> None:
    assert extract(f"  {MOVE}\n", is_complete=False).data == DATA


def test_quotes_and_braces_inside_text_are_text() -> None:
    quote = 'a "house" of {cards} <think>falls</think> ```down```'
    assert extract("Mine: " + json.dumps({"quote": quote})).data == {"quote": quote}


def test_lone_surrogates_become_replacement_characters() -> None:
    assert extract('{"quote": "\\ud83dowl"}').data == {"quote": "\ufffdowl"}
    assert extract('{"quote": "\ud83dowl"}').data == {"quote": "\ufffdowl"}
    assert extract('{"quote": "\\ud83e\\udd89"}').data == {"quote": "🦉"}


@pytest.mark.parametrize(
    "text",
    [
        "{" * 60_000,
        '{"a' * 20_000,
        '"{' * 30_000,
        "<think>" * 8_000,
        "<a>" * 20_000,
        "<a " + "<" * 60_000,
        "<unused1>" * 7_000,
        "<parameter=a>" * 4_000,
        "<parameter=a>" + "<a" * 30_000,
        "analysis" + "assistan" * 7_000,
        "｛" + '"' * 60_000,
        "".join(f"<a{number}>" for number in range(8_000)),
        '{"a":"' * 60 + "x" * 60_000,
        "{'a': " * 60 + "\\" * 50_000,
    ],
)
def test_hostile_text_is_read_in_no_time(text: str) -> None:
    began = time.process_time()
    with pytest.raises(Unreadable):
        extract(text)
    assert time.process_time() - began < 2.0


MARKS = [
    "<think>",
    "</think>",
    "```json\n",
    "```",
    "<|channel|>final<|message|>",
    "<|end|>",
    "<tool_call>",
    "</tool_call>",
    "//",
]
PARTS = ['"amount": ', "12", "null", "true", "NaN", '{"name": "answer", "arguments": ', "{'a': '", "option", "{a:", "{}", "1e5"]
PIECES = st.sampled_from([MOVE, OTHER, *MARKS, *PARTS, *"{}[]\"':,\\\n 0-é\ud800“”"])
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=25).map("".join)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=2 * EXAMPLES)
@given(TEXTS, st.booleans())
def test_raises_nothing_but_unreadable_and_makes_nothing_up(text: str, is_complete: bool) -> None:
    try:
        reading = extract(text, is_complete=is_complete)
    except Unreadable:
        return
    said = re.sub(r"[\s\\]", "", text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    json.dumps(reading.data, ensure_ascii=False).encode()
    for leaf in leaves(reading.data):
        assert re.sub(r"[\s\\]", "", leaf) in said, (leaf, text)


def leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [leaf for name, inner in value.items() for leaf in (name, *leaves(inner))]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    if isinstance(value, float):
        return []
    return [value if isinstance(value, str) else str(value)] if value is not None and not isinstance(value, bool) else []


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.dictionaries(st.text(max_size=8), JSON_VALUES, max_size=4))
def test_every_object_of_games_size_is_read_as_written(data: dict[str, Any]) -> None:
    data = json.loads(json.dumps(data).encode("utf-8", "replace").decode())
    assert extract(json.dumps(data)).data == data
    assert extract(json.dumps(data, ensure_ascii=False, indent=2)).data == data


@settings(max_examples=300, deadline=None)
@given(st.integers(1, len(MOVE) - 1))
def test_no_move_is_read_from_a_cut_answer(length: int) -> None:
    with pytest.raises(Unreadable):
        extract(MOVE[:length])
