"""Seats played by a model, through its endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from games.core import Question
from runner.agents.free_text_filter import elided
from runner.agents.memory import PastSelf
from runner.agents.protocol import Ask, Given, Mistake, Record, Report
from runner.agents.settings import AS_EVER, NOTES, Manner
from runner.errors import at_seat
from runner.llm.attempt import Attempt
from runner.llm.call_errors import InputRefused, PromptTooLong
from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake
from runner.llm.parse_answer import Unreadable, extract
from runner.llm.request import AnswerForm, Message, Model, Request, left_out, token_bound
from runner.prompting.pack import PromptPack, prompt_context

if TYPE_CHECKING:
    from runner.llm.client import Client

_MOST_REPEATED = 2000
_BOUND, _ELIDED = "memory_tokens", "elided"
_OWN_KINDS = {"refused", "empty"}
"""Unreadable answers that are told apart from the others."""


class LlmAgent:
    """A model at an endpoint, asked by the templates of a prompt pack, in one form of answer and in one manner."""

    is_paid = True

    def __init__(
        self,
        client: Client,
        model: Model,
        form: AnswerForm,
        pack: PromptPack,
        options: Mapping[str, Any],
        manner: Manner = AS_EVER,
    ) -> None:
        self._client = client
        self._model = model
        self._form = AnswerForm.TEXT if manner.help == "none" else form
        self._pack = pack
        self._options = dict(options)
        self._manner = manner
        self._past = PastSelf(manner)
        self._limit = token_bound(model)

    async def answer(self, ask: Ask, report: Report) -> Given:
        """What the model answers, read. PausedError for an outage or a spent budget, AccountError for a refusal for good.

        A prompt that is too long is sent again with less of the seat's past, as long as there is any; one that a filter
        refuses is sent again once, without the past and without what other players wrote.
        """
        with at_seat(ask.seat):
            return await self._answer(ask, report)

    async def _answer(self, ask: Ask, report: Report) -> Given:
        is_elided = False
        while True:
            messages = self.messages(ask, self.question(ask), is_elided)
            try:
                outcome, facts = await self._completed(ask, messages, is_elided, report)
                return self._read(ask, messages, outcome, facts)
            except InputRefused:
                if is_elided or self.messages(ask, self.question(ask), True) == messages:
                    raise
                is_elided = True
            except PromptTooLong:
                if not self._past.shrink(ask.number):
                    raise

    async def _completed(
        self, ask: Ask, messages: list[Message], is_elided: bool, report: Report
    ) -> tuple[Delivered | ModelMistake, Record]:
        """What came of sending messages, and the facts of the attempt that brought it; others have been reported."""
        last: Attempt | None = None

        async def on_attempt(attempt: Attempt) -> None:
            nonlocal last
            last = attempt
            self._limit = _limit(attempt.body, self._limit)
            if isinstance(attempt.outcome, Infrastructure | Configuration):
                await report(self._facts(attempt, is_elided))

        request = Request(self._model, tuple(messages), self.question(ask).schema, self._form)
        outcome = await self._client.complete(request, on_attempt=on_attempt)
        assert last is not None
        return outcome, self._facts(last, is_elided)

    def _facts(self, attempt: Attempt, is_elided: bool) -> Record:
        """An attempt as the log has it, with what was left out of it."""
        facts = _facts(attempt)
        if names := left_out(self._model, attempt.habits):
            facts["left_out"] = list(names)
        if self._past.bound != self._manner.memory_tokens:
            facts[_BOUND] = self._past.bound
        if is_elided:
            facts[_ELIDED] = True
        return facts

    @property
    def most_memory_tokens(self) -> int:
        """How many tokens of its past it may be sent."""
        return self._past.bound if self._manner.memory == "full" else 0

    @property
    def form(self) -> AnswerForm:
        """The form in which it is asked to answer."""
        return self._form

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def left_out(self) -> tuple[str, ...]:
        """The parameters set for this model that its endpoint does not take, as far as is known by now."""
        return left_out(self._model, self._client.habits(self._model))

    def _read(self, ask: Ask, messages: list[Message], outcome: Delivered | ModelMistake, facts: Record) -> Given:
        reply = outcome.reply
        self._past.add(ask.number, self._asked(messages, ask), reply.text)
        if isinstance(outcome, ModelMistake):
            return Given(mistake=Mistake(outcome.kind, reply.text, outcome.why), text=reply.text, facts=facts)
        try:
            read = extract(reply.text, is_complete=reply.is_complete)
        except Unreadable as error:
            kind = error.kind if error.kind in _OWN_KINDS else "unreadable"
            return Given(mistake=Mistake(kind, reply.text, error.why), text=reply.text, facts=facts)
        data = self._past.take_notes(read.data)
        notes = {} if self._past.notes is None else {NOTES: self._past.notes}
        return Given(data=data, text=reply.text, facts={**facts, "repaired": read.is_repaired, **notes})

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Take in an attempt that stands in a log: its notes, or the exchange, and how its prompt was made to fit."""
        is_elided = self.fit(attempt)
        self._past.take_notes({NOTES: attempt.get(NOTES, self._past.notes)})
        text = str((attempt.get("reply") or {}).get("text", ""))
        self._past.add(ask.number, self._asked(self.messages(ask, self.question(ask), is_elided), ask), text)

    def fit(self, attempt: Record) -> bool:
        """Word prompts in the bounds of a logged attempt from here on; whether it left out what other players wrote."""
        self._limit = _limit(attempt.get("request") or {}, self._limit)
        self._past.resize(attempt.get(_BOUND, self._past.bound))
        return bool(attempt.get(_ELIDED, False))

    @property
    def most_reply_tokens(self) -> int:
        """How many tokens a reply may take."""
        return token_bound(self._model)

    def question(self, ask: Ask) -> Question:
        """The question as this model is asked it."""
        return self._manner.question(ask.question)

    def messages(self, ask: Ask, question: Question, is_elided: bool = False) -> list[Message]:
        """The exact messages for a question: the role's prompt, then each answer that did not count and what was wrong.

        With `is_elided` the past and the words of other players are left out.
        """
        prints_schema = not self._form.carries_schema and self._manner.help != "none"
        view = elided(ask.view) if is_elided else ask.view
        context = prompt_context(view, question, self._options, prints_schema, self._manner.help == "legal", self._past.notes)
        messages = self._pack.render(view["game"], question.role, context)
        messages[-1:-1] = [] if is_elided else self._past.conversation(ask.number)
        strikes = ask.setup.options.strikes
        for count, mistake in enumerate(ask.mistakes, 1):
            told = {**context, "mistake": self._told(mistake), "count": count, "strikes": strikes, "left": strikes - count}
            told["limit"] = self._limit
            messages.append({"role": "assistant", "content": mistake.text[:_MOST_REPEATED] or "(no answer)"})
            messages.append({"role": "user", "content": self._pack.render_text("shared/reask.j2", told)})
        return messages

    def _told(self, mistake: Mistake) -> Mistake:
        """The mistake as the model hears of it: without what is legal, when it gets no such help."""
        has_help = self._manner.help == "legal" or not mistake.brief
        return mistake if has_help else replace(mistake, why=mistake.brief)

    def _asked(self, messages: list[Message], ask: Ask) -> Message:
        """The message that put the question, before any answer to it."""
        return messages[-1 - 2 * len(ask.mistakes)]


def _limit(body: Mapping[str, Any], before: int) -> int:
    """How many tokens a reply to a request might take, `before` where it does not say."""
    return int(body.get("max_completion_tokens") or body.get("max_tokens") or before)


def _facts(attempt: Attempt) -> dict[str, Any]:
    """An attempt as the log has it."""
    outcome = attempt.outcome
    facts: dict[str, Any] = {"try": attempt.number, "request": attempt.body, "form": attempt.form.value}
    if isinstance(outcome, Infrastructure | Configuration):
        name = "infrastructure" if isinstance(outcome, Infrastructure) else "configuration"
        facts.update(outcome=name, what=outcome.kind, why=outcome.why)
    reply = outcome.reply.to_json() if outcome.reply else None
    charged = {"charged": attempt.charged_usd, "charged_tokens": attempt.charged_tokens}
    return {**facts, "reply": reply, "latency": round(attempt.latency, 3), **charged}
