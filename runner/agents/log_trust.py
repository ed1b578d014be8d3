"""Log trust: what the seats of a log may reach. A log may come from anybody, so it alone calls and starts nothing."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from games.core import quoted, seat_name
from runner.agents.environment import SEAT_VARIABLES, Environment, names_host
from runner.agents.seat_kind import Reach
from runner.agents.spec import Spec, resolved, seat_spec
from runner.digest import canonical, digest_of
from runner.errors import AccountError
from runner.files import remember, remembered
from runner.llm.address import AddressError, parse_address, without_password

_NAME = "trusted-files"


def trust(files: str) -> None:
    """Remember that the files with this digest are trusted. OSError or RuntimeError when that holds for this process alone."""
    remember(_NAME, files)


TRUST_FOLDER = "--trust-folder"


class UntrustedFilesError(AccountError):
    """A log's player is what `.env` or agents.toml in the current folder say, and the user has not said that these are trusted.

    `files` is their digest, `what` says what they name.
    """

    def __init__(self, seat: int, who: str, what: str, files: str, remedy: str) -> None:
        self.files = files
        self.what = f"{seat_name(seat)} of the log is {quoted(who)}, and .env or agents.toml here name {what}"
        super().__init__(f"{self.what}.", seat=seat, remedy=remedy)


def check_logged(logged: Mapping[int, Spec], given: Iterable[Spec], environment: Environment, has_number: bool = True) -> None:
    """AccountError for a seat of a log that reaches what neither the settings nor the `given` SPECs of this call name.
    UntrustedFilesError where only files of the current folder name it. `has_number`: the call names it as P-n=SPEC."""
    given = tuple(given)
    strangers = unnamed(logged, given, environment)
    for seat in (*strangers, *named_by_files(logged, given, environment)):
        name, who = f"P-{seat}=" if has_number else "", without_password(logged[seat].text)
        reach = reach_of(logged[seat], environment)
        assert reach is not None
        what = reach.words
        named = f"--seat {shlex.quote(f'{name}{who}')}; otherwise give another player with --seat {name}SPEC."
        if strangers:
            why = f"{seat_name(seat)} of the log is {quoted(who)}, and only the log names {what}."
            raise AccountError(why, seat=seat, remedy=f"If you trust it, add {named}")
        remedy = f"If you trust these files, add {TRUST_FOLDER}, or {named}"
        raise UntrustedFilesError(seat, who, what, environment.files, remedy)


def unnamed(logged: Mapping[int, Spec], given: Iterable[Spec], environment: Environment) -> list[int]:
    """The seats whose SPEC reaches what neither the settings nor the `given` SPECs name; the first seat of each target."""
    named = [seat_spec(name, environment) for name in (*environment.agents, *environment.programs)]
    return _reaching(logged, (*given, *_specs(environment), *named), environment, environment)


def named_by_files(logged: Mapping[int, Spec], given: Iterable[Spec], environment: Environment) -> list[int]:
    """The seats whose SPEC reaches what only `.env` and agents.toml name, unless these files are trusted."""
    trusted = remembered(_NAME)
    if not environment.files or environment.files in trusted:
        return []
    shell = environment.of_shell
    found = _reaching(logged, (*given, *_specs(shell)), environment, shell)
    return [seat for seat in found if _played(logged[seat], environment) not in trusted]


def trust_played(played: Iterable[Spec], environment: Environment) -> None:
    """Remember who has played in this folder by the user's command: logs may reach the same program or host again unasked."""
    specs = dict(enumerate(played))
    with suppress(OSError, RuntimeError):  # then the question comes
        for seat in {*named_by_files(specs, (), environment)}.difference(unnamed(specs, (), environment)):
            trust(_played(specs[seat], environment))


def _played(spec: Spec, environment: Environment) -> str:
    """The digest of one thing that files of this folder name."""
    reach = reach_of(spec, environment)
    return digest_of(canonical([str(Path.cwd()), reach and reach.target]))


def _reaching(logged: Mapping[int, Spec], known: Iterable[Spec], environment: Environment, hosts: Environment) -> list[int]:
    """The seats whose SPEC reaches what no `known` SPEC does, nor is at a host that the settings `hosts` name."""
    named = {reach.target for spec in known if (reach := reach_of(spec, environment))}
    found = list[int]()
    for seat, spec in logged.items():
        reach = reach_of(spec, environment)
        if reach is not None and reach.target not in named and not (reach.what == "host" and _is_named(reach.target, hosts)):
            named.add(reach.target)
            found.append(seat)
    return found


def reach_of(spec: Spec, environment: Environment) -> Reach | None:
    """What a SPEC, or what its name stands for, has this machine do."""
    return resolved(spec, environment).reach(environment)


def _is_named(url: str, environment: Environment) -> bool:
    try:
        return names_host(environment, parse_address(url))
    except AddressError:
        return False


def _specs(environment: Environment) -> Iterator[Spec]:
    yield from (seat_spec(environment[name], environment) for name in SEAT_VARIABLES if name in environment)
