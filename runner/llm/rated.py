"""Rated play: the settings of a model that could let another model or provider answer."""

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
