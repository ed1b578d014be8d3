"""Identity in rated play: whether the model and provider that answered are those asked for."""

from __future__ import annotations

from collections.abc import Mapping

from runner.llm.request import Model


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
