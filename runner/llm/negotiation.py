"""Negotiation: how a request changes after an endpoint refused it, and which refusals are final.

A refusal that names parts of the request changes exactly those. One that names none is met by the general rule, each step
once, before a model has answered: weaker forms of the answer, no optional parameters, half the bound on the reply, the bound's
other name, no system message.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from importlib.resources import files
from typing import Any

from runner.digest import Json
from runner.files import read_toml
from runner.llm.budget import estimated_tokens
from runner.llm.outcome import IMPLAUSIBLE, Configuration, Delivered, Infrastructure, ModelMistake, Outcome, Refused
from runner.llm.parse_answer import THOUGHT_BEGINS
from runner.llm.request import UNRESTRICTED, AnswerForm, Capabilities, Request, Window, reply_limit
from runner.llm.wire.exchange import TOKEN_FIELDS, has_system, optional_fields
from runner.llm.wire.replies import counts_few

_BEGINS_WITH_THOUGHT = re.compile(rf"\s*(?:{THOUGHT_BEGINS})")


def is_set_to_reason(parameters: Mapping[str, object]) -> bool:
    """Whether parameters of a request switch reasoning on: `reasoning`, or `reasoning_effort`."""
    given = parameters.get("reasoning")
    effort = parameters.get("reasoning_effort")
    if not isinstance(given, Mapping) or not given.keys() & {"effort", "max_tokens", "enabled"}:
        return effort not in (None, "none")
    return given.get("enabled") is not False and given.get("effort") != "none"


def has_reasoned(reply: Mapping[str, object]) -> bool:
    """Whether a reply, as a log has it, brought reasoning: as text of its own, in its text, or as tokens in its usage."""
    usage, text, reasoning = reply.get("usage"), reply.get("text"), reply.get("reasoning")
    return (
        (isinstance(usage, Mapping) and bool(usage.get("reasoning_tokens")))
        or (isinstance(reasoning, str) and bool(reasoning.strip()))
        or (isinstance(text, str) and _BEGINS_WITH_THOUGHT.match(text) is not None)
    )


def _same(value: Any) -> Any:
    return value


_Conversions = dict[str, Callable[[Any], Any]]
_READ: _Conversions = {"form": AnswerForm, "best_form": AnswerForm, "rejected": frozenset, "window": lambda data: Window(*data)}
_WRITTEN: _Conversions = {"form": str, "best_form": str, "rejected": sorted, "window": list}


def learnt_to_json(capabilities: Capabilities) -> dict[str, Json]:
    """The capabilities as data: only what differs from an endpoint that takes everything."""
    found = ((field.name, getattr(capabilities, field.name)) for field in fields(Capabilities))
    return {name: _WRITTEN.get(name, _same)(value) for name, value in found if value != getattr(UNRESTRICTED, name)}


def learnt_from_json(data: Mapping[str, Any]) -> Capabilities | None:
    """The capabilities in a log's record; None if it has none that can be read."""
    try:
        return Capabilities(**{name: _READ.get(name, _same)(value) for name, value in data.items()}) if data else None
    except (ValueError, TypeError):
        return None


_SENTENCES = read_toml(files(__package__).joinpath("negotiation.toml").read_text(encoding="utf-8"))


def in_words(capabilities: Capabilities) -> tuple[str, ...]:
    """What is sent since refusals, in sentences about the requests. Parameters that are left out are named elsewhere."""
    changed = (name for name in _SENTENCES if getattr(capabilities, name) != getattr(UNRESTRICTED, name))
    return tuple(_SENTENCES[name].format(getattr(capabilities, name)) for name in changed)


_SMALLEST_BOUND = 256
"""Tokens of a reply: the general rule does not go below."""

_FROM_ELSEWHERE = {"not_an_endpoint": "web_page", "redirected": "web_page", "no_such_model": "model_absent"}
"""Refusals that a captive portal, a login page or a server that starts again brings, and what they then are."""


def judged(outcome: Outcome, capabilities: Capabilities, request: Request, has_answered: bool) -> Outcome:
    """The outcome in the light of what is known of the line. A model that has answered before is there and accepts such
    requests: an unexplained refusal, or an answer from elsewhere, is then a failure of this one call. A first reply that
    counted the user's message alone shows a dropped system message."""
    if isinstance(outcome, Configuration):
        if has_answered and outcome.kind in _FROM_ELSEWHERE and not outcome.is_lasting:
            return Infrastructure(_FROM_ELSEWHERE[outcome.kind], outcome.why, None, outcome.reply)
        is_failure = has_answered and outcome.refused is not None and _explained(capabilities, request, outcome.refused) is None
        return Infrastructure("bad_request", outcome.why, None, outcome.reply) if is_failure else outcome
    if isinstance(outcome, (Delivered, ModelMistake)) and not has_answered and _drops_system(outcome, capabilities, request):
        why = "the endpoint counted no tokens for the system message: it drops it"
        return Configuration("system_dropped", why, "model", outcome.reply, refused=Refused(system=True))
    return outcome


