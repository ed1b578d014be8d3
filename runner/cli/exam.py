"""`tabletop exam GAME`: the same decisions put to several players, each answer graded."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import games
from runner.agents.spec import Human, seat_spec
from runner.arena.experiment import until_of
from runner.cli.command_environment import load_environment
from runner.cli.options import (
    AsJson,
    DryRun,
    GameName,
    Quiet,
    RulesName,
    RulesOptions,
    UntilWhen,
    budget_option,
    complete_seats,
    option,
    output,
)
from runner.cli.output import same_command, say, say_json, stoppable, write_result
from runner.cli.setting_options import option_values
from runner.errors import UsageError
from runner.match.header import LARGEST_SEED
from runner.record.log_paths import EXAMS, logs_in, refuse_missing
from runner.screen.consoles import live_status, narration, print_note, report_loading, results
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.workshop.exam.exam import Exam


def exam(
    game: GameName,
    players: Annotated[int | None, option("Number of players at the table.", "N", "--num-players", "--players")] = None,
    seats: Annotated[
        list[str] | None,
        option("A player, as in play, repeatable; the same twice is two.", "SPEC", "--seat", autocompletion=complete_seats),
    ] = None,
    rules: RulesName = None,
    option: RulesOptions = None,
    decisions: Annotated[
        int | None, option("Number of decisions. [default: with a person 20, else what the budget pays for, else 200]", "N")
    ] = None,
    until: UntilWhen = None,
    on: Annotated[
        list[Path] | None, option("Decisions of these logs or folders, repeatable. [default: matches of bots]", "LOGS", "--on")
    ] = None,
    role: Annotated[str | None, option("Only decisions of this role, such as `prompts list` shows.", "ROLE")] = None,
    seed: Annotated[int, option("Seed of the positions.", "N", "--seed", min=0, max=LARGEST_SEED)] = 1,
    budget: Annotated[float | None, budget_option("Maximum cost of all answers in USD, those found again included.")] = None,
    budget_tokens: Annotated[
        int | None, option("Maximum tokens of all answers, as with --budget.", "N", min=1, rich_help_panel="Rare")
    ] = None,
    is_dry_run: DryRun = False,
    concurrency: Annotated[int, option("Decisions that are asked at the same time.", "N", min=1, max=1000)] = 16,
    out: Annotated[Path, output("Folder for positions and answers, which are found again in it.", "DIR")] = EXAMS,
    html: Annotated[bool, typer.Option("--html", help="Write the report as a web page into the folder.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Put the same decisions to several players, and grade each answer by search: what each gives up, and who differs where.

    The positions depend on game, rules, players and seed alone: a changed player meets those of before. The same command
    continues an exam that stopped; with more decisions it adds to it.

    Example: tabletop exam coup --seat openai/gpt-5-mini --seat "new=openai/gpt-5-mini+pack:my-prompts" --budget 1
    """
    environment, is_narrating, end = load_environment(), not (quiet or as_json), until_of(until)
    number = end if isinstance(end, int) else decisions
    with stoppable("The exam", "positions and answers"), ExitStack() as stack:
        from runner.arena.match_runner import stopped_by
        from runner.screen.human_players import LonePerson
        from runner.screen.line_input import line_input
        from runner.workshop.exam.exam import DECISIONS, OF_A_PERSON, Exam, ExamSpec, planned
        from runner.workshop.exam.examinee import Examined

        specs, played = [seat_spec(text, environment) for text in seats or ()], games.load(game)
        person, console = None, narration()
        if any(isinstance(spec, Human) for spec in specs):
            person = LonePerson(played, console, stack.enter_context(line_input(console)))
        for place in on or ():
            refuse_missing(place)
        spec = ExamSpec(
            game=played.name,
            examined=[Examined(spec, spec.player) for spec in specs],
            players=players,
            rules=rules,
            options=option_values(played, option or []),
            seed=seed,
            decisions=(OF_A_PERSON if person else DECISIONS) if number is None else number,
            role=role,
            logs=[path for place in on or () for path in logs_in(place)],
            until="sure" if end == "sure" else "",
            budget=budget,
            budget_tokens=budget_tokens,
            concurrency=1 if person else concurrency,
        )
        with live_status(not is_narrating or person is not None) as show:
            show("drawing and grading decisions")
            found = Exam(spec, out, environment, person)
            plan = planned(found, number is not None or person is not None)
        if is_dry_run:
            found.close()
            if as_json:
                say_json({"game": played.name, "players": found.results.players, **asdict(plan)})
            else:
                say(f"{', '.join(clean(one.name) for one in found.players)}: nothing is asked. {plan.text}")
            return
        if is_narrating:
            report_loading()
            print_note(plan.text)
        with live_status(not is_narrating or person is not None) as show:
            stop = stopped_by(found.run(lambda so_far: show(f"{so_far.decisions} of {found.spec.decisions} decisions")))
        if found.results.decisions or as_json:
            _report(found, html, as_json)
    if stop is not None:
        if found.results.decisions or not isinstance(stop, UsageError):
            stop.why, stop.remedy = f"The exam is stopped: {stop}", same_command(budget, budget_tokens)
        raise stop


def _report(exam: Exam, html: bool, as_json: bool) -> None:
    from runner.workshop.bench_page import bench_screen
    from runner.workshop.exam.exam_report import report_of
    from runner.workshop.exam.exam_results import document_of

    page, file = report_of(exam, has_prompts=html), exam.folder / f"{exam.game.name}.html"
    if html:
        write_result(file, page.html("exam"), has_path=not as_json)
    if as_json:
        say_json(document_of(exam.results))
    elif not html:
        results().print(bench_screen(page))
