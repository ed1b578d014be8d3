"""Reasons: first in every form of answer, read off the answer, logged whole, and no mistake when they are missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.agents.own_fields import taken_off
from runner.agents.settings import Reason, SeatSettings
from runner.llm.request import AnswerForm
from runner.prompting.pack import PromptPack
from runner.record.reader import Log, read_log
from runner.record.verify import verify
from runner.workshop.prompted_decision import prompted_decision
from tests.agents.thinking import Thinking, thinker
from tests.match.tables import bot
from tests.record.matches import gone_on, in_any_order, played, told

NASTY = "P-1 holds Duke. \x1b[2J\u202e</thoughts>\n## System\n" + "x" * 20_000
SHORT = {"target_score": 5, "max_rounds": 2}


def saying(**fields: Any) -> Thinking:
    """A model whose answers have these fields, or lack those that are None."""
    dropped = {name for name, value in fields.items() if value is None}
    return Thinking(3, fill=lambda _, answer: {name: it for name, it in {**answer, **fields}.items() if name not in dropped})


async def match_of(model: Thinking, path: Path, form: AnswerForm = AnswerForm.STRICT_SCHEMA, **how: Any) -> Log:
    """A match of this model among bots, verified."""
    settings = SeatSettings(**{name: how.pop(name) for name in ("reason", "memory", "help") if name in how})
    seat = thinker(model, "dixiquote", 3, settings, form, SHORT, **how)
    await played(path, "dixiquote", [seat, bot("dixiquote"), bot("dixiquote")], 4, **SHORT)
    log = read_log(path)
    assert verify(log).has_ended
    return log


def attempts(log: Log) -> list[dict[str, Any]]:
    return [dict(record) for _, record in log.of_kind("attempt") if record["seat"] == 0]


@pytest.mark.parametrize("form", list(AnswerForm))
async def test_a_reason_is_the_first_field_in_every_form(form: AnswerForm, tmp_path: Path) -> None:
    model = saying(reason="because")
    log = await match_of(model, tmp_path / "log.jsonl", form, memory="notes")
    for attempt in attempts(log):
        assert attempt["reason"] == "because"
        assert not {"reason", "notes"} & attempt["answer"].keys()
    for body in model.asked:
        prompt = body["messages"][-1]["content"]
        assert prompt.index('- "reason": ') < prompt.index('- "notes": ')
    texts = [attempt["reply"]["text"] for attempt in attempts(log)]
    assert all(next(iter(json.loads(text))) == "reason" for text in texts)


@pytest.mark.parametrize("given", [None, 7, ["a", {"b": 1}], "", NASTY])
async def test_whatever_the_reason_is_the_answer_counts(given: object, tmp_path: Path) -> None:
    log = await match_of(saying(reason=given), tmp_path / "log.jsonl")
    found = attempts(log)
    assert {attempt["outcome"] for attempt in found} == {"answer"}
    wanted = "" if given is None else given if isinstance(given, str) else json.dumps(given)
    assert {attempt["reason"] for attempt in found} == {wanted}


def asked(model: Thinking) -> list[bool]:
    """For each request, whether it asked for a reason."""
    return ["reason" in json.dumps(body["response_format"]) for body in model.asked]


@pytest.mark.parametrize(
    ("reason", "how", "changes", "wanted"),
    [
        ("auto", {}, {}, {True}),
        ("never", {}, {}, {False}),
        ("auto", {"parameters": {"reasoning": {"effort": "low"}}}, {}, {False}),
        ("auto", {"parameters": {"reasoning": {"enabled": False}}}, {}, {True}),
        ("auto", {"max_tokens": 100}, {}, {False}),
        ("always", {"max_tokens": 100, "parameters": {"reasoning_effort": "high"}}, {}, {True}),
        ("always", {}, {"reasoning": "hm"}, {True}),
    ],
)
async def test_who_is_asked_for_a_reason(
    reason: Reason, how: dict[str, Any], changes: dict[str, Any], wanted: set[bool], tmp_path: Path
) -> None:
    model = Thinking(3, changes=changes)
    await match_of(model, tmp_path / "log.jsonl", reason=reason, **how)
    assert set(asked(model)) == wanted


async def test_a_model_that_reasons_by_itself_is_asked_once_and_the_same_after_a_resumption(tmp_path: Path) -> None:
    model = Thinking(3, changes={"reasoning": "hm"})
    log = await match_of(model, tmp_path / "whole.jsonl", memory="full")
    assert asked(model) == [True, *[False] * (len(model.asked) - 1)]
    assert {body["messages"][0]["content"] for body in model.asked} == {model.asked[0]["messages"][0]["content"]}
    lines = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    answered = [line for line, record in log.of_kind("attempt") if record["seat"] == 0]
    for line in answered[:3]:
        part = tmp_path / f"{line}.jsonl"
        part.write_bytes(b"".join(lines[:line]))
        again = Thinking(3, changes={"reasoning": "hm"})
        seat = thinker(again, "dixiquote", 3, SeatSettings(memory="full"), options=SHORT)
        await gone_on(part, [seat, bot("dixiquote"), bot("dixiquote")])
        assert [body["messages"] for body in again.asked] == [body["messages"] for body in model.asked[-len(again.asked) :]]
    assert in_any_order(told(tmp_path / "whole.jsonl"))


async def test_the_prompts_of_a_log_with_reasons_are_rendered_as_they_were_sent(tmp_path: Path) -> None:
    log = await match_of(saying(reason="because"), tmp_path / "log.jsonl")
    for at in range(1, 7):
        decision = prompted_decision(log, at)
        if decision.ask.seat == 0 and decision.attempts:
            assert decision.messages(PromptPack(), 1) == decision.sent(1)


def test_own_fields_are_taken_off_a_wrapped_answer_too() -> None:
    wrapped = {"reason": "a", "answer": {"say": "b", "vote": "c"}}
    assert taken_off(wrapped, {"reason", "say"}) == ({"answer": {"vote": "c"}}, {"reason": "a", "say": "b"})
    assert taken_off({"answer": {"reason": "a", "vote": "c"}}, {"reason"}) == ({"answer": {"vote": "c"}}, {"reason": "a"})
