"""Prompted decision: a logged decision with its view, question and attempts, to render its prompts or to ask again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from games.core import Answer, IllegalAction, Question, State, View
from runner.agents.model_agent import LlmAgent
from runner.agents.own_fields import REASON
from runner.agents.protocol import Ask, Mistake
from runner.agents.settings import AgentSettings
from runner.agents.spec import Spec, parse_spec
from runner.agents.talk import MOST_LINES, TalkLine
from runner.agents.wording import prompt_options
from runner.errors import UsageError
from runner.llm.client import Client
from runner.llm.request import AnswerForm, Message, Model, schema_in_words
from runner.llm.system_text import without_system
from runner.match.records import AttemptRecord, QuestionRecord
from runner.prompting.pack import PromptPack
from runner.record.bot_questions import whole_question
from runner.record.decisions import decision_at
from runner.record.forking import kept_lines, question_number
from runner.record.reader import Log
from runner.record.replay import ReplayedMatch

_READ = ("answer", "mistake")


@dataclass(frozen=True, slots=True)
class PromptedDecision:
    """Decision `at` of a log: question `number`, put to `seat` in `state`.

    `attempts` are those with a parsed reply, none where no model decided. `action` is the decision, None after a strike-out
    or where the log ends before it; `how` is as in the log.
    """

    log: Log
    at: int
    number: int
    seat: int
    state: State
    view: View
    question: Question
    attempts: tuple[AttemptRecord, ...]
    action: Answer | None
    how: str

    @property
    def spec(self) -> Spec:
        """The SPEC of the seat."""
        return parse_spec(self.log.latest_header["seats"][self.seat]["spec"])

    @property
    def played_with(self) -> dict[str, Any]:
        """The prompt pack of the seat in the log's header; empty where no model plays."""
        header = self.log.latest_header
        return dict(header["seats"][self.seat].get("prompts") or header["prompts"] or {})

    def sent(self, attempt: int) -> list[Message]:
        """The exact messages of an attempt, counted from 1."""
        return self.log.messages(self.attempts[attempt - 1])

    def messages(self, pack: PromptPack, attempt: int) -> list[Message]:
        """The messages of an attempt, counted from 1, with another pack."""
        settings = AgentSettings.from_json(self._seat)
        form = AnswerForm(self.attempts[attempt - 1]["form"]) if self.attempts else AnswerForm.STRICT_SCHEMA
        ask, question = self.ask(), self._question(settings, attempt)
        told = schema_in_words(question.schema)
        sent = self.sent(attempt) if self.attempts else []
        is_merged = bool(sent) and all(message["role"] != "system" for message in sent)
        is_told_after = bool(sent) and (sent[-1]["content"] == told or (is_merged and sent[-1]["content"].endswith(told)))
        agent = self._agent(pack, AnswerForm.STRICT_SCHEMA if is_told_after else form, settings)
        for earlier, record in self.past():
            agent.remember(earlier, record)
        for tried in self.attempts[: attempt - 1]:
            agent.remember(ask, dict(tried))
            ask = replace(ask, mistakes=(*ask.mistakes, self._mistake(tried)))
        is_filtered = self.attempts and agent.fit(dict(self.attempts[attempt - 1]))
        rendered = agent.messages(ask, question, bool(is_filtered))
        messages = [*rendered, {"role": "user", "content": told}] if is_told_after else rendered
        if is_merged:
            return [{name: str(text) for name, text in message.items()} for message in without_system(messages)]
        return messages

    def _agent(self, pack: PromptPack, form: AnswerForm, settings: AgentSettings) -> LlmAgent:
        """An agent that renders the prompts of the seat's model and makes no call."""
        model = Model("nobody", "http://nobody.invalid", "", "none", is_base="chat_template" in self._seat)
        return LlmAgent(Client(), model, form, pack, prompt_options(self.state.setup), settings)

    def _question(self, settings: AgentSettings, attempt: int) -> Question:
        """The question as it was put in an attempt, counted from 1, else as it would be put to a model."""
        asks_reason = REASON in self.attempts[attempt - 1] if self.attempts else settings.reason != "never"
        return settings.question(self.question, asks_reason, self._can_talk)

    @property
    def _can_talk(self) -> bool:
        return bool(self.log.header.get("talk"))

    @property
    def _seat(self) -> dict[str, Any]:
        return dict(self.log.latest_header["seats"][self.seat])

    def past(self) -> Iterator[tuple[Ask, dict[str, Any]]]:
        """The seat's earlier questions with each attempt at them, for a seat with a memory."""
        asks, bare, talk = dict[int, Ask](), self.ask(), deque[TalkLine](maxlen=MOST_LINES)
        match = ReplayedMatch(self.log)
        for line, record in self.log.records:
            if record["kind"] == "question" and record["question"] >= self.number:
                return
            match.take(line, record)
            if record["kind"] == "talk":
                talk.append(TalkLine(record["seat"], record["text"]))
            elif record["kind"] == "question" and record["seat"] == self.seat:
                number, asked = record["question"], whole_question(line, record, match.state)
                view, question = self.log.expand(asked["view"]), _asked(self.log, asked, match.state)
                asks[number] = replace(bare, number=number, view=view, question=question, talk=tuple(talk))
            elif record["kind"] == "attempt" and record["question"] in asks and _is_read(record):
                yield asks[record["question"]], dict(record)

    def _mistake(self, record: AttemptRecord) -> Mistake:
        text, brief = str((record.get("reply") or {}).get("text", "")), ""
        try:
            self.state.read(self.seat, record.get("answer"))
        except IllegalAction as refusal:
            brief = refusal.reason
        is_illegal = record["what"] == "illegal"
        return Mistake(record["what"], text, record["why"], brief if is_illegal else "", record.get("answer"))

    def ask(self) -> Ask:
        """The question to the seat, without mistakes so far."""
        ask = Ask.of(self.state, self.seat, self.number)
        return replace(ask, view=self.view, question=self.question, can_talk=self._can_talk, talk=self._heard())

    def _heard(self) -> tuple[TalkLine, ...]:
        """The last lines of table talk before the question."""
        heard = deque[TalkLine](maxlen=MOST_LINES)
        for _, record in self.log.records:
            if record["kind"] == "question" and record["question"] >= self.number:
                break
            if record["kind"] == "talk":
                heard.append(TalkLine(record["seat"], record["text"]))
        return tuple(heard)

    def canonical(self, data: object) -> Answer | str:
        """The legal answer that answer data means, or why it is not legal."""
        try:
            return self.state.read(self.seat, data).to_json()
        except IllegalAction as refusal:
            return str(refusal)


