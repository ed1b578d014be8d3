"""Judgement: whether an answer is legal, and the record of it."""

from __future__ import annotations

from typing import cast

from games.core import Action, IllegalAction, State
from runner.agents.protocol import Ask, Given, Mistake
from runner.match.header import now
from runner.match.records import AttemptRecord


def judge(state: State, seat: int, given: Given) -> Action | Mistake:
    """The one legality check, whoever answered."""
    if given.mistake is not None:
        return given.mistake
    try:
        action = state.read(seat, given.data)
    except IllegalAction as refusal:
        return Mistake("illegal", given.text, str(refusal), refusal.reason, given.data)
    return Mistake("illegal", given.text, given.refused, answer=given.data) if given.refused else action


def attempt_record(ask: Ask, given: Given, verdict: Action | Mistake) -> AttemptRecord:
    """The record of an answer and its verdict."""
    facts = {"kind": "attempt", "question": ask.number, "seat": ask.seat, "strike": len(ask.mistakes), **given.facts}
    facts |= {name: text for name, text in (("reason", given.reason), ("say", given.say)) if text}
    if isinstance(verdict, Mistake):
        facts |= {"outcome": "mistake", "what": verdict.kind, "why": verdict.why, "answer": given.data}
    else:
        facts |= {"outcome": "answer", "answer": given.data}
        if not verdict.is_exactly(given.data):
            facts["read_as"] = verdict.to_json()
    facts["at"] = now("milliseconds")
    return cast(AttemptRecord, facts)
