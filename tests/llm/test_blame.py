"""Blame: a strike needs something that shows that the model spoke; everything else is nobody's fault at the table."""

from __future__ import annotations

import json

from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, Outcome
from runner.llm.parse_answer import extract
from runner.llm.wire.exchange import Exchange
from runner.llm.wire.replies import classify
from tests.llm.blame import ANSWER, BOUND, CASES, Case
from tests.llm.refusals import STRICT, TOOL
from tests.llm.support import model

CLASSES = {Delivered: "D", ModelMistake: "M", Infrastructure: "I", Configuration: "C"}
OF = model("http://127.0.0.1:1/v1")


def outcome(case: Case) -> Outcome:
    body = {"model": "m", "messages": [{"role": "user", "content": "u" * 1200}], "max_tokens": BOUND}
    asked = {**body, **(TOOL if case.form == "tool" else STRICT)}
    text = json.dumps(case.body, ensure_ascii=False)
    return classify(case.status, {}, text, Exchange(OF, asked, 1200, 0.1, 0.0))


def wrong(case: Case) -> str | None:
    """What is wrong with the outcome of a case."""
    found = outcome(case)
    if CLASSES[type(found)] not in case.blame or (case.kind and found.kind != case.kind):
        return f"{case}: {CLASSES[type(found)]} {found.kind} ({getattr(found, 'why', '')}) instead of {case.blame} {case.kind}"
    if isinstance(found, Delivered) and extract(found.reply.text, is_complete=found.reply.is_complete).data != ANSWER:
        return f"{case}: {found.reply.text}"
    return None


def test_every_case_has_its_blame() -> None:
    assert len(CASES) >= 433
    assert len({case.name for case in CASES}) == len(CASES)
    found = [what for case in CASES if (what := wrong(case)) is not None]
    assert not found, "\n".join([f"{len(found)} of {len(CASES)}", *found])
