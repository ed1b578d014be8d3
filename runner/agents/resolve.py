"""From a SPEC to the model it stands for: where it is, with which key, how it is called."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from games.core import quoted
from runner.agents.environment import KEY_VARIABLE, OTHER_KEY_VARIABLE, Settings
from runner.agents.rated_seats import held_to_rated
from runner.agents.spec import BOT, OFFLINE, is_offline, split_spec
from runner.errors import AccountError, UsageError

if TYPE_CHECKING:
    from runner.llm.request import Model

OPENROUTER = "https://openrouter.ai/api/v1"


def model_of(spec: str, settings: Settings, is_rated: bool = False) -> Model:
    """The model a SPEC stands for. AccountError when its key is missing or rated play refuses it, UsageError when its
    address is none."""
    who, _ = split_spec(spec)
    model = _model_of(who, settings)
    return held_to_rated(model, who) if is_rated else model


def _model_of(spec: str, settings: Settings) -> Model:
    from runner.llm.offline import OFFLINE_URL
    from runner.llm.request import Model

    if spec in settings.agents:
        return _named_model(spec, settings)
    if is_offline(spec):
        return Model(spec, OFFLINE_URL, "", "none")
    name, _, url = spec.partition("@")
    url = _checked_address(url or OPENROUTER, spec)
    variable = _key_variable(url)
    return Model(name, url, _key(spec, variable, settings), variable)


def has_key(spec: str, settings: Settings) -> bool:
    """Whether the key that the model of a SPEC needs, if it needs any, is there."""
    try:
        model_of(spec, settings)
    except AccountError:
        return False
    return True


def model_without_key(spec: str, settings: Settings) -> Model:
    """The model a SPEC stands for, with its key if there is one, for what needs none: prices and the words of prompts."""
    absent = {KEY_VARIABLE, *(entry.key for entry in settings.agents.values() if entry.key)} - settings.variables.keys()
    return model_of(spec, replace(settings, variables={**settings.variables, **dict.fromkeys(absent, "")}))


def endpoint_of(url: str, settings: Settings) -> Model:
    """A nameless model at an address, for questions about the endpoint itself; its key goes along when there is one."""
    from runner.llm.offline import OFFLINE_URL
    from runner.llm.request import Model

    if url == OFFLINE:
        return Model("", OFFLINE_URL, "", "none")
    variable = _key_variable(url)
    return Model("", _checked_address(url, url), settings.get(variable, ""), variable)


def _checked_address(url: str, said: str) -> str:
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise UsageError(f"{quoted(said)} has no address: write http://HOST:PORT/v1 for it.")
    return url


def _named_model(name: str, settings: Settings) -> Model:
    """The model of an agent of agents.toml."""
    from runner.llm.prices import Prices
    from runner.llm.request import AnswerForm, Model

    entry = settings.agents[name]
    variable = entry.key or _key_variable(entry.base_url)
    prices = None if entry.prices is None else Prices(entry.prices.prompt / 1e6, entry.prices.completion / 1e6)
    return Model(
        entry.model,
        entry.base_url,
        _key(name, variable, settings, is_named=entry.key is not None),
        variable,
        parameters=entry.parameters,
        headers=entry.headers,
        time_limit=entry.time_limit,
        max_tokens=entry.max_tokens,
        form=entry.form and AnswerForm(entry.form),
        prices=prices,
        speaks_openrouter=entry.openrouter,
        attempts=None if entry.retries is None else entry.retries + 1,
        caches=entry.cache,
    )


def _key_variable(url: str) -> str:
    """Which variable holds the key for an address: OpenRouter's key goes to OpenRouter alone."""
    return KEY_VARIABLE if urlsplit(url).hostname == "openrouter.ai" else OTHER_KEY_VARIABLE


def _key(seat: str, variable: str, settings: Settings, is_named: bool = False) -> str:
    """The key of a seat; a server that is not OpenRouter may need none. AccountError when one is needed and absent."""
    if variable in settings:
        return settings[variable]
    if variable != KEY_VARIABLE and not is_named:
        return ""
    raise AccountError(
        f"The seat {seat} needs a key:",
        remedy=f"put {variable}=... into .env or the environment, or play with --seat {OFFLINE} or --seat {BOT}steady.",
    )
