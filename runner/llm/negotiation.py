"""Negotiation: how a request changes after an endpoint refused a part of it."""

from __future__ import annotations

from dataclasses import replace

from runner.llm.outcome import Configuration
from runner.llm.request import AnswerForm, Capabilities, Model, Request, reply_limit

NEGOTIABLE = frozenset({"form_refused", "parameter_refused", "token_field_refused", "token_limit"})
"""Kinds of refusal after which a changed request may be accepted."""


def adapt(capabilities: Capabilities, request: Request, refusal: Configuration) -> Capabilities | None:
    """The capabilities to try after a refusal, None when nothing is left to try."""
    match refusal.kind:
        case "form_refused":
            return _weaker_form(capabilities, request, refusal.parameter)
        case "parameter_refused":
            return _without(capabilities, refusal.parameter)
        case "token_field_refused":
            return replace(capabilities, token_field=refusal.parameter) if capabilities.token_field is None else None
        case "token_limit":
            return _bounded(capabilities, request.model, refusal.bound)
        case _:
            return None


def _weaker_form(capabilities: Capabilities, request: Request, parameter: str | None) -> Capabilities | None:
    form = capabilities.form or request.form
    if form is AnswerForm.TOOL and parameter == "tool_choice" and capabilities.forced_tool:
        return replace(capabilities, form=form, forced_tool=False)
    weaker = form.weaker
    return replace(capabilities, form=weaker) if weaker is not None and request.model.form is None else None


def _without(capabilities: Capabilities, parameter: str | None) -> Capabilities | None:
    if parameter is None or parameter in capabilities.rejected or parameter in ("max_tokens", "max_completion_tokens"):
        return None
    return replace(capabilities, rejected=capabilities.rejected | {parameter})


def _bounded(capabilities: Capabilities, model: Model, bound: int | None) -> Capabilities | None:
    if bound is None or bound == reply_limit(model, capabilities):
        return None
    return replace(capabilities, max_tokens=bound)


def first_form(model: Model, supported: frozenset[str] | None) -> AnswerForm:
    """The form to ask a model for, by its endpoint's `supported_parameters` (None: it lists none).

    A provider that reads the schema before the messages gets it in the prompt instead: the schema changes with every question,
    and the whole prompt behind it would be new to the provider's cache.
    """
    form = AnswerForm.STRICT_SCHEMA if supported is None else best_form(supported)
    if model.reads_schema_first and form.carries_schema:
        takes_json = supported is None or "response_format" in supported
        return AnswerForm.JSON_OBJECT if takes_json else AnswerForm.TEXT
    return form


def best_form(supported: frozenset[str]) -> AnswerForm:
    """The strictest form among an endpoint's `supported_parameters` (openrouter.ai/docs, GET /models)."""
    if "structured_outputs" in supported:
        return AnswerForm.STRICT_SCHEMA
    if "tools" in supported:
        return AnswerForm.TOOL
    return AnswerForm.JSON_OBJECT if "response_format" in supported else AnswerForm.TEXT
