"""Log trust: what the seats of a log may reach. A log may come from anybody, so it alone calls and starts nothing."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping

from games.core import quoted, seat_name
from runner.agents.environment import DEFAULT_MODEL_VARIABLE, Settings, seat_variable
from runner.agents.key_hosts import is_openrouter, names_host
from runner.agents.named_spec import resolved, seat_spec
from runner.agents.spec import (
    FUNCTION,
    LOCAL,
    PROGRAM,
    Bot,
    Endpoint,
    Function,
    Human,
    Local,
    Mcp,
    Named,
    Offline,
    Program,
    Spec,
    parse_spec,
)  # fmt: skip
from runner.errors import AccountError
from runner.llm.address import AddressError, parse_address, without_password

_MOST_SEATS = 16
"""Seats that .env can name models for."""


def check_logged(logged: Mapping[int, Spec], given: Iterable[Spec], settings: Settings, flag: str = "--seat") -> None:
    """AccountError for a seat of a log that reaches what neither the settings nor the `given` SPECs of this call name.

    `flag` is the option that names a SPEC in this call.
    """
    for seat in unnamed(logged, given, settings):
        target = _target(logged[seat]) or ""
        name = f"P-{seat}=" if flag == "--seat" else ""
        allowed = shlex.quote(f"{name}{without_password(logged[seat].text)}")
        raise AccountError(
            f"{seat_name(seat)} of the log is {quoted(without_password(logged[seat].text))}, and only the log names"
            f" {_shown(logged[seat], target)}.",
            seat=seat,
            remedy=f"If you trust it, add {flag} {allowed}; otherwise give another player with {flag} {name}SPEC.",
        )


def unnamed(logged: Mapping[int, Spec], given: Iterable[Spec], settings: Settings) -> list[int]:
    """The seats whose SPEC reaches what neither the settings nor the `given` SPECs name; the first seat of each target."""
    here = (*given, *_specs(settings), *_programs(settings), *_models(settings))
    named = {*(_target(resolved(spec, settings)) for spec in here), *_addresses(settings), None}
    found: list[int] = []
    for seat, spec in logged.items():
        target = None if spec.who in settings.programs else _target(resolved(spec, settings))
        if target not in named and not _is_host_named(target, settings):
            named.add(target)
            found.append(seat)
    return found


def _target(spec: Spec) -> str | None:
    """What a SPEC alone has this machine call or run, in one spelling; None for a SPEC that names nothing of the kind."""
    match spec:
        case Endpoint(url=str(url)):
            return _address(url)
        case Local(path=path):
            return f"{LOCAL}{path.expanduser().absolute()}"
        case Program(command=command):
            return f"{PROGRAM}{command}"
        case Function(module=module, name=name):
            return f"{FUNCTION}{module}:{name}"
        case Bot() | Human() | Mcp() | Offline() | Named() | Endpoint():
            return None


def _address(url: str) -> str | None:
    try:
        address = parse_address(url)
    except AddressError:
        return url
    return None if is_openrouter(address) else address.full


def _is_host_named(target: str | None, settings: Settings) -> bool:
    try:
        return target is not None and names_host(settings, parse_address(target))
    except AddressError:
        return False


def _specs(settings: Settings) -> Iterator[Spec]:
    """The SPECs in the environment and .env."""
    for name in (DEFAULT_MODEL_VARIABLE, *map(seat_variable, range(_MOST_SEATS))):
        if name in settings:
            yield seat_spec(settings[name], settings)


def _programs(settings: Settings) -> Iterator[Spec]:
    """The programs and functions of agents.toml."""
    return (seat_spec(name, settings) for name in settings.programs)


def _models(settings: Settings) -> Iterator[Spec]:
    """The models of agents.toml, as SPECs: only a model file names something that is started."""
    return (parse_spec(entry.model) for entry in settings.agents.values() if entry.is_local)


def _addresses(settings: Settings) -> Iterator[str | None]:
    """The addresses of agents.toml."""
    return (_address(entry.base_url) for entry in settings.agents.values())


def _shown(spec: Spec, target: str) -> str:
    if isinstance(spec, Local):
        return f"the file {spec.path}: nothing was loaded"
    if not isinstance(spec, Endpoint):
        return "what it starts: nothing was started"
    try:
        return f"the host {parse_address(target).netloc}: nothing was sent there"
    except AddressError:
        return f"{without_password(target)}: nothing was sent there"
