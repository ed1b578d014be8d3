"""Resolving a SPEC to a model: its address, its key and its parameters."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from games.core import quoted
from runner.agents.agents_file import LOCAL_REPLY, LOCAL_SECONDS, AgentEntry
from runner.agents.environment import KEY_HOSTS_VARIABLE, KEY_VARIABLE, Environment, key_variable, may_have_key
from runner.agents.named_spec import agent_settings, pack_of
from runner.agents.spec import BOT, LOCAL, OFFLINE, Endpoint, Local, ModelSpec, Named, Offline
from runner.errors import AccountError, TabletopError, UsageError, refused
from runner.llm.address import Address, AddressError, parse_address, without_password
from runner.llm.budget import FREE, Prices
from runner.llm.offline import OFFLINE_URL
from runner.llm.rated import objections
from runner.llm.request import OPENROUTER, AnswerForm, Model

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.local.local_model import ModelFile
    from runner.prompting.pack import PromptPack


def model_of(spec: ModelSpec, environment: Environment, is_rated: bool = False) -> Model:
    """The model of a SPEC. AccountError for a missing key or a setting that rated play refuses, UsageError for an address
    that is none."""
    match spec:
        case Named(name=name):
            model = _named_model(name, environment.agents[name], environment)
        case Offline(model=name):
            model = Model(name, OFFLINE_URL, "", "none")
        case Local(path=path):
            model = local_model(path)
        case Endpoint(model=name, url=given):
            address = checked_address(OPENROUTER if given is None else given, spec.who)
            model = replace(_model_at(address, spec.who, environment), name=name)
    for objection in objections(model) if is_rated else ():
        raise AccountError(f"The seat {spec.who} cannot play rated: {objection}.")
    return replace(model, rated=is_rated)


def has_key(name: str, environment: Environment) -> bool:
    """Whether the key of an agent of agents.toml is set, or it needs none."""
    if environment.agents[name].local_path:
        return True
    try:
        _named_model(name, environment.agents[name], environment)
    except AccountError:
        return False
    return True


def model_without_key(spec: ModelSpec, environment: Environment) -> Model:
    """The model of a SPEC, with its key if it is set: enough for prices and for rendering prompts."""
    keys = {KEY_VARIABLE, *(entry.key for entry in environment.agents.values() if entry.key)}
    return model_of(spec, _with_empty(keys, environment))


def wording_agent(spec: ModelSpec, pack: PromptPack, environment: Environment) -> LlmAgent:
    """The model of a SPEC for rendering prompts as in a match, without a call; it needs no key."""
    from runner.agents.model_agent import LlmAgent
    from runner.llm.client import Client

    model, own = model_without_key(spec, environment), pack_of(spec, environment, pack)
    return LlmAgent(Client(), model, model.form or AnswerForm.STRICT_SCHEMA, own, agent_settings(spec, environment))


def endpoint_of(url: str, environment: Environment) -> Model:
    """A model without a name at an address, for questions about the endpoint; its key is used if it is set."""
    if url == OFFLINE:
        return Model("", OFFLINE_URL, "", "none")
    return _model_at(checked_address(url, url), url, _with_empty({KEY_VARIABLE}, environment))


def _with_empty(keys: Collection[str], environment: Environment) -> Environment:
    """The environment with an empty value for each of these variables that is not set."""
    return replace(environment, variables={**dict.fromkeys(keys, ""), **environment.variables})


def checked_address(url: str, given: str) -> Address:
    """The address in a URL that was given as part of `given`. UsageError where there is none, AccountError for a faulty one."""
    try:
        return parse_address(url)
    except AddressError as fault:
        why = f"{quoted(without_password(given))} {fault}."
        if url.lower().startswith(("http://", "https://")):
            raise AccountError(why) from None
        raise UsageError(why) from None


def _model_at(address: Address, given: str, environment: Environment, named: str | None = None) -> Model:
    """A model without a name at an address, with the key that may be sent there: that in the variable `named` by an agent,
    else the one that goes there by itself."""
    variable = key_variable(address)
    if named is not None and not named == variable == KEY_VARIABLE:
        return Model("", address.full, _key(given, named, environment, is_named=True), named)
    if may_have_key(address, environment):
        return Model("", address.full, _key(given, variable, environment), variable)
    if variable == KEY_VARIABLE:
        raise AccountError(
            f"No key is sent over an unencrypted connection: write https://{address.netloc}{address.path} for it."
        )
    return Model("", address.full, "", variable, withheld=_withheld(address, variable, environment))


def _withheld(address: Address, variable: str, environment: Environment) -> str:
    """How to have a key sent to a host that gets none by itself; empty without a key."""
    if variable not in environment:
        return ""
    place = ".env" if variable in environment.own else "the environment"
    named = f"{KEY_HOSTS_VARIABLE}={address.netloc}"
    return (
        f"{variable} is not sent to {address.netloc} unless it is named: put {named} into {place},"
        f' or key = "{variable}" beside this base_url into agents.toml'
    )


def _named_model(name: str, entry: AgentEntry, environment: Environment) -> Model:
    if entry.local_path is not None:
        found = local_model(entry.local_path, entry)
    else:
        address = checked_address(entry.base_url, entry.base_url)
        found = replace(
            _model_at(address, name, environment, entry.key),
            name=entry.model,
            prices=None if entry.prices is None else Prices(entry.prices.prompt / 1e6, entry.prices.completion / 1e6),
            headers=entry.headers,
            speaks_openrouter=entry.openrouter,
            caches=entry.cache,
        )
    return replace(
        found,
        parameters={**found.parameters, **entry.parameters},
        time_limit=entry.time_limit,
        max_tokens=entry.max_tokens,
        form=entry.form and AnswerForm(entry.form),
        attempts=None if entry.retries is None else entry.retries + 1,
        merges_system=entry.system == "merge",
        streams=entry.stream,
    )


def _key(seat: str, variable: str, environment: Environment, is_named: bool = False) -> str:
    """The key of a seat; a server other than OpenRouter may need none. AccountError when one is needed and not set."""
    if variable in environment:
        return environment[variable]
    if variable != KEY_VARIABLE and not is_named:
        return ""
    raise AccountError(
        f"The seat {seat} needs a key:",
        remedy=f"put {variable}=... into .env or the environment, or play with --seat {OFFLINE} or --seat {BOT}steady.",
    )


def local_model(path: Path, entry: AgentEntry | None = None) -> Model:
    """The model in a file, with what an agent of agents.toml sets for its server. UsageError for a file that holds none, for
    one of agents.toml AccountError."""
    from runner.local.local_model import MOST_SLOTS, LocalModel
    from runner.local.servers import PLAIN_STOP, FileConnector

    file = checked_file(path, UsageError if entry is None else AccountError)
    own = (None,) * 4 if entry is None else (entry.context, entry.threads, entry.gpu_layers, entry.parallel)
    local = LocalModel(file, *own)
    return Model(
        file.name,
        local.base_url,
        "",
        "none",
        {} if file.header.has_template else {"stop": [PLAIN_STOP]},
        time_limit=LOCAL_SECONDS,
        max_tokens=LOCAL_REPLY,
        prices=FREE,
        max_in_flight=local.parallel or MOST_SLOTS,
        connector=FileConnector(local),
        is_base=not file.header.has_template,
    )


def checked_file(path: Path, kind: type[TabletopError] = UsageError) -> ModelFile:
    """The model file at a path. An error of this kind for one that holds no model or cannot be read."""
    from runner.local.local_model import GgufError, model_file

    try:
        return model_file(path.expanduser())
    except GgufError as fault:
        raise kind(f"The model file {LOCAL}{path} {fault}.") from None
    except OSError as error:
        raise refused(f"The model file {LOCAL}{path} cannot be read: {error.strerror}.", error, kind) from error
