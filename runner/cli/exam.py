"""`tabletop exam GAME`: the same decisions put to several players, each answer graded."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import games
from runner.agents.named_spec import seat_spec
from runner.cli.command_environment import load_environment
from runner.cli.options import (
    AsJson,
    DryRun,
    GameName,
    Quiet,
    RulesName,
    RulesOptions,
    budget_option,
    complete_seats,
    option,
    output,
)
from runner.cli.output import same_command, say, say_json, stoppable
from runner.cli.setting_options import option_values
from runner.errors import AccountError, PausedError, UsageError
from runner.match.seeds import LARGEST_SEED
from runner.record.log_paths import logs_in, refuse_missing
from runner.screen.consoles import live_status, narration, print_note, report_loading, results
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.agents.environment import Environment
    from runner.agents.protocol import Person
    from runner.workshop.exam.exam import Exam, Until
    from runner.workshop.exam.exam_plan import ExamPlan
    from runner.workshop.exam.exam_results import ExamResults
    from runner.workshop.exam.examinee import Examined

_SURE: Until = "sure"


def exam(
    game: GameName,
    players: Annotated[int | None, option("Number of players at the table.", "N", "--num-players", "--players")] = None,
    seats: Annotated[
        list[str] | None,
        option("A player, as in play, repeatable; the same twice is two.", "SPEC", "--seat", autocompletion=complete_seats),
    ] = None,
    rules: RulesName = None,
    option: RulesOptions = None,
    decisions: Annotated[int | None, option("Number of decisions. [default: what the budget pays for, else 200]", "N")] = None,
    until: Annotated[
        str | None, option("Stop when every pair of players is told apart (sure), or after N decisions.", "sure|N")
    ] = None,
    on: Annotated[
        list[Path] | None, option("Decisions of these logs or folders, repeatable. [default: matches of bots]", "LOGS", "--on")
    ] = None,
    role: Annotated[str | None, option("Only decisions of this role, such as `prompts list` shows.", "ROLE")] = None,
    seed: Annotated[int, option("Seed of the positions.", "N", "--seed", min=0, max=LARGEST_SEED)] = 1,
    budget: Annotated[float | None, budget_option("Maximum cost of all answers in USD, those found again included.")] = None,
    is_dry_run: DryRun = False,
    concurrency: Annotated[int, option("Decisions that are asked at the same time.", "N", min=1, max=1000)] = 16,
    out: Annotated[Path, output("Folder for positions and answers, which are found again in it.", "DIR")] = Path("exams"),
    html: Annotated[bool, typer.Option("--html", help="Write the report as a web page into the folder.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Put the same decisions to several players, and grade each answer by search: what each gives up, and who differs where.

    The positions depend on game, rules, players and seed alone: a changed player meets those of before. The same command
    continues an exam that stopped; with more decisions it adds to it.

    Example: tabletop exam coup --seat openai/gpt-5-mini --seat "new=openai/gpt-5-mini+pack:my-prompts" --budget 1
    """
    environment, is_narrating = load_environment(), not (quiet or as_json)
    number, is_until_sure = _until(until, decisions)
    with stoppable("The exam", "positions and answers"), ExitStack() as stack:
        from runner.workshop.exam.exam import DECISIONS, Exam, ExamSpec
        from runner.workshop.exam.exam_plan import planned

        person = _person(stack, game) if any(text.rpartition("=")[2] == "human" for text in seats or ()) else None
        spec = ExamSpec(
            game=games.load(game).name,
            examined=_examined(seats or (), environment),
            players=players,
            rules=rules,
            options=option_values(games.load(game), option or []),
            seed=seed,
            decisions=DECISIONS if number is None else number,
            role=role,
            logs=_logs(on or ()),
            until=_SURE if is_until_sure else "",
            budget=budget,
            concurrency=1 if person else concurrency,
        )
        with live_status(not is_narrating or person is not None) as show:
            show("drawing and grading decisions")
            found = Exam(spec, out, environment, person)
            plan = planned(found, number is not None)
        if is_dry_run:
            _print_plan(found, plan, as_json)
            found.close()
            return
        if is_narrating:
            report_loading()
            print_note(plan.text)
        stop = _run(found, is_narrating and person is None)
        if found.results.decisions or as_json:
            _report(found, out, html, as_json, is_narrating)
    if stop is not None:
        kind = AccountError if isinstance(stop, AccountError) else PausedError
        raise kind(f"The exam is stopped: {stop}", remedy=same_command(budget)) from stop


