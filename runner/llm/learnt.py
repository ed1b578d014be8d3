"""Learnt capabilities: as data for a log, from a log, and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runner.json_types import Json
from runner.llm.request import UNRESTRICTED, AnswerForm, Capabilities, Window


def learnt_to_json(capabilities: Capabilities) -> dict[str, Json]:
    """The capabilities as data: only what differs from an endpoint that takes everything."""
    forms: dict[str, Json] = {
        name: form.value for name in ("form", "best_form") if (form := getattr(capabilities, name)) is not None
    }
    plain: dict[str, Json] = {
        name: value
        for name in ("token_field", "max_tokens", "halved", "forced_tool", "merges_system", "counts_few")
        if (value := getattr(capabilities, name)) != getattr(UNRESTRICTED, name)
    }
    rejected: dict[str, Json] = {"rejected": sorted(capabilities.rejected)} if capabilities.rejected else {}
    window: dict[str, Json] = {"window": list(capabilities.window)} if capabilities.window else {}
    return {**forms, **plain, **rejected, **window}


def learnt_from_json(data: Mapping[str, Any]) -> Capabilities | None:
    """The capabilities in a log's record; None if it has none that can be read."""
    if not data:
        return None
    try:
        return Capabilities(
            **{name: data[name] for name in data if name not in ("form", "best_form", "rejected", "window")},
            form=AnswerForm(data["form"]) if "form" in data else None,
            best_form=AnswerForm(data["best_form"]) if "best_form" in data else None,
            rejected=frozenset(data.get("rejected", ())),
            window=Window(*data["window"]) if "window" in data else None,
        )
    except (ValueError, TypeError):
        return None


def in_words(capabilities: Capabilities) -> tuple[str, ...]:
    """What was learnt, in sentences about the endpoint; parameters that are left out are named elsewhere."""
    form = capabilities.form and f"is asked for its answer as {capabilities.form.value}: it refused better forms"
    auto = None if capabilities.forced_tool else "takes no forced tool"
    bound = capabilities.max_tokens and f"takes replies of at most {capabilities.max_tokens} tokens"
    window = capabilities.window and f"has a context of {capabilities.window.context} tokens, which bounds its replies"
    system = "takes no system message: its text goes into the first user message" if capabilities.merges_system else None
    counts = (
        "counts less than half of the estimated tokens of a prompt: it may cut prompts" if capabilities.counts_few else None
    )
    return tuple(filter(None, (form, auto, bound, window, system, counts)))
