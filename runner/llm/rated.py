"""Rated play: exactly the model asked for, by a pinned provider. Checks settings before a match and replies during it."""

from __future__ import annotations

from collections.abc import Mapping

from runner.llm.request import Model

RULES = "Rated: exactly the models named and the providers pinned, no fallbacks, no healing; replies by others are refused."

_ROUTING_SUFFIXES = ("nitro", "floor", "exacto", "online", "free")
_CACHE = {"x-openrouter-cache", "x-openrouter-cache-ttl"}


def objections(model: Model) -> tuple[str, ...]:
    """The settings of a model that rated play refuses, in sentences; none if it can be rated."""
    found = (_alias(model), _suffix(model), _fallbacks(model), _provider(model), _plugins(model), _cache(model))
    return tuple(filter(None, found))


def _alias(model: Model) -> str:
    moves = model.name.startswith("~") or model.name.endswith("-latest") or model.name == "openrouter/auto"
    return f"{model.name} stands for a different model from one day to the next: name the model itself" if moves else ""


def _suffix(model: Model) -> str:
    suffix = model.name.rpartition(":")[2] if model.is_openrouter and ":" in model.name else ""
    return f"the suffix :{suffix} lets the router choose among providers: leave it out" if suffix in _ROUTING_SUFFIXES else ""


def _fallbacks(model: Model) -> str:
    named = sorted({"models", "route", "fallbacks"} & model.parameters.keys())
    return f'"{named[0]}" lets other models answer: leave it out' if named else ""


def _provider(model: Model) -> str:
    provider = model.parameters.get("provider")
    allows = isinstance(provider, Mapping) and provider.get("allow_fallbacks") is True
    return '"allow_fallbacks" lets other providers answer: leave it out' if allows else ""


def _plugins(model: Model) -> str:
    plugins = model.parameters.get("plugins")
    names = [str(plugin.get("id")) for plugin in plugins if isinstance(plugin, Mapping)] if isinstance(plugins, list) else []
    return f"the plugin {names[0]} changes questions or answers: leave it out" if names else ""


def _cache(model: Model) -> str:
    names = {name.lower() for name in model.headers}
    return "the header X-OpenRouter-Cache lets old answers be given again: leave it out" if _CACHE & names else ""


def is_other(model: Model, answered: str | None, provider: str | None) -> bool:
    """Whether, in rated play, another model or a provider that was not pinned answered.

    OpenRouter always names both, so a reply without them counts as another one; other servers may leave them out.
    """
    if not model.rated:
        return False
    is_same = not model.is_openrouter if answered is None else _same_model(model.name, answered)
    return not is_same or not _is_pinned(model, provider)


def _same_model(asked: str, answered: str) -> bool:
    """The reply may name the dated version of the model (`vendor/model-2026-01-05`), or leave the vendor out."""
    asked, answered = asked.lower(), answered.lower()
    for name in (asked, asked.rpartition("/")[2]):
        if answered == name or answered == f"{name}:free":
            return True
        rest = answered.removeprefix(f"{name}-")
        if rest != answered and rest.replace("-", "").isdigit():
            return True
    return False


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
