"""Seats played by a model, through its endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from runner.agents.protocol import Ask, Given, Mistake, Report
from runner.errors import AccountError, PausedError
from runner.llm.attempt import Attempt
from runner.llm.budget import BudgetSpent
from runner.llm.errors import AccountProblem, Outage
from runner.llm.outcome import Configuration, Infrastructure, ModelMistake
from runner.llm.reading import Unreadable, extract
from runner.llm.request import AnswerForm, Message, Model, Request
from runner.prompting.messages import messages_for
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.llm.client import Client


class LlmAgent:
    """A model at an endpoint, asked by the templates of a prompt pack in one form of answer."""

    is_paid = True

    def __init__(self, client: Client, model: Model, form: AnswerForm, pack: PromptPack, options: Mapping[str, Any]) -> None:
        self._client = client
        self._model = model
        self._form = form
        self._pack = pack
        self._options = dict(options)

    async def answer(self, ask: Ask, report: Report) -> Given:
        """What the model answers, read. PausedError for an outage or a spent budget, AccountError for a refusal for good."""
        last: Attempt | None = None

        async def on_attempt(attempt: Attempt) -> None:
            nonlocal last
            last = attempt
            if isinstance(attempt.outcome, Infrastructure | Configuration):
                await report(_facts(attempt))

        request = Request(self._model, tuple(self.messages(ask)), ask.question.schema, self._form)
        try:
            outcome = await self._client.complete(request, on_attempt=on_attempt)
        except (Outage, BudgetSpent) as stop:
            raise PausedError(str(stop)) from stop
        except AccountProblem as stop:
            raise AccountError(str(stop)) from stop
        assert last is not None
        facts, reply = _facts(last), outcome.reply
        if isinstance(outcome, ModelMistake):
            return Given(mistake=Mistake(outcome.kind, reply.text, outcome.why), text=reply.text, facts=facts)
        try:
            read = extract(reply.text, is_complete=reply.is_complete)
        except Unreadable as error:
            return Given(mistake=Mistake("unreadable", reply.text, error.why), text=reply.text, facts=facts)
        return Given(data=read.data, text=reply.text, facts={**facts, "repaired": read.is_repaired})

    def messages(self, ask: Ask) -> list[Message]:
        """The exact messages for a question."""
        prints_schema, strikes = not self._form.carries_schema, ask.setup.options.strikes
        return messages_for(self._pack, ask.view, ask.question, self._options, prints_schema, ask.mistakes, strikes)


def _facts(attempt: Attempt) -> dict[str, Any]:
    """An attempt as the log has it."""
    outcome = attempt.outcome
    facts: dict[str, Any] = {"try": attempt.number, "request": attempt.body, "form": attempt.form.value}
    if isinstance(outcome, Infrastructure | Configuration):
        name = "infrastructure" if isinstance(outcome, Infrastructure) else "configuration"
        facts.update(outcome=name, what=outcome.kind, why=outcome.why)
    reply = outcome.reply.to_json() if outcome.reply else None
    return {**facts, "reply": reply, "latency": round(attempt.latency, 3), "charged": attempt.charged_usd}
