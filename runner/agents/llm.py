"""Seats played by a model, through its endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from games.core import Question
from runner.agents.manner import AS_EVER, NOTES, Manner
from runner.agents.memory import PastSelf
from runner.agents.protocol import Ask, Given, Mistake, Record, Report
from runner.errors import AccountError, PausedError
from runner.llm.attempt import Attempt
from runner.llm.budget import BudgetSpent
from runner.llm.errors import AccountProblem, Outage
from runner.llm.outcome import Configuration, Infrastructure, ModelMistake
from runner.llm.reading import Unreadable, extract
from runner.llm.request import AnswerForm, Message, Model, Request, token_bound
from runner.prompting.pack import PromptPack, prompt_context

if TYPE_CHECKING:
    from runner.llm.client import Client

_MOST_REPEATED = 2000


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

    async def answer(self, ask: Ask, report: Report) -> Given:
        """What the model answers, read. PausedError for an outage or a spent budget, AccountError for a refusal for good."""
        last: Attempt | None = None

        async def on_attempt(attempt: Attempt) -> None:
            nonlocal last
            last = attempt
            if isinstance(attempt.outcome, Infrastructure | Configuration):
                await report(_facts(attempt))

        question = self.question(ask)
        messages = self.messages(ask, question)
        request = Request(self._model, tuple(messages), question.schema, self._form)
        try:
            outcome = await self._client.complete(request, on_attempt=on_attempt)
        except (Outage, BudgetSpent) as stop:
            raise PausedError(f"{stop}.") from stop
        except AccountProblem as stop:
            raise AccountError(str(stop)) from stop
        assert last is not None
        facts, reply = _facts(last), outcome.reply
        self._past.add(ask.number, self._asked(messages, ask), reply.text)
        if isinstance(outcome, ModelMistake):
            return Given(mistake=Mistake(outcome.kind, reply.text, outcome.why), text=reply.text, facts=facts)
        try:
            read = extract(reply.text, is_complete=reply.is_complete)
        except Unreadable as error:
            return Given(mistake=Mistake("unreadable", reply.text, error.why), text=reply.text, facts=facts)
        data = self._past.take_notes(read.data)
        notes = {} if self._past.notes is None else {NOTES: self._past.notes}
        return Given(data=data, text=reply.text, facts={**facts, "repaired": read.is_repaired, **notes})

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Take in an attempt that stands in a log: its notes, or the exchange."""
        self._past.take_notes({NOTES: attempt.get(NOTES, self._past.notes)})
        text = str((attempt.get("reply") or {}).get("text", ""))
        self._past.add(ask.number, self._asked(self.messages(ask, self.question(ask)), ask), text)

    @property
    def most_reply_tokens(self) -> int:
        """How many tokens a reply may take."""
        return token_bound(self._model)

    def question(self, ask: Ask) -> Question:
        """The question as this model is asked it."""
        return self._manner.question(ask.question)

    def messages(self, ask: Ask, question: Question) -> list[Message]:
        """The exact messages for a question: the role's prompt, then each answer that did not count and what was wrong."""
        prints_schema = not self._form.carries_schema and self._manner.help != "none"
        context = prompt_context(
            ask.view, question, self._options, prints_schema, self._manner.help == "legal", self._past.notes
        )
        messages = self._pack.render(ask.view["game"], question.role, context)
        messages[-1:-1] = self._past.conversation(ask.number)
        strikes = ask.setup.options.strikes
        for count, mistake in enumerate(ask.mistakes, 1):
            told = {**context, "mistake": self._told(mistake), "count": count, "strikes": strikes, "left": strikes - count}
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
