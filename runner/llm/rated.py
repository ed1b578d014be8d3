"""Rated play: exactly the model asked for, by a pinned provider. Checks settings before a match and replies during it."""

import re
from collections.abc import Iterator, Mapping

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
_DATED = re.compile(r"(?:-(?:\d{6}|\d{8}|\d{4}-\d\d-\d\d))?")
"""What may stand behind the name of a model: nothing, or a date."""


def objections(model: Model) -> Iterator[str]:
    """The settings of a model that rated play refuses, in sentences; none if it can be rated."""
    name = model.name.strip().lower()
    base, *suffixes = name.split(":")
    if name.startswith(("~", "@")) or base.endswith("-latest") or _ROUTERS.match(base):
        yield f"{model.name} stands for a different model from one day to the next: name the model itself"
    other = next((f":{suffix}" for suffix in suffixes if model.is_openrouter and suffix not in _UNCHANGED_BY), None)
    if other is not None or "@preset" in name:
        yield f"the suffix {other or '@preset'} lets the router choose among providers, or changes the request: leave it out"
    given = {name.lower(): name for name in model.parameters}
    yield from (f'"{given[name]}" {does}: leave it out' for name, does in _CHANGES.items() if name in given)
    provider = model.parameters.get("provider")
    if isinstance(provider, Mapping) and provider.get("allow_fallbacks") is True:
        yield '"allow_fallbacks" lets other providers answer: leave it out'
    if _CACHE & {name.lower() for name in model.headers}:
        yield "the header X-OpenRouter-Cache lets old answers be given again: leave it out"


def is_other(model: Model, answered: str | None, provider: str | None, canonical: str | None = None) -> bool:
    """Whether, in rated play, another model or a provider that was not pinned answered. `canonical` is the endpoint's own name
    for the model, from its list. OpenRouter always names model and provider, so a reply without them counts as another one;
    other servers may leave them out."""
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
    return any(answered.startswith(name) and _DATED.fullmatch(answered[len(name) :]) for name in names)


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