def _examined(seats: Sequence[str], environment: Environment) -> list[Examined]:
    """The players of SPECs, by the names that NAME=SPEC gives them."""
    from runner.workshop.exam.examinee import Examined

    specs = [seat_spec(text, environment) for text in seats]
    return [Examined(spec, spec.player) for spec in specs]


def _logs(on: Sequence[Path]) -> list[Path]:
    """The logs of files and folders. UsageError where there is none."""
    for place in on:
        refuse_missing(place)
    return [path for place in on for path in logs_in(place)]


def _person(stack: ExitStack, game: str) -> Person:
    """Who asks the person at the terminal."""
    from runner.screen.human_players import LonePerson
    from runner.screen.line_input import line_input

    console = narration()
    return LonePerson(games.load(game), console, stack.enter_context(line_input(console)))


def _until(until: str | None, decisions: int | None) -> tuple[int | None, bool]:
    """The number of decisions that is asked for, and whether to stop once the answer is sure. UsageError for other words."""
    if until is None or until == _SURE:
        if decisions is not None and decisions < 1:
            raise UsageError(f"--decisions {decisions}: at least one is needed.")
        return decisions, until is not None
    if not until.isdecimal() or not int(until):
        raise UsageError(f"--until {until}: expected sure, or a number of decisions of at least 1.")
    if decisions not in (None, int(until)):
        raise UsageError("--until N and --decisions both say how many: leave one out.")
    return int(until), False


def _run(exam: Exam, is_narrating: bool) -> PausedError | AccountError | None:
    """Ask everybody; what stopped the exam before its end."""
    from runner.arena.match_runner import until_stopped

    total = exam.spec.decisions
    with live_status(not is_narrating) as show:

        def progress(found: ExamResults) -> None:
            show(f"{found.decisions} of {total} decisions")

        try:
            has_run = asyncio.run(until_stopped(exam.run(progress)))
        except (PausedError, AccountError) as stop:
            return stop
    return None if has_run else PausedError("it was interrupted.")


def _report(exam: Exam, out: Path, html: bool, as_json: bool, is_narrating: bool) -> None:
    from runner.record.safe_write import write_file
    from runner.workshop.bench_page import bench_screen
    from runner.workshop.exam.exam_report import report_of
    from runner.workshop.exam.exam_results import document_of

    page, file = report_of(exam, has_prompts=html), out / f"{exam.game.name}.html"
    if html:
        write_file(file, page.html("exam"))
    if as_json:
        say_json(document_of(exam.results))
    elif not html:
        results().print(bench_screen(page))
    if html and is_narrating:
        narration().print(f"Wrote {file}", soft_wrap=True)


def _print_plan(exam: Exam, plan: ExamPlan, as_json: bool) -> None:
    if as_json:
        costs = {"usd": None if plan.most is None else {"about": plan.about, "at_most": plan.most}, "tokens": plan.tokens}
        shown = {"shows": plan.shows, "decisions_for_5_points": plan.enough}
        say_json({"game": exam.game.name, "players": exam.results.players, "decisions": plan.decisions, **costs, **shown})
        return
    names = ", ".join(clean(one.name) for one in exam.players)
    say(f"{exam.game.title}, {exam.results.players} players: {names}. Nothing is asked.")
    say(plan.text)
