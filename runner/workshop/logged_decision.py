"""A decision of a log, with what its seat was shown and asked, so that it can be put to somebody again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from games.core import Answer, IllegalAction, Question, State, View
from runner.agents.factory import prompt_options
from runner.agents.model_agent import LlmAgent
from runner.agents.protocol import Ask, Mistake
from runner.agents.settings import AS_EVER, Manner
from runner.errors import UsageError
from runner.llm.client import Client
from runner.llm.request import AnswerForm, Model, schema_in_words
from runner.prompting.pack import Message, PromptPack
from runner.record.forking import branch
from runner.record.hash_chain import Record
from runner.record.reader import Log

_READ = ("answer", "mistake")


@dataclass(frozen=True, slots=True)
class LoggedDecision:
    """Decision `at` of a log, question `number`, which is `seat`'s in `state`.

    `attempts` are those that were read, none where no model decided.

    `action` is what was decided, None after a strike-out or where the log ends before it; `how` as in the log.
    """

    log: Log
    at: int
    number: int
    seat: int
    state: State
    view: View
    question: Question
    attempts: tuple[Record, ...]
    action: Answer | None
    how: str

    @property
    def spec(self) -> str:
        """The SPEC of the seat."""
        return str(self.log.latest_header["seats"][self.seat]["spec"])

    @property
    def played_with(self) -> dict[str, Any]:
        """The prompt pack of the seat as the header has it; empty where no model plays."""
        header = self.log.latest_header
        return dict(header["seats"][self.seat].get("prompts") or header["prompts"] or {})

    def sent(self, attempt: int) -> list[Message]:
        """The exact messages of an attempt, counted from 1."""
        return self.log.messages(self.attempts[attempt - 1])

    def messages(self, pack: PromptPack, attempt: int) -> list[Message]:
        """What would have been sent in an attempt, counted from 1, under a pack."""
        manner = Manner(**{name: value for name, value in self._seat.items() if name in AS_EVER.to_json()})
        form = AnswerForm(self.attempts[attempt - 1]["form"]) if self.attempts else AnswerForm.STRICT_SCHEMA
        told = schema_in_words(manner.question(self.question).schema)
        is_told_after = bool(self.attempts) and self.sent(attempt)[-1]["content"] == told
        agent = _agent(pack, AnswerForm.STRICT_SCHEMA if is_told_after else form, prompt_options(self.state.setup), manner)
        for ask, record in self.past():
            agent.remember(ask, record)
        is_elided = self.attempts and agent.fit(self.attempts[attempt - 1])
        before = tuple(self._mistake(record) for record in self.attempts[: attempt - 1])
        rendered = agent.messages(replace(self.ask(), mistakes=before), manner.question(self.question), bool(is_elided))
        return [*rendered, {"role": "user", "content": told}] if is_told_after else rendered

    @property
    def _seat(self) -> dict[str, Any]:
        return dict(self.log.latest_header["seats"][self.seat])

    def past(self) -> Iterator[tuple[Ask, Record]]:
        """The seat's earlier questions with each attempt at them, for a seat that remembers its past."""
        for _, record in self.log.of_kind("question"):
            if record["seat"] == self.seat and record["question"] < self.number:
                ask = replace(
                    self.ask(),
                    number=record["question"],
                    view=self.log.expand(record["view"]),
                    question=_asked(self.log, record),
                )
                yield from ((ask, attempt) for attempt in _attempts(self.log, record["question"]))

    def _mistake(self, record: Record) -> Mistake:
        text, brief = str((record.get("reply") or {}).get("text", "")), ""
        try:
            self.state.read(self.seat, record.get("answer"))
        except IllegalAction as refusal:
            brief = refusal.reason
        is_illegal = record["what"] == "illegal"
        return Mistake(record["what"], text, record["why"], brief if is_illegal else "", record.get("answer"))

    def ask(self) -> Ask:
        """The decision as a seat is asked, from the first attempt on."""
        return replace(Ask.of(self.state, self.seat, self.number), view=self.view, question=self.question)

    def canonical(self, data: Any) -> Answer | str:
        """The legal answer that answer data stands for, or why it stands for none."""
        try:
            return self.state.read(self.seat, data).to_json()
        except IllegalAction as refusal:
            return str(refusal)


def logged_decision(log: Log, at: int) -> LoggedDecision:
    """Decision `at` of a log, as `replay` and `fork` count them. UsageError when there is no such decision."""
    point = branch(log, at)
    question = None if point.question is None else _question(log, point.seat, point.question)
    attempts = () if question is None else tuple(_attempts(log, point.question))
    decided = _decided(log, at)
    return LoggedDecision(
        log=log,
        at=at,
        number=at if point.question is None else point.question,
        seat=point.seat,
        state=point.state,
        view=point.state.view(point.seat) if question is None else log.expand(question["view"]),
        question=point.state.question(point.seat) if question is None else _asked(log, question),
        attempts=attempts,
        action=None if decided is None else decided["action"],
        how="undecided" if decided is None else decided["how"],
    )


def check_attempt(decision: LoggedDecision, attempt: int) -> None:
    """UsageError when a decision has no such attempt."""
    if not 1 <= attempt <= max(1, len(decision.attempts)):
        count = len(decision.attempts)
        raise UsageError(f"--attempt {attempt}: decision {decision.at} has {count} attempt{'' if count == 1 else 's'}.")


def _question(log: Log, seat: int, number: int) -> Record | None:
    records = (record for _, record in log.of_kind("question") if record["question"] == number and record["seat"] == seat)
    return next(records, None)


def _attempts(log: Log, number: int | None) -> list[Record]:
    """The attempts at a question that were sent to a model and read."""
    found = (record for _, record in log.of_kind("attempt") if record["question"] == number)
    return [record for record in found if record["outcome"] in _READ and record.get("request")]


def _asked(log: Log, record: Record) -> Question:
    return Question(record["text"], log.expand(record["schema"]), record["role"])


def _decided(log: Log, at: int) -> Record | None:
    decisions = [record for _, record in log.of_kind("decision")]
    return decisions[at - 1] if at <= len(decisions) else None


def _agent(pack: PromptPack, form: AnswerForm, options: dict[str, Any], manner: Manner) -> LlmAgent:
    """Somebody who words questions as a model's seat does, and asks nobody."""
    return LlmAgent(Client(), Model("nobody", "http://nobody.invalid", "", "none"), form, pack, options, manner)
