"""Resolving an address or a file to a model without a name: its key, and what its server needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from games.core import quoted
from runner.agents.agent_entries import AgentEntry
from runner.agents.environment import KEY_HOSTS_VARIABLE, KEY_VARIABLE, Environment, key_variable, may_have_key
from runner.errors import AccountError, TabletopError, UsageError, refused
from runner.llm.address import Address, AddressError, parse_address, without_password
from runner.llm.budget import FREE
from runner.llm.offline import OFFLINE_NAME, OFFLINE_URL
from runner.llm.request import Model
from runner.local import LOCAL

if TYPE_CHECKING:
    from runner.local.local_model import ModelFile


def endpoint_of(url: str, environment: Environment) -> Model:
    """A model without a name at an address, for questions about the endpoint; its key is used if it is set."""
    if url == OFFLINE_NAME:
        return Model("", OFFLINE_URL, "", "none")
    return model_at(checked_address(url, url), url, with_empty({KEY_VARIABLE}, environment))


def with_empty(keys: Collection[str], environment: Environment) -> Environment:
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


def model_at(address: Address, given: str, environment: Environment, named: str | None = None) -> Model:
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


def _key(seat: str, variable: str, environment: Environment, is_named: bool = False) -> str:
    """The key of a seat; a server other than OpenRouter may need none. AccountError when one is needed and not set."""
    if variable in environment:
        return environment[variable]
    if variable != KEY_VARIABLE and not is_named:
        return ""
    raise AccountError(
        f"The seat {seat} needs a key:",
        remedy=f"put {variable}=... into .env or the environment, or play with --seat {OFFLINE_NAME} or --seat bot:steady.",
    )


def local_model(path: Path, entry: AgentEntry, kind: type[TabletopError]) -> Model:
    """The model in a file, with what its agent sets for its server. An error of this kind for a file that holds none."""
    from runner.local.local_model import MOST_SLOTS, LocalModel
    from runner.local.servers import PLAIN_STOP, FileConnector

    file = checked_file(path, kind)
    local = LocalModel(file, entry.context, entry.threads, entry.gpu_layers, entry.parallel)
    return Model(
        file.name,
        local.base_url,
        "",
        "none",
        {} if file.header.has_template else {"stop": [PLAIN_STOP]},
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
