"""Prices for a token, and the maximum cost of a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from runner.llm.loose_json import number

TEMPLATE_TOKENS = 24
"""Tokens a chat template may add around one message."""

FORM_TOKENS = 600
"""Tokens a provider may add for a tool or a schema beyond the schema's own text."""


_HIGHEST_PRICE = 1000.0
"""USD for one token or request. A higher price is none."""


@dataclass(frozen=True, slots=True)
class Prices:
    """USD for one token of prompt and of reply, and for one request. Cached prompt tokens cost `cached`."""

    prompt: float
    completion: float
    request: float = 0.0
    cached: float | None = None

    def cost(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """The cost of a call with these counts, in USD."""
        cached = min(cached_tokens, prompt_tokens)
        cached_price = self.prompt if self.cached is None else self.cached
        fresh = (prompt_tokens - cached) * self.prompt
        return self.request + fresh + cached * cached_price + completion_tokens * self.completion


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The maximum of one call: tokens, and USD if prices are known."""

    tokens: int
    usd: float | None


def most_prompt_tokens(messages: Iterable[Mapping[str, str]], schema_bytes: int = 0) -> int:
    """An upper bound on the tokens of a prompt: no tokenizer in use makes more tokens than UTF-8 bytes."""
    texts = [message.get("content", "") for message in messages]
    return sum(len(text.encode("utf-8", "replace")) + TEMPLATE_TOKENS for text in texts) + schema_bytes + FORM_TOKENS


def worst_case(prompt_tokens: int, reply_tokens: int, prices: Prices | None) -> WorstCase:
    """The maximum of a call with these bounds on prompt and reply, in tokens."""
    usd = None if prices is None else prices.cost(prompt_tokens, reply_tokens)
    return WorstCase(prompt_tokens + reply_tokens, usd)


def prices_from(pricing: Mapping[str, Any]) -> Prices | None:
    """Prices from an entry's `pricing` in OpenRouter's GET /models, the highest where they vary; None if unreadable.

    Values are strings in USD for a token; `overrides` holds the prices of long prompts or busy hours. The router's own
    entries have negative prices, which stand for "varies".
    """
    overrides = pricing.get("overrides")
    tiers = [pricing, *[tier for tier in overrides if isinstance(tier, Mapping)]] if isinstance(overrides, list) else [pricing]
    if _price(pricing, "prompt") is None or _price(pricing, "completion") is None:
        return None
    try:
        prompt = max(_highest(tiers, "prompt"), _highest(tiers, "input_cache_write"))
        completion = max(_highest(tiers, "completion"), _highest(tiers, "internal_reasoning"))
        return Prices(prompt, completion, _highest(tiers, "request"), _price(pricing, "input_cache_read"))
    except ValueError:
        return None


def _highest(tiers: Iterable[Mapping[str, Any]], name: str) -> float:
    """The highest price of this name, 0 where none is named. ValueError where one is named that is no price."""
    found = [_price(tier, name) for tier in tiers if tier.get(name) not in (None, "")]
    if None in found:
        raise ValueError(name)
    return max(filter(None, found), default=0.0)


def _price(tier: Mapping[str, Any], name: str) -> float | None:
    found = number(tier.get(name))
    return found if found is not None and 0 <= found <= _HIGHEST_PRICE else None
