"""`tabletop doctor`: checks that the set-up works."""

from __future__ import annotations

import asyncio
import platform
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.completion import complete_seats
from runner.cli.finding import Finding
from runner.cli.game_checks import game_findings
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.cli.own_packages import foreign_packages, shared_packages
from runner.errors import Exit, TabletopError
from runner.screen.safe_text import clean_block

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.agents.spec import Spec

app = new_app()


_LONGEST = 4000


@app.command()
def doctor(
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            help="Player to check, repeatable. [default: those of .env]",
            metavar="SPEC",
            autocompletion=complete_seats,
        ),
    ] = None,
    trial: Annotated[bool, typer.Option("--trial/--no-trial", help="Ask each model for one decision; may cost money.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check key, credit, endpoint and models. Each model makes one trial decision; its cost is shown.

    Example: tabletop doctor --seat offline
    """
    from runner.screen.loading import report_loading

    report_loading()
    findings = [*_package(), *asyncio.run(_seats(seat, trial))]
    if as_json:
        say_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            say(clean_block(f"{_SIGNS[finding.state]} {finding.about}: {finding.what}", _LONGEST))
    if any(finding.state == "wrong" for finding in findings):
        raise typer.Exit(Exit.ACCOUNT)


_SIGNS = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}


def _package() -> list[Finding]:
    from runner.match.header import package_version

    found = [Finding("tabletop", "ok", f"version {package_version()} on Python {platform.python_version()}")]
    found += [Finding("packages", "wrong", sentence) for sentence in foreign_packages()]
    found += [Finding("packages", "note", sentence) for sentence in shared_packages()]
    return [*found, *game_findings(), _local_extra()]


def _local_extra() -> Finding:
    """Whether model files can play."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return Finding("extra local", "ok", f"xllamacpp {version('xllamacpp')}: model files can play, as gguf:PATH")
    except PackageNotFoundError:
        return Finding("extra local", "note", "is not installed; gguf:PATH needs it: pip install 'tabletop-runner[local]'")


def _player(spec: Spec, settings: Settings) -> Finding:
    """Whether a seat that no model plays can be taken. A function is imported, a program is not started."""
    from runner.agents.function_loader import load_function
    from runner.agents.program_command import words_of_command
    from runner.agents.spec import Function, Program

    try:
        if isinstance(spec, Program):
            return Finding(spec.text, "ok", f"the program {words_of_command(spec)[0]} exists; try it with `tabletop check-bot`")
        if isinstance(spec, Function):
            load_function(spec)
            return Finding(spec.text, "ok", "the function is found; try it with `tabletop check-bot`")
    except TabletopError as error:
        return Finding(spec.text, "wrong", str(error))
    return Finding(spec.text, "ok", "needs no set-up")


async def _seats(given: list[str] | None, has_trial: bool) -> list[Finding]:
    from runner.agents.environment import DEFAULT_MODEL_VARIABLE, KEY_VARIABLE, seat_variable
    from runner.agents.named_spec import seat_spec
    from runner.agents.preflight import preflight
    from runner.agents.spec import OFFLINE, is_model
    from runner.cli.config_files import read_settings, seat_fault, seat_faults, variable_notes
    from runner.llm.address import without_password
    from runner.llm.client import Client
    from runner.llm.retry import RetryPolicy

    settings = read_settings()
    named = [settings[name] for name in (DEFAULT_MODEL_VARIABLE, *map(seat_variable, range(8))) if name in settings]
    has_key = KEY_VARIABLE in settings
    about_key = ("ok", "is set") if has_key else ("note", "is not set: models on OpenRouter cannot be used")
    found = [Finding(KEY_VARIABLE, *about_key)]
    found += [Finding("variables", "note", note) for note in variable_notes(settings)]
    found += [Finding("settings", "wrong", fault) for fault in (*settings.faults.values(), *seat_faults(settings))]
    asked = dict.fromkeys(given or named or [OFFLINE])
    faults = {text: fault for text in given or () if (fault := seat_fault(text, settings)) is not None}
    found += [Finding(without_password(text), "wrong", fault) for text, fault in faults.items()]
    specs = [seat_spec(text, settings) for text in asked if seat_fault(text, settings) is None]
    async with Client(policy=RetryPolicy(attempts=2, slow_attempts=1, connection_attempts=1, longest_wait=30)) as client:
        for spec in specs:
            if not is_model(spec):
                found.append(_player(spec, settings))
            else:
                found += [Finding(spec.text, *one) async for one in preflight(spec, client, settings, has_trial)]
    return found
