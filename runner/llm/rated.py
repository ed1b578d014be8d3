"""Rated play: exactly the model asked for, by a pinned provider. Checks settings before a match and replies during it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from runner.llm.request import Model

RULES = "Rated: exactly the models named and the providers pinned, no fallbacks, no healing; replies by others are refused."

_UNCHANGED_BY = {"thinking"}
"""Suffixes that name a way to use the same model by the same provider. Every other one chooses a route or changes prompts."""

_ROUTERS = re.compile(r"openrouter/|(?:.*[/-])?(?:auto|router)\Z")
_CHANGES = {
    **dict.fromkeys(("models", "route", "fallbacks"), "lets other models answer"),
    **dict.fromkeys(("preset", "transforms", "plugins", "web_search_options"), "changes questions or answers"),
}
"""Fields of a request that end rated play, and what they do."""

_CACHE = {"x-openrouter-cache", "x-openrouter-cache-ttl"}
_DATE = re.compile(r"-(?:\d{6}|\d{8}|\d{4}-\d\d-\d\d)\Z")


def objections(model: Model) -> tuple[str, ...]:
    """The settings of a model that rated play refuses, in sentences; none if it can be rated."""
    found = (_alias(model), _suffix(model), *_fields(model), _provider(model), _cache(model))
    return tuple(filter(None, found))


def _alias(model: Model) -> str:
    name = model.name.strip().lower()
    base = name.partition(":")[0]
    moves = name.startswith(("~", "@")) or base.endswith("-latest") or _ROUTERS.match(base)
    return f"{model.name} stands for a different model from one day to the next: name the model itself" if moves else ""


def _suffix(model: Model) -> str:
    suffixes = model.name.strip().lower().split(":")[1:] if model.is_openrouter else []
    other = next((suffix for suffix in suffixes if suffix not in _UNCHANGED_BY), None)
    if other is None and "@preset" not in model.name.lower():
        return ""
    named = "@preset" if other is None else f":{other}"
    return f"the suffix {named} lets the router choose among providers, or changes the request: leave it out"


def _fields(model: Model) -> list[str]:
    given = {name.lower(): name for name in model.parameters}
    return [f'"{given[name]}" {does}: leave it out' for name, does in _CHANGES.items() if name in given]


def _provider(model: Model) -> str:
    provider = model.parameters.get("provider")
    allows = isinstance(provider, Mapping) and provider.get("allow_fallbacks") is True
    return '"allow_fallbacks" lets other providers answer: leave it out' if allows else ""


def _cache(model: Model) -> str:
    names = {name.lower() for name in model.headers}
    return "the header X-OpenRouter-Cache lets old answers be given again: leave it out" if _CACHE & names else ""


def is_other(model: Model, answered: str | None, provider: str | None, canonical: str | None = None) -> bool:
    """Whether, in rated play, another model or a provider that was not pinned answered.

    `canonical` is the endpoint's own name for the model, from its list. OpenRouter always names model and provider, so a reply
    without them counts as another one; other servers may leave them out.
    """
    if not model.rated:
        return False
    if answered is None:
        return model.is_openrouter or not _is_pinned(model, provider)
    names = (model.name, canonical) if canonical else (model.name,)
    return not any(is_same_model(name, answered) for name in names) or not _is_pinned(model, provider)


def is_same_model(asked: str, answered: str) -> bool:
    """Whether both names are the same model's: equal, or one date is added (`vendor/model-2026-01-05`), or no vendor named."""
    asked, answered = asked.strip().lower(), answered.strip().lower()
    base, _, suffix = asked.rpartition(":")
    names = {asked, base if suffix in _UNCHANGED_BY else asked}
    names |= {name.rpartition("/")[2] for name in names}
    return any(answered == name or _is_dated(name, answered) for name in names)


def _is_dated(name: str, answered: str) -> bool:
    """Whether `answered` is the name with a date behind it."""
    return answered.startswith(name) and _DATE.fullmatch(answered[len(name) :]) is not None


def _is_pinned(model: Model, provider: str | None) -> bool:
    routing = model.parameters.get("provider")
    pinned = routing.get("only") or routing.get("order") if isinstance(routing, Mapping) else None
    if not isinstance(pinned, (list, tuple)):
        return True
    if provider is None:
        return not model.is_openrouter
    return _letters(provider) in {_letters(str(slug).partition("/")[0]) for slug in pinned}


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
