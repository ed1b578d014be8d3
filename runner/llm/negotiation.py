"""Negotiation: how a request changes after an endpoint refused it, and which refusals are final.

A refusal that names parts of the request changes exactly those. One that names none is met by the general rule, each step
once, before a model has answered: weaker forms of the answer, no optional parameters, half the bound on the reply, the bound's
other name, no system message.
"""

from __future__ import annotations

from dataclasses import replace

from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, Outcome
from runner.llm.own_reasoning import has_reasoned
from runner.llm.refused import Refused, Room
from runner.llm.request import AnswerForm, Capabilities, Request, reply_limit
from runner.llm.tokens import estimated_tokens
from runner.llm.window import Window
from runner.llm.wire.request_fields import TOKEN_FIELDS, has_system, optional_fields
from runner.llm.wire.usage import counts_few

_SMALLEST_BOUND = 256
"""Tokens of a reply: the general rule does not go below."""


def judged(outcome: Outcome, capabilities: Capabilities, request: Request, has_answered: bool) -> Outcome:
    """The outcome in the light of what is known of the line.

    A model that has answered before accepts such requests: an unexplained refusal is then a failure of this one call. A first
    reply that counted the user's message alone shows that the system message was dropped.
    """
    if isinstance(outcome, Configuration):
        is_failure = has_answered and outcome.refused is not None and _explained(capabilities, request, outcome.refused) is None
        return Infrastructure("bad_request", outcome.why, None, outcome.reply) if is_failure else outcome
    if isinstance(outcome, (Delivered, ModelMistake)) and not has_answered and _drops_system(outcome, capabilities, request):
        return Configuration("system_dropped", _DROPPED, "model", outcome.reply, refused=Refused(system=True))
    return outcome


_DROPPED = "the endpoint counted no tokens for the system message: it drops it"


def adapted(capabilities: Capabilities, request: Request, refused: Refused, has_answered: bool) -> Capabilities | None:
    """The capabilities to try after a refusal, None when nothing is left to try."""
    changed = _explained(capabilities, request, refused)
    return changed if changed is not None or has_answered else _degraded(capabilities, request)


def after_reply(capabilities: Capabilities, request: Request, outcome: Delivered | ModelMistake) -> Capabilities:
    """The capabilities after a reply: whether the endpoint counts far fewer tokens than were sent, and whether it reasons."""
    reply = outcome.reply
    few = capabilities.counts_few or counts_few(reply.usage, request.letters(capabilities))
    reasons = capabilities.reasons or has_reasoned(reply.to_json())
    if (few, reasons) == (capabilities.counts_few, capabilities.reasons):
        return capabilities
    return replace(capabilities, counts_few=few, reasons=reasons)


def is_of_this_prompt(refused: Refused) -> bool:
    """Whether a refusal is about the room beside this prompt, which says nothing new about the endpoint."""
    return refused.room is not None and refused.room.context is not None


def best_form(supported: frozenset[str]) -> AnswerForm:
    """The strictest form among an endpoint's `supported_parameters` (openrouter.ai/docs, GET /models)."""
    if "structured_outputs" in supported:
        return AnswerForm.STRICT_SCHEMA
    if "tools" in supported:
        return AnswerForm.TOOL
    return AnswerForm.JSON_OBJECT if "response_format" in supported else AnswerForm.TEXT


def _explained(capabilities: Capabilities, request: Request, refused: Refused) -> Capabilities | None:
    """The capabilities without the parts that were named; None if nothing changes."""
    changed = _weaker_form(capabilities, request, refused.form) if refused.form else capabilities
    changed = replace(changed, rejected=changed.rejected | refused.parameters)
    if refused.system and not request.merges_system(capabilities):
        changed = replace(changed, merges_system=True)
    if refused.bound:
        changed = _other_bound(changed, request, refused)
    return None if changed == capabilities else changed


def _weaker_form(capabilities: Capabilities, request: Request, field: str) -> Capabilities:
    form = request.form_under(capabilities)
    if form is AnswerForm.TOOL and field == "tool_choice" and capabilities.forced_tool:
        return replace(capabilities, form=form, forced_tool=False)
    if form.weaker is None or request.model.form is not None:
        return capabilities
    return replace(capabilities, form=form.weaker, best_form=form.weaker)


def _other_bound(capabilities: Capabilities, request: Request, refused: Refused) -> Capabilities:
    """Another number or another name for the bound on the reply; half of it where the refusal says neither."""
    if refused.room is not None:
        return _with_room(capabilities, request, refused.room)
    if refused.token_field is not None:
        return _renamed(capabilities, request, refused.token_field)
    renamed = _renamed(capabilities, request, _other_name(capabilities, request))
    return renamed if renamed != capabilities else _halved(capabilities, request)


def _with_room(capabilities: Capabilities, request: Request, room: Room) -> Capabilities:
    if room.context is not None and room.prompt is not None:
        return replace(capabilities, window=Window(room.context, room.prompt / max(request.letters(capabilities), 1)))
    return replace(capabilities, max_tokens=room.bound)


def _renamed(capabilities: Capabilities, request: Request, name: str) -> Capabilities:
    return replace(capabilities, token_field=name) if capabilities.token_field is None else capabilities


def _other_name(capabilities: Capabilities, request: Request) -> str:
    body = request.body(capabilities)
    return next((name for name in TOKEN_FIELDS if name not in body), TOKEN_FIELDS[0])


def _degraded(capabilities: Capabilities, request: Request) -> Capabilities | None:
    """The next step of the general rule, None after the last."""
    steps = (_next_form, _without_parameters, _halved, _under_other_name, _merged)
    return next((changed for step in steps if (changed := step(capabilities, request)) != capabilities), None)


def _next_form(capabilities: Capabilities, request: Request) -> Capabilities:
    form = request.form_under(capabilities)
    return capabilities if form.weaker is None or request.model.form is not None else replace(capabilities, form=form.weaker)


def _without_parameters(capabilities: Capabilities, request: Request) -> Capabilities:
    """No optional parameters, and again the best form that was not refused by name: the form was not to blame."""
    optional = optional_fields(request.body(capabilities))
    if not optional:
        return capabilities
    return replace(capabilities, rejected=capabilities.rejected | set(optional), form=capabilities.best_form)


def _halved(capabilities: Capabilities, request: Request) -> Capabilities:
    bound = reply_limit(request.model, capabilities)
    if capabilities.halved or bound // 2 < _SMALLEST_BOUND:
        return capabilities
    return replace(capabilities, max_tokens=bound // 2, halved=True)


def _under_other_name(capabilities: Capabilities, request: Request) -> Capabilities:
    return _renamed(capabilities, request, _other_name(capabilities, request))


def _merged(capabilities: Capabilities, request: Request) -> Capabilities:
    return replace(capabilities, merges_system=True) if has_system(request.body(capabilities)) else capabilities


def _drops_system(outcome: Delivered | ModelMistake, capabilities: Capabilities, request: Request) -> bool:
    """Whether the prompt's tokens fit the messages without the system's, which are at least as long."""
    usage = outcome.reply.usage
    counted = usage.said
    if not (counted and has_system(request.body(capabilities))):
        return False
    rest = sum(len(message["content"]) for message in request.messages if message["role"] != "system")
    letters, expected = request.letters(capabilities), estimated_tokens(rest)
    is_far_off = (counted + usage.cached_tokens) * 2 < estimated_tokens(letters)
    return is_far_off and rest * 2 <= letters and expected * 3 <= counted * 5 and counted * 3 <= expected * 5
