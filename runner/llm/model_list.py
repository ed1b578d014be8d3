"""Model list: an endpoint's models (GET /models) and the credit of a key (GET /key)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

from runner.llm.prices import Prices, prices_from

_SUFFIXES = {"free", "nitro", "floor", "exacto", "thinking", "extended", "online"}


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model in its endpoint's list; None for what the endpoint does not say."""

    name: str
    title: str | None = None
    context_length: int | None = None
    max_reply_tokens: int | None = None
    prices: Prices | None = None
    supported: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Credit:
    """The credit of a key, in USD; None without a limit, or where the endpoint does not say."""

    limit: float | None = None
    left: float | None = None
    used: float | None = None
    is_free_tier: bool = False


class GetResult(NamedTuple):
    """The result of a GET: the body of a 200, the status of any response, and why there is no body."""

    text: str
    status: int | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Inspection:
    """The facts about a model that need no call to it. `why` says why there is no list of models, None if there is one.

    `listed` counts the endpoint's models, `entry` is this model's own; `accepts_key` is None if the endpoint does not say.
    """

    is_reachable: bool
    why: str | None
    entry: ModelEntry | None
    listed: int
    accepts_key: bool | None
    credit: Credit | None


def entries(text: str) -> tuple[ModelEntry, ...]:
    """The models in the body of GET /models; none if it cannot be read."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    data = document.get("data", document.get("models")) if isinstance(document, Mapping) else document
    listed = data if isinstance(data, list) else []
    return tuple(_entry(item) for item in listed if isinstance(item, Mapping) and isinstance(item.get("id"), str))


def _entry(item: Mapping[str, Any]) -> ModelEntry:
    top = item.get("top_provider")
    top = top if isinstance(top, Mapping) else {}
    supported = item.get("supported_parameters")
    pricing = item.get("pricing")
    return ModelEntry(
        name=item["id"],
        title=item.get("name") if isinstance(item.get("name"), str) else None,
        context_length=_count(top.get("context_length")) or _count(item.get("context_length")),
        max_reply_tokens=_count(top.get("max_completion_tokens")),
        prices=prices_from(pricing) if isinstance(pricing, Mapping) else None,
        supported=frozenset(map(str, supported)) if isinstance(supported, list) and supported else None,
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def find(listed: tuple[ModelEntry, ...], name: str) -> ModelEntry | None:
    """The entry of a model, with or without a routing suffix such as `:nitro`."""
    by_name = {entry.name: entry for entry in listed}
    base, _, suffix = name.rpartition(":")
    return by_name.get(name) or (by_name.get(base) if suffix in _SUFFIXES else None)


def nearest_in_words(listed: tuple[ModelEntry, ...], name: str) -> str:
    """The names of an endpoint's list that are most like this one, as the end of a sentence; "" without any."""
    by_letters = {entry.name.lower(): entry.name for entry in listed}
    names = [by_letters[near] for near in get_close_matches(name.lower(), by_letters, n=3, cutoff=0.5)]
    if name in names or not names:
        return "; the endpoint lists it all the same" if names else ""
    return f"; the nearest it lists: {', '.join(names)}"


def credit(text: str) -> Credit | None:
    """The credit in the body of GET /key; None if it cannot be read."""
    try:
        data = json.loads(text)["data"]
        left = (data.get("effective_budget") or {}).get("remaining_usd", data.get("limit_remaining"))
        return Credit(_usd(data.get("limit")), _usd(left), _usd(data.get("usage")), data.get("is_free_tier") is True)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _usd(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
