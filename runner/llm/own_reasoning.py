"""Own reasoning: whether a model reasons by itself, by its parameters or by a reply."""

from __future__ import annotations

import re
from collections.abc import Mapping

from runner.llm.strip_wrappers import THOUGHT_BEGINS

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
    usage = reply.get("usage")
    if isinstance(usage, Mapping) and usage.get("reasoning_tokens"):
        return True
    text, reasoning = reply.get("text"), reply.get("reasoning")
    if isinstance(reasoning, str) and reasoning.strip():
        return True
    return isinstance(text, str) and _BEGINS_WITH_THOUGHT.match(text) is not None
