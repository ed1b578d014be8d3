"""Prompted decision: a logged decision with its view, question and attempts, to render its prompts or to ask again."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import games
from games.core import Answer, Game, Question, State
from runner.agents.model_agent import LlmAgent, propositions_in
from runner.agents.own_fields import REASON, asked_question, ordered
from runner.agents.protocol import AgentReply, DecisionRequest, JsonRecord, Mistake
from runner.agents.settings import SeatSettings
from runner.agents.spec import Spec, parse_spec
from runner.llm.client import Client
from runner.llm.request import AnswerForm, Message, Model, schema_in_words, with_quoted_answers, without_system
from runner.llm.skin import Skin
from runner.match.header import HeaderRecord, logged_skin
from runner.match.open_question import judge
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, Record
from runner.prompting.pack import PromptPack, PromptsRecord
from runner.record.decisions import no_decision
from runner.record.line import whole_question
from runner.record.reader import Log
from runner.record.replay import ReplayedMatch

_READ = ("answer", "mistake")


@dataclass(frozen=True, slots=True)
class PromptedDecision:
    """Decision `at` of a log, asked in the state `asked`, made in `state` when `header` held: `ask` is the question, without
    mistakes so far, and `past` the seat's earlier questions with each attempt at them. `attempts` are those with a parsed
    reply, none where no model decided. `action` is None after a strike-out or where the log ends, `how` as in the log."""

    log: Log
    header: HeaderRecord
    at: int
    asked: State
    state: State
    ask: DecisionRequest
    past: tuple[tuple[DecisionRequest, JsonRecord], ...]
    attempts: tuple[AttemptRecord, ...]
    action: Answer | None
    how: str

    @property
    def spec(self) -> Spec:
        return parse_spec(self.header["seats"][self.ask.seat]["spec"])

    @property
    def prompts(self) -> PromptsRecord:
        """The prompt pack that the seat played with; empty where no model plays."""
        return self.header["seats"][self.ask.seat].get("prompts") or self.header["prompts"] or {}

    @property
    def game(self) -> Game:
        return games.load(self.log.header["game"])

    @property
    def skin(self) -> Skin:
        """The words that the model read; messages here are in the game's own."""
        return logged_skin(self.header)

    def sent(self, attempt: int) -> list[Message]:
        return self.log.messages(self.attempts[attempt - 1])

    def messages(self, pack: PromptPack, attempt: int) -> list[Message]:
        """The messages of an attempt, counted from 1, with another pack."""
        seat, ask = dict(self.header["seats"][self.ask.seat]), self.ask
        settings, tried = SeatSettings.of_record(seat), self.attempts[attempt - 1] if self.attempts else None
        asks_reason = settings.reason != "never" if tried is None else REASON in tried
        shown = ordered(ask, settings).question
        question = asked_question(shown, settings, asks_reason, ask.can_talk, propositions_in(tried or {}))
        told, sent = schema_in_words(question.schema), [] if tried is None else self.sent(attempt)
        is_merged = bool(sent) and all(message["role"] != "system" for message in sent)
        is_told_after = bool(sent) and (sent[-1]["content"] == told or (is_merged and sent[-1]["content"].endswith(told)))
        form = AnswerForm.STRICT_SCHEMA if tried is None or is_told_after else AnswerForm(tried["form"])
        request = dict(self.attempts[0].get("request") or {}) if self.attempts else seat
        model = Model(str(request.get("model", "nobody")), "http://nobody.invalid", "", "none", is_base="chat_template" in seat)
        agent = LlmAgent(Client(), model, form, pack, settings)  # it renders prompts, and makes no call
        for earlier, record in self.past:
            agent.remember(earlier, record)
        for before in map(dict, self.attempts[: attempt - 1]):
            agent.remember(ask, before)
            wrong = judge(self.state, self.ask.seat, AgentReply.logged(before))
            ask = replace(ask, mistakes=(*ask.mistakes, wrong)) if isinstance(wrong, Mistake) else ask
        is_filtered = tried is not None and agent.past.fit(dict(tried))
        messages: list[Any] = agent.messages(ask, question, bool(is_filtered))
        if sent and not any(message["role"] == "assistant" for message in sent):
            messages = with_quoted_answers(messages)
        if is_told_after:
            messages = [*messages, {"role": "user", "content": told}]
        messages = without_system(messages) if is_merged else messages
        return [{name: str(text) for name, text in message.items()} for message in messages]


