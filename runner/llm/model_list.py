"""Model list: an endpoint's models (GET /models) and the credit of a key (GET /key)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

from runner.llm.budget import Prices, prices_from
from runner.llm.strict_json import count_in, loose_json, mapping, name_in, number

_SUFFIXES = {"free", "nitro", "floor", "exacto", "thinking", "extended", "online"}


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model in its endpoint's list; None for what that does not say. `canonical_name` is the permanent one of an alias,
    `expires` the day on which it goes, `efforts` the reasoning efforts that it knows."""

    name: str
    title: str | None = None
    context_length: int | None = None
    max_reply_tokens: int | None = None
    prices: Prices | None = None
    supported: frozenset[str] | None = None
    canonical_name: str | None = None
    expires: str | None = None
    efforts: tuple[str, ...] = ()


class GetResult(NamedTuple):
    """The result of a GET: the body of a 200, the status of any response, and why there is no body."""

    text: str
    status: int | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Inspection:
    """The facts about a model that need no call to it. `why` says why there is no list of models, None if there is one.
    `listed` counts the endpoint's models, `entry` is this model's own; `accepts_key` and `credit`, the USD that the key has
    left (infinite without a limit), are None if the endpoint does not say."""

    is_reachable: bool
    why: str | None
    entry: ModelEntry | None
    listed: int
    accepts_key: bool | None
    credit: float | None


def entries(text: str) -> tuple[ModelEntry, ...]:
    """The models in the body of GET /models; none if it cannot be read."""
    document = _document(text)
    data = document.get("data", document.get("models")) if isinstance(document, Mapping) else document
    listed = data if isinstance(data, list) else []
    return tuple(_entry(item) for item in listed if isinstance(item, Mapping) and name_in(item.get("id")))


def _document(text: str) -> object:
    try:
        return loose_json(text)
    except ValueError:
        return None


def _entry(item: Mapping[str, Any]) -> ModelEntry:
    top, supported, pricing = mapping(item.get("top_provider")), item.get("supported_parameters"), item.get("pricing")
    efforts = mapping(item.get("reasoning")).get("supported_efforts")
    return ModelEntry(
        name=name_in(item["id"]) or "",
        title=name_in(item.get("name")),
        canonical_name=name_in(item.get("canonical_slug")),
        context_length=count_in(top.get("context_length")) or count_in(item.get("context_length")) or None,
        max_reply_tokens=count_in(top.get("max_completion_tokens")) or None,
        prices=prices_from(pricing) if isinstance(pricing, Mapping) else None,
        supported=frozenset(filter(None, map(name_in, supported))) or None if isinstance(supported, list) else None,
        expires=name_in(item.get("expiration_date")),
        efforts=tuple(filter(None, map(name_in, efforts))) if isinstance(efforts, list) else (),
    )


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


def credit(text: str) -> float | None:
    """The credit in the body of GET /key, in USD, infinite where it states no limit; None if it cannot be read."""
    data = mapping(_document(text)).get("data")
    if not isinstance(data, Mapping):
        return None
    left = mapping(data.get("effective_budget")).get("remaining_usd")
    found = number(data.get("limit_remaining") if left is None else left)
    return math.inf if found is None else found
