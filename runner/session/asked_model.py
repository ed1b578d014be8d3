"""Asked model: a question to a model beside the matches: that of a judge, a coach or a caster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from runner.agents.own_fields import read_reply
from runner.llm.budget import message_tokens
from runner.llm.outcome import Delivered
from runner.llm.request import AnswerForm, Message, Model, Request

if TYPE_CHECKING:
    from runner.digest import JsonObject
    from runner.llm.call import Attempt
    from runner.llm.client import Client


async def form_of(client: Client, model: Model, prompts: Iterable[Sequence[Message]]) -> AnswerForm:
    """The form in which a model is asked for its answers. A model's own server is started with room for these prompts."""
    if model.connector is not None:
        await model.connector.start(2 * max(map(message_tokens, prompts)), model.max_tokens, 1)  # estimates may be low
    return await client.choose_form(model)


async def answer_to(
    client: Client, model: Model, form: AnswerForm, messages: Sequence[Message], schema: JsonObject
) -> dict[str, object]:
    """A model's answer as data; empty where it failed. Unreadable without any, TabletopError if it cannot be asked."""
    request = Request(model, tuple(messages), schema, form, quotes_others=True)
    outcome = await client.complete(request, on_attempt=_unheard)
    found = read_reply(outcome.reply.text, schema, (), outcome.reply.is_complete).data
    return found if isinstance(outcome, Delivered) else {}


async def _unheard(attempt: Attempt) -> None:
    """Do nothing: no log keeps the attempts."""
