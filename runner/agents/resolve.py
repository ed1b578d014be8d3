"""Resolving a SPEC to a model: its address, its key and its parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from games.core import quoted
from runner.agents.environment import KEY_HOSTS_VARIABLE, KEY_VARIABLE, Settings
from runner.agents.key_hosts import key_variable, may_have_key
from runner.agents.local_files import local_model
from runner.agents.spec import BOT, OFFLINE, Endpoint, Local, ModelSpec, Named, Offline
from runner.errors import AccountError, UsageError
from runner.llm.address import Address, AddressError, parse_address, without_password
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
        case Local(path=path):
            return local_model(path)
        case Endpoint(model=name, url=given):
            address = checked_address(OPENROUTER if given is None else given, spec.who)
            return replace(_model_at(address, spec.who, settings), name=name)


def _held_to_rated(model: Model, spec: ModelSpec) -> Model:
    for objection in objections(model):
        raise AccountError(f"The seat {spec.who} cannot play rated: {objection}.")
    return replace(model, rated=True)


def has_key(name: str, settings: Settings) -> bool:
    """Whether the key of an agent of agents.toml is set, or it needs none."""
    if settings.agents[name].is_local:
        return True
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
    address = checked_address(url, url)
    absent = {} if KEY_VARIABLE in settings else {KEY_VARIABLE: ""}
    return _model_at(address, url, replace(settings, variables={**settings.variables, **absent}))


def checked_address(url: str, given: str) -> Address:
    """The address in a URL that was given as part of `given`. UsageError where there is none, AccountError for a faulty one."""
    try:
        return parse_address(url)
    except AddressError as fault:
        why = f"{quoted(without_password(given))} {fault}."
        if url.lower().startswith(("http://", "https://")):
            raise AccountError(why) from None
        raise UsageError(why) from None


def _model_at(address: Address, given: str, settings: Settings) -> Model:
    """A model without a name at an address, with the key that may be sent there."""
    variable = key_variable(address)
    if may_have_key(address, settings):
        return Model("", address.full, _key(given, variable, settings), variable)
    if variable == KEY_VARIABLE:
        raise AccountError(
            f"No key is sent over an unencrypted connection: write https://{address.netloc}{address.path} for it."
        )
    return Model("", address.full, "", variable, withheld=_withheld(address, variable) if variable in settings else "")


def _withheld(address: Address, variable: str) -> str:
    """How to have a key sent to a host that gets none by itself."""
    return (
        f"{variable} is not sent to {address.netloc} unless it is named: put {KEY_HOSTS_VARIABLE}={address.netloc} into .env,"
        f' or key = "{variable}" beside this base_url into agents.toml'
    )


def _named_model(name: str, entry: AgentEntry, settings: Settings) -> Model:
    found = _model_at_endpoint(name, entry, settings) if entry.local_path is None else local_model(entry.local_path, entry)
    return replace(
        found,
        parameters={**found.parameters, **entry.parameters},
        time_limit=entry.time_limit,
        max_tokens=entry.max_tokens,
        form=entry.form and AnswerForm(entry.form),
        attempts=None if entry.retries is None else entry.retries + 1,
        merges_system=entry.system == "merge",
    )


def _model_at_endpoint(name: str, entry: AgentEntry, settings: Settings) -> Model:
    """The model of an agent, with what its endpoint has to know."""
    address = checked_address(entry.base_url, entry.base_url)
    found = _model_at(address, name, settings) if entry.key is None else _keyed(address, name, entry.key, settings)
    prices = None if entry.prices is None else Prices(entry.prices.prompt / 1e6, entry.prices.completion / 1e6)
    own = replace(found, name=entry.model, prices=prices)
    return replace(own, headers=entry.headers, speaks_openrouter=entry.openrouter, caches=entry.cache)


def _keyed(address: Address, agent: str, variable: str, settings: Settings) -> Model:
    """A model without a name at the address of an agent, with the key in the variable that the agent names."""
    if variable == KEY_VARIABLE and key_variable(address) == KEY_VARIABLE:
        return _model_at(address, agent, settings)
    return Model("", address.full, _key(agent, variable, settings, is_named=True), variable)


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
