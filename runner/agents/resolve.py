"""Resolving a SPEC to a model: its address, its key and its parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from games.core import quoted
from runner.agents.environment import KEY_VARIABLE, OTHER_KEY_VARIABLE, Settings
from runner.agents.spec import BOT, OFFLINE, Endpoint, ModelSpec, Named, Offline
from runner.errors import AccountError, UsageError
from runner.llm.offline import OFFLINE_URL
from runner.llm.prices import Prices
from runner.llm.rated import objections
from runner.llm.request import OPENROUTER, AnswerForm, Model

if TYPE_CHECKING:
    from runner.agents.agents_file import AgentEntry


def model_of(spec: ModelSpec, settings: Settings, is_rated: bool = False) -> Model:
    """The model of a SPEC. AccountError for a missing key or a setting that rated play refuses, UsageError for an address
    that is none."""
    model = _model_of(spec, settings)
    return _held_to_rated(model, spec) if is_rated else model


def _model_of(spec: ModelSpec, settings: Settings) -> Model:
    match spec:
        case Named(name=name):
            return _named_model(name, settings.agents[name], settings)
        case Offline(model=name):
            return Model(name, OFFLINE_URL, "", "none")
        case Endpoint(model=name, url=given):
            url = _checked_address(given or OPENROUTER, spec.who)
            variable = _key_variable(url)
            return Model(name, url, _key(spec.who, variable, settings), variable)


def _held_to_rated(model: Model, spec: ModelSpec) -> Model:
    for objection in objections(model):
        raise AccountError(f"The seat {spec.who} cannot play rated: {objection}.")
    return replace(model, rated=True)


def has_key(name: str, settings: Settings) -> bool:
    """Whether the key of an agent of agents.toml is set, or it needs none."""
    try:
        _named_model(name, settings.agents[name], settings)
    except AccountError:
        return False
    return True


def model_without_key(spec: ModelSpec, settings: Settings) -> Model:
    """The model of a SPEC, with its key if it is set: enough for prices and for rendering prompts."""
    absent = {KEY_VARIABLE, *(entry.key for entry in settings.agents.values() if entry.key)} - settings.variables.keys()
    return model_of(spec, replace(settings, variables={**settings.variables, **dict.fromkeys(absent, "")}))


def endpoint_of(url: str, settings: Settings) -> Model:
    """A model without a name at an address, for questions about the endpoint; its key is used if it is set."""
    if url == OFFLINE:
        return Model("", OFFLINE_URL, "", "none")
    variable = _key_variable(url)
    return Model("", _checked_address(url, url), settings.get(variable, ""), variable)


def _checked_address(url: str, given: str) -> str:
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise UsageError(f"{quoted(given)} has no address: write http://HOST:PORT/v1 for it.")
    return url


def _named_model(name: str, entry: AgentEntry, settings: Settings) -> Model:
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
    """The variable that holds the key for an address: OpenRouter's key goes to OpenRouter only."""
    return KEY_VARIABLE if urlsplit(url).hostname == "openrouter.ai" else OTHER_KEY_VARIABLE


def _key(seat: str, variable: str, settings: Settings, is_named: bool = False) -> str:
    """The key of a seat; a server other than OpenRouter may need none. AccountError when one is needed and not set."""
    if variable in settings:
        return settings[variable]
    if variable != KEY_VARIABLE and not is_named:
        return ""
    raise AccountError(
        f"The seat {seat} needs a key:",
        remedy=f"put {variable}=... into .env or the environment, or play with --seat {OFFLINE} or --seat {BOT}steady.",
    )
