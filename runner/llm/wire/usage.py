"""Usage: tokens and cost of a call, estimated where the endpoint's figures are missing or implausible."""

from __future__ import annotations

from collections.abc import Mapping

from runner.json_types import JsonObject
from runner.llm.loose_json import number
from runner.llm.outcome import Usage
from runner.llm.prices import Prices
from runner.llm.tokens import estimated_tokens

_SMALLEST_CONTEXT = 256
"""Lower counts are made up by a stand-in server, and not the size of a truncated prompt."""


def usage_of(document: JsonObject, prompt_letters: int, reply_letters: int) -> Usage:
    """The counts of a reply; estimated from its letters, and flagged, if missing or implausible."""
    given = document.get("usage")
    usage = given if isinstance(given, Mapping) else {}
    prompt, completion = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    reasoning = _count(_part(usage, "completion_tokens_details"), "reasoning_tokens")
    cached = _count(_part(usage, "prompt_tokens_details"), "cached_tokens")
    if prompt and not _is_implausible(prompt, prompt_letters):
        return Usage(prompt, completion, reasoning, cached, said=prompt)
    estimate = estimated_tokens(prompt_letters), max(completion, estimated_tokens(reply_letters))
    return Usage(*estimate, reasoning, cached, estimated=True, said=prompt)


def counts_few(usage: Usage, prompt_letters: int, part: int = 2) -> bool:
    """Whether a count, cached tokens included, is less than 1/`part` of the estimate for the prompt: the server cuts prompts,
    leaves some tokens uncounted, or has another tokenizer."""
    return not usage.estimated and (usage.prompt_tokens + usage.cached_tokens) * part < estimated_tokens(prompt_letters)


def was_truncated(usage: Usage, prompt_letters: int) -> bool:
    """Whether it read only a part of the prompt, as Ollama does with a short context: it counts less than a quarter."""
    return counts_few(usage, prompt_letters, 4)


def cost_of(document: JsonObject, headers: Mapping[str, str], usage: Usage, prices: Prices | None) -> float | None:
    """The cost of the call in USD: by the reply, else by a LiteLLM proxy's header, else by prices, else None.

    With the user's own provider key (is_byok) the upstream's share is added.
    """
    cost = stated_cost(document, headers)
    if cost is not None or prices is None:
        return cost
    return prices.cost(usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens)


def stated_cost(document: JsonObject, headers: Mapping[str, str]) -> float | None:
    """The cost in USD by the reply or by a LiteLLM proxy's header, else None."""
    given = _part(document, "usage")
    cost = _amount(given.get("cost"))
    if cost is None:
        return _amount(headers.get("x-litellm-response-cost"))
    upstream = _amount(_part(given, "cost_details").get("upstream_inference_cost"))
    return cost + (upstream or 0.0) if given.get("is_byok") is True else cost


def _is_implausible(prompt_tokens: int, letters: int) -> bool:
    return prompt_tokens < _SMALLEST_CONTEXT and prompt_tokens * 2 < estimated_tokens(letters)


def _part(usage: JsonObject, name: str) -> JsonObject:
    part = usage.get(name)
    return part if isinstance(part, Mapping) else {}


def _count(usage: JsonObject, name: str) -> int:
    found = number(usage.get(name))
    return int(found) if found is not None and 0 <= found < 10**9 else 0


def _amount(value: object) -> float | None:
    found = number(value)
    return found if found is not None and 0 <= found < 1e6 else None
