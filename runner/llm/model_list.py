"""Model list: an endpoint's models (GET /models) and the credit of a key (GET /key)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

from runner.llm.loose_json import loose_json, number
from runner.llm.prices import Prices, prices_from
from runner.llm.surrogates import without_surrogates

_LONGEST_NAME = 300
_LARGEST_COUNT = 10**9
_SUFFIXES = {"free", "nitro", "floor", "exacto", "thinking", "extended", "online"}


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model in its endpoint's list; None for what the endpoint does not say.

    `canonical_name` is the permanent name behind an alias (OpenRouter's `canonical_slug`).
    """

    name: str
    title: str | None = None
    context_length: int | None = None
    max_reply_tokens: int | None = None
    prices: Prices | None = None
    supported: frozenset[str] | None = None
    canonical_name: str | None = None


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
        document = loose_json(text)
    except ValueError:
        return ()
    data = document.get("data", document.get("models")) if isinstance(document, Mapping) else document
    listed = data if isinstance(data, list) else []
    return tuple(_entry(item) for item in listed if isinstance(item, Mapping) and _name(item.get("id")))


def _entry(item: Mapping[str, Any]) -> ModelEntry:
    top = item.get("top_provider")
    top = top if isinstance(top, Mapping) else {}
    supported = item.get("supported_parameters")
    pricing = item.get("pricing")
    return ModelEntry(
        name=_name(item["id"]) or "",
        title=_name(item.get("name")),
        canonical_name=_name(item.get("canonical_slug")),
        context_length=_count(top.get("context_length")) or _count(item.get("context_length")),
        max_reply_tokens=_count(top.get("max_completion_tokens")),
        prices=prices_from(pricing) if isinstance(pricing, Mapping) else None,
        supported=frozenset(filter(None, map(_name, supported))) or None if isinstance(supported, list) else None,
    )


def _name(value: object) -> str | None:
    return without_surrogates(value[:_LONGEST_NAME]) if isinstance(value, str) and value else None


def _count(value: object) -> int | None:
    found = number(value)
    return int(found) if found is not None and 1 <= found < _LARGEST_COUNT else None


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
        document = loose_json(text)
    except ValueError:
        return None
    data = document.get("data") if isinstance(document, Mapping) else None
    if not isinstance(data, Mapping):
        return None
    budget = data.get("effective_budget")
    left = budget.get("remaining_usd") if isinstance(budget, Mapping) else None
    left = number(data.get("limit_remaining") if left is None else left)
    return Credit(number(data.get("limit")), left, number(data.get("usage")), data.get("is_free_tier") is True)
