"""Model agent: a seat that a language model plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from games.core import Question, Schema
from runner.agents.free_text_filter import filtered_view
from runner.agents.memory import Memory
from runner.agents.own_fields import NOTES, REASON, SAY, in_words, taken_off
from runner.agents.protocol import Ask, Given, Mistake, Record, Report
from runner.agents.settings import DEFAULT_SETTINGS, AgentSettings
from runner.errors import at_seat
from runner.llm import learnt
from runner.llm.attempt import Attempt
from runner.llm.call_errors import InputRefused, PromptTooLong
from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake
from runner.llm.own_reasoning import has_reasoned, is_set_to_reason
from runner.llm.parse_answer import extract
from runner.llm.request import AnswerForm, Message, Model, Request, reply_limit, unsent_parameters
from runner.llm.schema_parts import field_names
from runner.llm.strict_json import Unreadable
from runner.prompting.pack import PromptPack, prompt_context

if TYPE_CHECKING:
    from runner.llm.client import Client

_MOST_REPEATED = 2000
_BOUND, _FILTERED, _LEARNT, _AT = "memory_tokens", "elided", "learnt", "at"
_ROOM_FOR_REASON = 300
"""Tokens of a reply that hold a reason of 60 words and any answer."""
_OWN_KINDS = {"refused", "empty"}
"""Kinds of unreadable answers that keep their own kind in the log."""


class LlmAgent:
    """A model at an endpoint, asked with the templates of a prompt pack, in one form of answer."""

    is_paid = True

    def __init__(
        self,
        client: Client,
        model: Model,
        form: AnswerForm,
        pack: PromptPack,
        options: Mapping[str, object],
        settings: AgentSettings = DEFAULT_SETTINGS,
    ) -> None:
        self._client = client
        self._model = model
        self._form = AnswerForm.TEXT if settings.help == "none" else form
        self._pack = pack
        self._options = dict(options)
        self._settings = settings
        self._memory = Memory(settings)
        self._limit = reply_limit(model)

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The model's answer, parsed. PausedError for an outage or a spent budget, AccountError for a permanent refusal.

        A prompt that exceeds the context is sent again with half of the seat's past, repeatedly. A prompt that a content
        filter refuses is sent again once, without the past and without other players' text.
        """
        with at_seat(ask.seat):
            return await self._answer(ask, report)

    async def _answer(self, ask: Ask, report: Report) -> Given:
        is_filtered, bare = False, self._settings.bare(ask.question)
        question = self._settings.complete(bare, self.asks_reason, ask.can_talk)
        while True:
            messages = self.messages(ask, question, is_filtered)
            try:
                request = self.request(ask, question, messages, is_filtered)
                outcome, facts = await self._completed(request, is_filtered, report)
                self._memory.add(ask.number, ask.view, self._asked(messages, ask), outcome.reply.text)
                return self._read(field_names(question.schema), bare.schema, outcome, facts)
            except InputRefused:
                if is_filtered or self.messages(ask, question, True) == messages:
                    raise
                is_filtered = True
            except PromptTooLong:
                if not self._memory.shrink(ask.number):
                    raise

    async def _completed(self, request: Request, is_filtered: bool, report: Report) -> tuple[Delivered | ModelMistake, Record]:
        """The outcome of a call, and the facts of its last attempt; the other attempts have been reported."""
        last: Attempt | None = None

        async def on_attempt(attempt: Attempt) -> None:
            nonlocal last
            last = attempt
            self._limit = _limit(attempt.body, self._limit)
            if isinstance(attempt.outcome, Infrastructure | Configuration):
                await report(self._facts(attempt, is_filtered))

        outcome = await self._client.complete(request, on_attempt=on_attempt)
        assert last is not None
        return outcome, self._facts(last, is_filtered)

    def _facts(self, attempt: Attempt, is_filtered: bool) -> Record:
        """An attempt for the log, with the parameters and text left out of it."""
        facts = _facts(attempt)
        if names := unsent_parameters(self._model, attempt.capabilities):
            facts["left_out"] = list(names)
        if known := learnt.learnt_to_json(attempt.capabilities):
            facts[_LEARNT] = {**known, _AT: self._model.base_url}
        if self._memory.bound != self._settings.memory_tokens:
            facts[_BOUND] = self._memory.bound
        if is_filtered:
            facts[_FILTERED] = True
        return facts

    @property
    def most_memory_tokens(self) -> int:
        """The maximum tokens of its past in a prompt."""
        return self._memory.bound if self._settings.memory == "full" else 0

    @property
    def form(self) -> AnswerForm:
        """The form of its answers."""
        return self._form

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def unsent_parameters(self) -> tuple[str, ...]:
        """The parameters set for this model that its endpoint is known not to take."""
        return unsent_parameters(self._model, self._client.capabilities(self._model))

    @property
    def notes(self) -> tuple[str, ...]:
        """How its requests differ from what was set, in sentences about its endpoint; unsent parameters are not repeated."""
        return learnt.in_words(self._client.capabilities(self._model))

    def _read(self, asked: set[str], bare: Schema, outcome: Delivered | ModelMistake, facts: Record) -> Given:
        """The answer in a reply: the game's fields are those of `bare`, the agent's own the others of `asked`."""
        reply, own = outcome.reply, asked - field_names(bare)
        facts |= {REASON: ""} if REASON in own else {}
        if isinstance(outcome, ModelMistake):
            return Given(mistake=Mistake(outcome.kind, reply.text, outcome.why), text=reply.text, facts=facts)
        try:
            read = extract(reply.text, bare, is_complete=reply.is_complete)
        except Unreadable as error:
            kind = error.kind if error.kind in _OWN_KINDS else "unreadable"
            return Given(mistake=Mistake(kind, reply.text, error.why), text=reply.text, facts=facts)
        data, said = taken_off(read.data, own)
        self._memory.take_notes(said.get(NOTES))
        notes = {} if self._memory.notes is None else {NOTES: self._memory.notes}
        facts |= {"repaired": read.is_repaired, **notes}
        say, reason = said.get(SAY), in_words(said.get(REASON))
        return Given(data=data, text=reply.text, facts=facts, say=say if isinstance(say, str) else "", reason=reason)

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Take in an attempt from a log: its notes or the exchange, the bounds of its prompt, what its endpoint showed."""
        is_filtered, reply = self.fit(attempt), attempt.get("reply") or {}
        known = {_AT: self._model.base_url, **(attempt.get(_LEARNT) or {})}
        if (attempt.get("request") or {}).get("model") == self._model.name and known.pop(_AT) == self._model.base_url:
            self._client.recall(self._model, learnt.learnt_from_json(known), has_reasoned(reply))
        self._memory.take_notes(attempt.get(NOTES))
        asked = self.messages(ask, self.logged_question(ask, attempt), is_filtered)
        self._memory.add(ask.number, ask.view, self._asked(asked, ask), str(reply.get("text", "")))

    def fit(self, attempt: Record) -> bool:
        """Keep the bounds of a logged attempt from now on; whether it left out other players' text."""
        self._limit = _limit(attempt.get("request") or {}, self._limit)
        self._memory.resize(attempt.get(_BOUND, self._memory.bound))
        return bool(attempt.get(_FILTERED, False))

    @property
    def most_reply_tokens(self) -> int:
        """The maximum tokens of a reply."""
        return reply_limit(self._model)

    @property
    def asks_reason(self) -> bool:
        """Whether the model is asked for a reason now: with "auto", unless it reasons by itself or has no room for one."""
        if self._settings.reason != "auto":
            return self._settings.reason == "always"
        if is_set_to_reason(self._model.parameters) or self.most_reply_tokens < _ROOM_FOR_REASON:
            return False
        return not self._client.capabilities(self._model).reasons

    def question(self, ask: Ask) -> Question:
        """The question as this model is asked it."""
        return self._settings.question(ask.question, self.asks_reason, ask.can_talk)

    def logged_question(self, ask: Ask, attempt: Record) -> Question:
        """The question as the model was asked it in a logged attempt."""
        return self._settings.question(ask.question, REASON in attempt, ask.can_talk)

    def messages(self, ask: Ask, question: Question, is_filtered: bool = False) -> list[Message]:
        """The exact messages for a question: the role's prompt, then each invalid answer and what was wrong with it.

        With `is_filtered` the past and other players' text are left out.
        """
        is_base, explains = self._model.is_base, self._settings.help != "none"
        prints_schema = explains and not is_base and not self._form.carries_schema
        # The plain template of base models shows no tools.
        prints_form = explains and is_base and self._form is not AnswerForm.STRICT_SCHEMA
        view = filtered_view(ask.view) if is_filtered else ask.view
        told = None if is_filtered else self._memory.told(ask.number)
        own, talk = self._settings, () if is_filtered else ask.talk
        helped, notes = own.help == "legal", self._memory.notes
        context = prompt_context(
            view, question, self._options, prints_schema, helped, notes, told, talk, own.persona, own.advice, prints_form
        )
        messages = self._pack.render(view["game"], question.role, context)
        messages[-1:-1] = [] if is_filtered else self._memory.conversation(ask.number)
        strikes = ask.setup.options.strikes
        for count, mistake in enumerate(ask.mistakes, 1):
            told = {**context, "mistake": self._told(mistake), "count": count, "strikes": strikes, "left": strikes - count}
            told |= {"limit": self._limit, "talk": []}
            messages.append({"role": "assistant", "content": mistake.text[:_MOST_REPEATED] or "(no answer)"})
            messages.append({"role": "user", "content": self._pack.render_text("shared/reask.j2", told)})
        return messages

    def request(self, ask: Ask, question: Question, messages: Sequence[Message], is_filtered: bool = False) -> Request:
        """The request with the messages of a question. The conversation up to the question is repeated, mistakes are not."""
        grows = self._settings.memory == "full" and not is_filtered
        repeated = self._place_of_question(messages, ask) if grows else 0
        return Request(self._model, tuple(messages), question.schema, self._form, repeated)

    def _told(self, mistake: Mistake) -> Mistake:
        """The mistake as the model sees it: without the legal answers, unless its settings list them."""
        has_help = self._settings.help == "legal" or not mistake.brief
        return mistake if has_help else replace(mistake, why=mistake.brief)

    def _asked(self, messages: Sequence[Message], ask: Ask) -> Message:
        """The message with the question, before any answer to it."""
        return messages[self._place_of_question(messages, ask)]

    def _place_of_question(self, messages: Sequence[Message], ask: Ask) -> int:
        return len(messages) - 1 - 2 * len(ask.mistakes)


def _limit(body: Mapping[str, Any], before: int) -> int:
    """The maximum tokens of a reply to a request, `before` if it does not say."""
    return int(body.get("max_completion_tokens") or body.get("max_tokens") or before)


def _facts(attempt: Attempt) -> Record:
    """An attempt for the log."""
    outcome = attempt.outcome
    facts: Record = {"try": attempt.number, "request": attempt.body, "form": attempt.form.value}
    if isinstance(outcome, Infrastructure | Configuration):
        name = "infrastructure" if isinstance(outcome, Infrastructure) else "configuration"
        facts.update(outcome=name, what=outcome.kind, why=outcome.why)
    reply = outcome.reply.to_json() if outcome.reply else None
    charged = {"charged": attempt.charged_usd, "charged_tokens": attempt.charged_tokens}
    return {**facts, "reply": reply, "latency": round(attempt.latency, 3), **charged}