def adapted(capabilities: Capabilities, request: Request, refused: Refused, keeps: bool) -> Capabilities | None:
    """The capabilities to try after a refusal, None when nothing is left to try. `keeps`: nothing is changed by guess."""
    changed = _explained(capabilities, request, refused)
    return changed if changed is not None or keeps else _degraded(capabilities, request)


def after_reply(capabilities: Capabilities, request: Request, outcome: Delivered | ModelMistake) -> Capabilities:
    """The capabilities after a reply: whether the endpoint counts too few tokens or too many, and whether it reasons."""
    reply = outcome.reply
    changed = replace(
        capabilities,
        counts_few=capabilities.counts_few or counts_few(reply.usage, request.characters(capabilities)),
        miscounts=capabilities.miscounts or reply.usage.source == IMPLAUSIBLE,
        reasons=capabilities.reasons or has_reasoned(reply.to_json()),
    )
    return capabilities if changed == capabilities else changed


def best_form(supported: frozenset[str] | None) -> AnswerForm:
    """The strictest form among an endpoint's `supported_parameters` (openrouter.ai/docs, GET /models), if it lists them."""
    if supported is None or "structured_outputs" in supported:
        return AnswerForm.STRICT_SCHEMA
    if "tools" in supported:
        return AnswerForm.TOOL
    return AnswerForm.JSON_OBJECT if "response_format" in supported else AnswerForm.TEXT


def _explained(capabilities: Capabilities, request: Request, refused: Refused) -> Capabilities | None:
    """The capabilities without the parts that were named; None if nothing changes."""
    changed, form = capabilities, request.form_under(capabilities)
    if form is AnswerForm.TOOL and refused.form == "tool_choice" and capabilities.forced_tool:
        changed = replace(changed, form=form, forced_tool=False)
    elif refused.form and form.weaker is not None and request.model.form is None:
        changed = replace(changed, form=form.weaker, best_form=form.weaker)
    changed = replace(
        changed,
        rejected=changed.rejected | refused.parameters,
        merges_system=changed.merges_system or (refused.system and not request.model.merges_system),
        quotes_answers=changed.quotes_answers or refused.answers,
        streams=changed.streams or refused.stream,
    )
    if refused.bound:
        changed = _other_bound(changed, request, refused)
    return None if changed == capabilities else changed


def _other_bound(capabilities: Capabilities, request: Request, refused: Refused) -> Capabilities:
    """Another number or another name for the bound on the reply; half of it where the refusal says neither."""
    if (room := refused.room) is not None:
        if room.context is None or room.prompt is None:
            return replace(capabilities, max_tokens=room.bound)
        return replace(capabilities, window=Window(room.context, room.prompt / max(request.characters(capabilities), 1)))
    renamed = _under_other_name(capabilities, request, refused.token_field)
    return renamed if refused.token_field is not None or renamed != capabilities else _halved(capabilities, request)


def _under_other_name(capabilities: Capabilities, request: Request, name: str | None = None) -> Capabilities:
    body = request.body(capabilities)
    name = name or next((other for other in TOKEN_FIELDS if other not in body), TOKEN_FIELDS[0])
    return replace(capabilities, token_field=name) if capabilities.token_field is None else capabilities


def _degraded(capabilities: Capabilities, request: Request) -> Capabilities | None:
    form, body = request.form_under(capabilities), request.body(capabilities)
    if form.weaker is not None and request.model.form is None:
        return replace(capabilities, form=form.weaker)
    if optional := optional_fields(body):  # the form was not to blame: again the best one that was not refused by name
        return replace(capabilities, rejected=capabilities.rejected | set(optional), form=capabilities.best_form)
    for changed in (_halved(capabilities, request), _under_other_name(capabilities, request)):
        if changed != capabilities:
            return changed
    return replace(capabilities, merges_system=True) if has_system(body) else None


def _halved(capabilities: Capabilities, request: Request) -> Capabilities:
    bound = reply_limit(request.model, capabilities)
    if capabilities.halved or bound // 2 < _SMALLEST_BOUND:
        return capabilities
    return replace(capabilities, max_tokens=bound // 2, halved=True)


def _drops_system(outcome: Delivered | ModelMistake, capabilities: Capabilities, request: Request) -> bool:
    """Whether the prompt's tokens fit the messages without the system's, which are at least as long."""
    usage, characters = outcome.reply.usage, request.characters(capabilities)
    counted = usage.said
    if not (counted and has_system(request.body(capabilities))):
        return False
    rest = sum(len(message["content"]) for message in request.messages if message["role"] != "system")
    expected = estimated_tokens(rest)
    is_far_off = (counted + usage.cached_tokens) * 2 < estimated_tokens(characters)
    return is_far_off and rest * 2 <= characters and expected * 3 <= counted * 5 and counted * 3 <= expected * 5
