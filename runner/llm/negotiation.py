"""Learning what an endpoint takes: the form of the answer one rung weaker, a parameter left out, the reply bounded."""

from __future__ import annotations

from dataclasses import replace

from runner.llm.outcome import Configuration
from runner.llm.request import AnswerForm, Habits, Model, Request, token_bound

LEARNABLE = frozenset({"form_refused", "parameter_refused", "token_field_refused", "token_limit"})


def adapted(habits: Habits, request: Request, refusal: Configuration) -> Habits | None:
    """The habits to try next after a refusal, None when nothing is left to try (catalogue rows 29, 30, 32)."""
    match refusal.kind:
        case "form_refused":
            return _weaker_form(habits, request, refusal.parameter)
        case "parameter_refused":
            return _without(habits, refusal.parameter)
        case "token_field_refused":
            return replace(habits, token_field=refusal.parameter) if habits.token_field is None else None
        case "token_limit":
            return _bounded(habits, request.model, refusal.bound)
        case _:
            return None


def _weaker_form(habits: Habits, request: Request, parameter: str | None) -> Habits | None:
    form = habits.form or request.form
    if form is AnswerForm.TOOL and parameter == "tool_choice" and habits.forces_tool:
        return replace(habits, form=form, forces_tool=False)
    weaker = form.next_rung
    return replace(habits, form=weaker) if weaker is not None and request.model.form is None else None


def _without(habits: Habits, parameter: str | None) -> Habits | None:
    if parameter is None or parameter in habits.left_out or parameter in ("max_tokens", "max_completion_tokens"):
        return None
    return replace(habits, left_out=habits.left_out | {parameter})


def _bounded(habits: Habits, model: Model, bound: int | None) -> Habits | None:
    if bound is None or bound == token_bound(model, habits):
        return None
    return replace(habits, max_tokens=bound)


def form_for(supported: frozenset[str]) -> AnswerForm:
    """The best form among an endpoint's `supported_parameters` (openrouter.ai/docs, GET /models)."""
    if "structured_outputs" in supported:
        return AnswerForm.STRICT_SCHEMA
    if "tools" in supported:
        return AnswerForm.TOOL
    return AnswerForm.JSON_OBJECT if "response_format" in supported else AnswerForm.TEXT
