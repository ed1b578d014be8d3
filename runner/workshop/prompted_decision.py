"""Prompted decision: a logged decision with its view, question and attempts, to render its prompts or to ask again."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, cast

import games
from games.core import Answer, Question, State
from runner.agents.choice_order import ordered
from runner.agents.environment import Environment
from runner.agents.local_start import MatchSeats, start_local
from runner.agents.model_agent import LlmAgent, propositions_in
from runner.agents.own_fields import REASON, asked_question
from runner.agents.protocol import AgentReply, DecisionRequest, JsonRecord, Mistake, unheard
from runner.agents.seat_kind import AgentContext
from runner.agents.settings import SeatSettings
from runner.agents.spec import ModelSpec, Offline, Spec, parse_spec
from runner.digest import canonical
from runner.errors import TabletopError
from runner.llm.budget import Budget
from runner.llm.client import Client
from runner.llm.request import AnswerForm, Message, Model, schema_in_words, with_quoted_answers, without_system
from runner.llm.skin import Skin
from runner.match.header import HeaderRecord, logged_skin
from runner.match.open_question import judge
from runner.match.records import AttemptRecord, QuestionRecord
from runner.prompting.pack import PromptPack
from runner.record.bot_questions import whole_question
from runner.record.decisions import decision_at
from runner.record.reader import Log
from runner.record.replay import ReplayedMatch
from runner.session.session import new_client

_READ = ("answer", "mistake")


@dataclass(frozen=True, slots=True)
class PromptedDecision:
    """Decision `at` of a log, made in `state` when `header` held: `ask` is the question, without mistakes so far, and `past`
    the seat's earlier questions with each attempt at them. `attempts` are those with a parsed reply, none where no model
    decided. `action` is the decision, None after a strike-out or where the log ends before it; `how` is as in the log."""

    log: Log
    header: HeaderRecord
    at: int
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
    def pack(self) -> str:
        """The name of the prompt pack that the seat played with."""
        return str((self.header["seats"][self.ask.seat].get("prompts") or self.header["prompts"] or {}).get("pack", "unknown"))

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
    """Decision `at` of a log, as `replay` and `fork` count them. UsageError when there is no such decision."""
    found = decision_at(log, at)
    assert found.seat is not None
    seat, match, asked_at = found.seat, ReplayedMatch(log), 0
    past: list[tuple[DecisionRequest, JsonRecord]] = []
    for line, record in log.records:
        if line == (found.asked_at or found.line):
            break
        match.take(line, record)
        if record["kind"] == "question" and record["seat"] == seat:
            asked_at = line
        elif record["kind"] == "attempt" and record["seat"] == seat and _is_read(record):
            opened = match.so_far.open[seat]
            asked = whole_question(asked_at, opened.record, match.so_far.asking)
            past.append((_asked(log, asked, opened.ask), dict(record)))
    unasked = cast(QuestionRecord, {"kind": "question", "question": match.so_far.questions, "seat": seat})
    match.so_far.take(found.question or unasked)
    ask = match.so_far.open[seat].ask
    return PromptedDecision(
        log=log,
        header=log.header_at(found.asked_at or found.line or None),
        at=at,
        state=found.before,
        ask=ask if found.question is None else _asked(log, found.question, ask),
        past=tuple(past),
        attempts=tuple(filter(_is_read, found.attempts)),
        action=None if found.record is None else found.record["action"],
        how="undecided" if found.record is None else found.record["how"],
    )


def _is_read(attempt: AttemptRecord) -> bool:
    return attempt["outcome"] in _READ and bool(attempt.get("request"))


def _asked(log: Log, record: QuestionRecord, ask: DecisionRequest) -> DecisionRequest:
    """The question as it was logged, with its choices in words unless the game asks it in another way by now."""
    asked, fresh = Question(record["text"], log.expand(record["schema"]), record["role"]), ask.question
    is_same = (fresh.whole, fresh.schema, fresh.role) == (asked.text, asked.schema, asked.role)
    return replace(ask, view=log.expand(record["view"]), question=fresh if is_same else asked, mistakes=())


@dataclass(frozen=True, slots=True)
class TrialReply:
    """One reply: its legal answer, or what was wrong; its tokens and cost."""

    answer: Answer | None
    wrong: str
    why: str
    text: str
    prompt_tokens: int
    completion_tokens: int
    cost: float
    latency: float


@dataclass(frozen=True, slots=True)
class TrialReplies:
    """All replies, and the error that stopped the rest."""

    replies: tuple[TrialReply, ...]
    stop: TabletopError | None

    @property
    def counts(self) -> Counter[str]:
        return Counter(canonical(one.answer) if one.answer is not None else f"({one.wrong})" for one in self.replies)

    @property
    def legal(self) -> int:
        return sum(reply.answer is not None for reply in self.replies)


async def ask_again(
    decision: PromptedDecision,
    spec: ModelSpec,
    pack: PromptPack,
    times: int,
    environment: Environment,
    budget: float | None,
    mistakes: float,
) -> TrialReplies:
    """The replies of a model to a decision, asked in the words of its match. TabletopError when not even one reply came."""
    bounded, game, setup = Budget(budget), games.load(decision.log.header["game"]), decision.state.setup
    settings = spec.settings(environment)
    await start_local([MatchSeats(game, setup, [(spec, settings)])], pack, environment)
    async with AsyncExitStack() as stack:
        numbers = range(times if isinstance(spec, Offline) else 1)
        clients = [await stack.enter_async_context(new_client(bounded, number, mistakes)) for number in numbers]
        shared = game, setup, pack, environment, decision.skin
        agents = [await spec.make(settings, decision.ask.seat, AgentContext(*shared, client)) for client in clients]
        for agent in agents:
            for ask, record in decision.past:
                agent.remember(ask, record)
        asked = [_one(decision, agents[number % len(agents)]) for number in range(times)]
        found = await asyncio.gather(*asked, return_exceptions=True)
    replies = tuple(one for one in found if isinstance(one, TrialReply))
    stops = [one for one in found if isinstance(one, BaseException)]
    for stop in stops:
        if not isinstance(stop, TabletopError) or not replies:
            raise stop
    return TrialReplies(replies, next((stop for stop in stops if isinstance(stop, TabletopError)), None))


async def _one(decision: PromptedDecision, agent: LlmAgent) -> TrialReply:
    given = await agent.answer(decision.ask, unheard)
    verdict = judge(decision.state, decision.ask.seat, given)
    answer, wrong, why = (None, verdict.kind, verdict.why) if isinstance(verdict, Mistake) else (verdict.to_json(), "", "")
    reply = given.facts.get("reply") or {}
    usage = reply.get("usage") or {}
    tokens = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    return TrialReply(answer, wrong, why, given.text, *tokens, reply.get("cost") or 0.0, given.facts.get("latency") or 0.0)
