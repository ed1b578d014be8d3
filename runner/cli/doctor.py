"""`tabletop doctor`: checks that the set-up works: the package, every game, the local extra, the key, the players."""

import asyncio
import platform
import traceback
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

import typer

import games
from games.core import Game
from games.core.drama import Script
from games.core.scene import checked, table_of
from games.registry import OWN
from runner.agents.config_files import read_environment, seat_fault
from runner.agents.environment import KEY_VARIABLE, SEAT_VARIABLES, Environment
from runner.agents.spec import OFFLINE, Function, Program, Spec, is_model, seat_spec
from runner.cli.command_environment import variable_notes
from runner.cli.options import Seats
from runner.cli.output import say, say_json
from runner.cli.own_packages import foreign_packages, shared_packages
from runner.errors import Exit, TabletopError
from runner.film.perspective import EVERYTHING, Perspective
from runner.match.header import package_version
from runner.prompting.pack import PromptPack
from runner.screen.consoles import report_loading
from runner.screen.safe_text import clean_block
from runner.session.match_defaults import faults_of


class Finding(NamedTuple):
    """Result of one check: `state` is ok, note (worth knowing) or wrong."""

    about: str
    state: str
    what: str


_LONGEST = 4000
_SIGNS = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}


def doctor(seat: Seats = None, trial: bool = True, as_json: bool = False) -> None:
    """Check key, credit, endpoint and models. Each model makes one trial decision; its cost is shown."""
    report_loading()
    findings = [*_package(), *asyncio.run(_seats(seat, trial))]
    if as_json:
        say_json([finding._asdict() for finding in findings])
    else:
        for finding in findings:
            say(clean_block(f"{_SIGNS[finding.state]} {finding.about}: {finding.what}", _LONGEST))
    if any(finding.state == "wrong" for finding in findings):
        raise typer.Exit(Exit.ACCOUNT)


def _package() -> Iterator[Finding]:
    from importlib.metadata import PackageNotFoundError, version

    yield Finding("tabletop", "ok", f"version {package_version()} on Python {platform.python_version()}")
    yield from (Finding("packages", "wrong", sentence) for sentence in foreign_packages())
    yield from (Finding("packages", "note", sentence) for sentence in shared_packages())
    yield from _games()
    try:
        yield Finding("extra local", "ok", f"xllamacpp {version('xllamacpp')}: model files can play, as gguf:PATH")
    except PackageNotFoundError:
        why = "is not installed; gguf:PATH needs it: pip install 'tabletop-runner[local]'"
        yield Finding("extra local", "note", why)


def _player(spec: Spec, environment: Environment) -> Finding:
    """Whether a seat that no model plays can be taken. A function is imported, a program is not started."""
    try:
        if isinstance(spec, Program):
            return Finding(spec.text, "ok", f"the program {spec.words[0]} exists; try it with `tabletop check-bot`")
        if isinstance(spec, Function):
            spec.load()
            return Finding(spec.text, "ok", "the function is found; try it with `tabletop check-bot`")
    except TabletopError as error:
        return Finding(spec.text, "wrong", str(error))
    return Finding(spec.text, "ok", "needs no set-up")


async def _seats(given: list[str] | None, has_trial: bool) -> list[Finding]:
    from runner.agents.preflight import key_check, preflight
    from runner.llm.address import without_password
    from runner.llm.call import RetryPolicy
    from runner.llm.client import Client

    try:
        environment = read_environment()
    except TabletopError as error:
        return [Finding("settings", "wrong", str(error))]
    named = [environment[name] for name in SEAT_VARIABLES if name in environment]
    has_key = KEY_VARIABLE in environment
    about_key = ("ok", "is set") if has_key else ("note", "is not set: models on OpenRouter cannot be used")
    found = [Finding(KEY_VARIABLE, *about_key)]
    found += [Finding("variables", "note", note) for note in variable_notes(environment)]
    found += [Finding("settings", "wrong", fault) for fault in faults_of(environment)]
    asked = dict.fromkeys(given or named or [OFFLINE])
    faults = {text: fault for text in given or () if (fault := seat_fault(text, environment)) is not None}
    found += [Finding(without_password(text), "wrong", fault) for text, fault in faults.items()]
    specs = [seat_spec(text, environment) for text in asked if seat_fault(text, environment) is None]
    async with Client(policy=RetryPolicy(attempts=2, slow_attempts=1, connection_attempts=1, longest_wait=30)) as client:
        if has_key and not any(is_model(spec) and spec.as_model(environment).is_openrouter for spec in specs):
            found += [Finding(KEY_VARIABLE, *one) for one in await key_check(client, environment[KEY_VARIABLE], KEY_VARIABLE)]
        for spec in specs:
            if not is_model(spec):
                found.append(_player(spec, environment))
            else:
                found += [Finding(spec.text, *one) async for one in preflight(spec, client, environment, has_trial)]
    return found


def _games() -> Iterator[Finding]:
    for broken in games.registered().broken:
        yield Finding("games", "wrong", f"{broken}{_trace(broken.__cause__)}")
    for game in games.registered().games:
        missing = [role for role in game.roles if f"{game.name}/{role}.j2" not in PromptPack().digests(game.name)]
        fault = f"missing prompts: {', '.join(missing)}" if missing else _broken_table(game)
        what = fault or f"rules version {game.rules_version}, {len(game.roles)} prompts"
        yield Finding(game.title, "wrong" if fault else "ok", what)


def _broken_table(game: Game) -> str:
    """What the table of another package raises on the first state of a match, in a terminal or on a page."""
    if game.name in OWN:
        return ""
    from rich.console import Console

    from runner.export.scene_nodes import Tables
    from runner.screen.scene_rich import SceneTable, rules_of

    try:
        state = game.begin()
        names = tuple(f"player {seat}" for seat in range(state.setup.players))
        seen = Perspective.of(EVERYTHING, len(names)).visible(state, names)
        scene = checked(table_of(game.table)(seen.view, seen.owns, seen.names))
        Script.of(game.table)
        Console(file=StringIO(), width=80).print(SceneTable(scene), rules_of(scene))
        Tables(names).table(scene)
    except Exception as error:
        return f"its table does not work: {type(error).__name__}: {error}{_trace(error)}"
    return ""


def _trace(error: BaseException | None) -> str:
    """The lines of code at which something failed, from a new line on; empty if nothing was raised."""
    return "" if error is None else "\n" + "".join(traceback.format_exception(error)).rstrip()
