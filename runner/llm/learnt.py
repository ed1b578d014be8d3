"""Learnt capabilities: as data for a log, from a log, and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runner.json_types import Json
from runner.llm.request import UNRESTRICTED, AnswerForm, Capabilities
from runner.llm.window import Window

_FLAGS = ("halved", "forced_tool", "merges_system", "counts_few", "reasons")


def learnt_to_json(capabilities: Capabilities) -> dict[str, Json]:
    """The capabilities as data: only what differs from an endpoint that takes everything."""
    found: dict[str, Json] = {
        "form": capabilities.form and capabilities.form.value,
        "best_form": capabilities.best_form and capabilities.best_form.value,
        "rejected": [*sorted(capabilities.rejected)],
        "token_field": capabilities.token_field,
        "max_tokens": capabilities.max_tokens,
        "window": capabilities.window and [*capabilities.window],
        **{name: getattr(capabilities, name) for name in _FLAGS if getattr(capabilities, name) != getattr(UNRESTRICTED, name)},
    }
    return {name: value for name, value in found.items() if value not in (None, [])}


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
    sentences = {
        f"is asked for its answer as {capabilities.form.value if capabilities.form else ''}": capabilities.form is not None,
        "takes no forced tool": not capabilities.forced_tool,
        f"takes replies of at most {capabilities.max_tokens} tokens": capabilities.max_tokens is not None,
        f"bounds prompt and reply together at {capabilities.window and capabilities.window.context} tokens":
            capabilities.window is not None,
        "takes no system message: its text goes into the first user message": capabilities.merges_system,
        "counts less than half of the estimated tokens of a prompt: it may cut prompts": capabilities.counts_few,
    }  # fmt: skip
    return tuple(sentence for sentence, holds in sentences.items() if holds)