def prompted_decision(log: Log, at: int) -> PromptedDecision:
    """Decision `at` of a log, as `replay` and `fork` count them. UsageError when there is no such decision."""
    found = decision_at(log, at)
    assert found.seat is not None
    state, seat, question = found.before, found.seat, found.question
    number = question_number(log, found, kept_lines(log, found))
    return PromptedDecision(
        log=log,
        at=at,
        number=at if number is None else number,
        seat=seat,
        state=state,
        view=state.view(seat) if question is None else log.expand(question["view"]),
        question=state.question(seat) if question is None else _asked(log, question, state),
        attempts=tuple(filter(_is_read, found.attempts)),
        action=None if found.record is None else found.record["action"],
        how="undecided" if found.record is None else found.record["how"],
    )


def check_attempt(decision: PromptedDecision, attempt: int) -> None:
    """UsageError for an attempt that the decision does not have."""
    if not 1 <= attempt <= max(1, len(decision.attempts)):
        count = len(decision.attempts)
        raise UsageError(f"--attempt {attempt}: decision {decision.at} has {count} attempt{'' if count == 1 else 's'}.")


def _is_read(attempt: AttemptRecord) -> bool:
    """Whether an attempt was sent to a model and its reply parsed."""
    return attempt["outcome"] in _READ and bool(attempt.get("request"))


def _asked(log: Log, record: QuestionRecord, state: State) -> Question:
    """A logged question, with its choices in words unless the game asks it in another way by now."""
    asked = Question(record["text"], log.expand(record["schema"]), record["role"])
    fresh = state.question(record["seat"])
    return fresh if (fresh.whole, fresh.schema, fresh.role) == (asked.text, asked.schema, asked.role) else asked
