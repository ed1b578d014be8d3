"""Open question: a question without a decision yet, the attempts at it, and the one legality check of answers."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias, cast

from games.core import Action, IllegalAction, State
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, JsonRecord, Mistake, Report, clean_line
from runner.errors import at_seat
from runner.match.header import now
from runner.match.records import AttemptRecord, QuestionRecord

Verdict: TypeAlias = Action | Mistake
"""A legal action, or what was wrong with the answer."""

MOST_WAITS, WAIT = 20, 1.0
"""How often a question waits while the limit of open files is reached, and the seconds of each wait."""


def judge(state: State, seat: int, reply: AgentReply) -> Verdict:
    """The one legality check, whoever answered."""
    if reply.mistake is not None:
        return reply.mistake
    try:
        action = state.read(seat, reply.data)
    except IllegalAction as refusal:
        return Mistake("illegal", reply.text, str(refusal), refusal.reason, reply.data)
    return Mistake("illegal", reply.text, reply.refused, answer=reply.data) if reply.refused else action


def attempt_record(ask: DecisionRequest, reply: AgentReply, verdict: Verdict) -> AttemptRecord:
    facts = {"kind": "attempt", "question": ask.number, "seat": ask.seat, "strike": len(ask.mistakes), **reply.facts}
    facts |= {name: text for name, text in (("reason", reply.reason), ("say", reply.say)) if text}
    if isinstance(verdict, Mistake):
        facts |= {"outcome": "mistake", "what": verdict.kind, "why": verdict.why, "answer": reply.data}
    else:
        facts |= {"outcome": "answer", "answer": reply.data}
        if not verdict.is_exactly(reply.data):
            facts["read_as"] = verdict.to_json()
    facts["at"] = now("milliseconds")
    return cast(AttemptRecord, facts)


async def decided(
    question: OpenQuestion, state: State, agent: Agent, take: Callable[[AttemptRecord, Verdict | None], Awaitable[None]]
) -> None:
    """Have an agent answer in `state` until its question is decided. `take` gets every attempt, with the verdict on an answer,
    and adds it to the question."""

    async def report(facts: JsonRecord) -> None:
        about = {"kind": "attempt", "question": question.number, "seat": question.seat}
        await take(cast(AttemptRecord, {**about, **facts, "at": now("milliseconds")}), None)

    while not question.is_decided:
        ask = question.ask
        with at_seat(question.seat):
            reply = _said(await _answer(agent, ask, report), ask.can_talk)
        verdict = judge(state, question.seat, reply)
        await take(attempt_record(ask, reply, verdict), verdict)


async def _answer(agent: Agent, ask: DecisionRequest, report: Report) -> AgentReply:
    """What an agent answers. While the limit of open files is reached, it waits for other matches to close some."""
    waits = 0
    while True:
        try:
            return await agent.answer(ask, report)
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE) or waits == MOST_WAITS:
                raise
        waits += 1
        await asyncio.sleep(WAIT)


def _said(reply: AgentReply, can_talk: bool) -> AgentReply:
    """An answer with its line of talk as the table hears it; without one where there is no talk."""
    said = clean_line(reply.say) if can_talk else ""
    return reply if said == reply.say else replace(reply, say=said)


class OpenQuestion:
    """A question without a decision yet: the attempts at it, how many answers did not count, and the valid one if there is one.

    It was asked in `state`; `asking` makes the question as it was put first. `can_talk`: its answer may have a line of talk.
    """

    def __init__(self, record: QuestionRecord, state: State, can_talk: bool, asking: Callable[[], DecisionRequest]) -> None:
        self.number, self.seat, self.record = record["question"], record["seat"], record
        self.strikes = record.get("strikes", state.setup.options.strikes)
        self.mistakes = 0
        self.answer: AttemptRecord | None = None
        self.can_talk, self._state, self._asking = can_talk, state, asking
        self._judged: list[tuple[AttemptRecord, Verdict | None]] = []

    def add(self, record: AttemptRecord, verdict: Verdict | None) -> None:
        """Take in an attempt; `verdict` is the judgement of its answer, if that is known already."""
        if record["outcome"] in ("answer", "mistake"):
            self._judged.append((record, verdict))
            self.mistakes += record["outcome"] == "mistake"
            self.answer = record if record["outcome"] == "answer" else None

    @property
    def is_decided(self) -> bool:
        """Whether there is a valid answer, or the last invalid one that is allowed."""
        return self.answer is not None or self.mistakes >= self.strikes

    @property
    def said(self) -> str:
        return self.answer.get("say", "") if self.answer is not None and self.can_talk else ""

    @cached_property
    def _ask(self) -> DecisionRequest:
        return replace(self._asking(), strikes=self.strikes)

    @property
    def ask(self) -> DecisionRequest:
        """The question as it is put to the seat now, with its mistakes so far."""
        if not self.mistakes:
            return self._ask
        found = map(self._verdict, self._judged)
        return replace(self._ask, mistakes=tuple(verdict for verdict in found if isinstance(verdict, Mistake)))

    @property
    def action(self) -> Action | None:
        """The action of the valid answer; None without one."""
        found = self._verdict(self._judged[-1]) if self.answer is not None else None
        return found if isinstance(found, Action) else None

    def _verdict(self, judged: tuple[AttemptRecord, Verdict | None]) -> Verdict:
        record, verdict = judged
        return judge(self._state, self.seat, AgentReply.logged(cast(dict[str, object], record))) if verdict is None else verdict