def prompted_decision(log: Log, at: int) -> PromptedDecision:
    """Decision `at` of a log, counted as in `replay`. UsageError if there is none, LogDamagedError behind the damage."""
    asking = _Asking(log)
    for line, record in log.records:
        if record["kind"] == "decision" and asking.made + 1 == at:
            return asking.decided(line, record)
        asking.take(line, record)
    if log.damage is not None and not log.is_torn:
        raise log.damage
    state = asking.match.so_far.state
    if at == asking.made + 1 and state.actor is not None:
        return replace(asking.asked(state.actor, None), at=at, state=state)
    raise no_decision(at, asking.made + (not state.has_ended))


def prompted_decisions(log: Log) -> Iterator[PromptedDecision]:
    """The decisions that seats were asked for, in order; the log is read once. LogDamagedError at what does not fit."""
    asking = _Asking(log)
    for line, record in log.records:
        is_asked = record["kind"] == "decision" and record["seat"] in asking.match.so_far.open
        found = asking.decided(line, cast(DecisionRecord, record)) if is_asked else None
        asking.take(line, record)
        if found is not None:
            yield found


class _Asking:
    """A log's records taken one by one: what seats are asked for, their earlier questions with each attempt at them, and how
    many decisions they have made."""

    def __init__(self, log: Log) -> None:
        self.match, self._log, self.made = ReplayedMatch(log), log, 0
        self._questions: dict[int, tuple[int, State, State]] = {}
        self._open: dict[int, PromptedDecision] = {}
        self._past: dict[int, list[tuple[DecisionRequest, JsonRecord]]] = defaultdict(list)

    def take(self, line: int, record: Record) -> None:
        self.match.take(line, record)
        match record["kind"]:
            case "question":
                self._questions[record["seat"]] = line, self.match.so_far.state, self.match.so_far.asking
            case "attempt" if _is_read(record):
                seat, one = record["seat"], self.asked(record["seat"], line)
                self._open[seat] = replace(one, attempts=(*one.attempts, record))
                self._past[seat].append((one.ask, dict(record)))
            case "decision" | "moot":
                self.made += record["kind"] == "decision"
                self._open.pop(record["seat"], None)
                self._questions.pop(record["seat"], None)

    def decided(self, line: int, record: DecisionRecord) -> PromptedDecision:
        """The decision that is recorded next."""
        found = self.asked(record["seat"], line)
        return replace(found, at=self.made + 1, state=self.match.so_far.state, action=record["action"], how=record["how"])

    def asked(self, seat: int, line: int | None) -> PromptedDecision:
        """What a seat is asked, or would be if it decides without a question on this line (None: behind the last one)."""
        if seat not in self._open:
            so_far, log = self.match.so_far, self._log
            if seat in self._questions:
                line, state, asking = self._questions[seat]
                opened = so_far.open[seat]
                ask = _asked(log, whole_question(line, opened.record, asking), opened.ask)
            else:
                so_far.take(cast(QuestionRecord, {"kind": "question", "question": so_far.questions, "seat": seat}))
                state, ask = so_far.state, so_far.open[seat].ask
            past = tuple(self._past[seat])
            self._open[seat] = PromptedDecision(log, log.header_at(line), 0, state, state, ask, past, (), None, "undecided")
        return self._open[seat]


def _is_read(attempt: AttemptRecord) -> bool:
    return attempt["outcome"] in _READ and bool(attempt.get("request"))


def _asked(log: Log, record: QuestionRecord, ask: DecisionRequest) -> DecisionRequest:
    """The question as it was logged, with its choices in words unless the game asks it in another way by now."""
    asked, fresh = Question(record["text"], log.expand(record["schema"]), record["role"]), ask.question
    is_same = (fresh.whole, fresh.schema, fresh.role) == (asked.text, asked.schema, asked.role)
    return replace(ask, view=log.expand(record["view"]), question=fresh if is_same else asked, mistakes=())
