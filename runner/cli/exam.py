"""`tabletop exam GAME`: the same decisions put to several players, each answer graded."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import games
from games.core.sentence import YOU
from runner.agents.spec import Human, seat_spec
from runner.arena.experiment import until_of
from runner.cli.command_environment import load_environment
from runner.cli.options import GameName, Seats, Seed, UsdBudget
from runner.cli.output import print_unusable, same_command, say, say_json, stoppable, write_result
from runner.cli.setting_options import option_values
from runner.errors import UsageError
from runner.record.log_paths import EXAMS, logs_in, refuse_missing
from runner.screen.consoles import live_status, narration, print_note, report_loading, results
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.workshop.exam.exam import Exam


def exam(
    game: GameName,
    players: int | None = None,
    seats: Seats = None,
    rules: str | None = None,
    option: list[str] | None = None,
    decisions: int | None = None,
    until: str | None = None,
    margin: float | None = None,
    on: list[Path] | None = None,
    role: str | None = None,
    seed: Seed = 1,
    budget: UsdBudget = None,
    budget_tokens: int | None = None,
    is_dry_run: bool = False,
    concurrency: int = 16,
    out: Path = EXAMS,
    html: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Put the same decisions to several players, and grade each answer by search: what each gives up, and who differs where."""
    environment, is_narrating, end = load_environment(), not (quiet or as_json), until_of(until, margin)
    number = end if isinstance(end, int) else decisions
    with stoppable("The exam", "positions and answers"), ExitStack() as stack:
        from runner.arena.match_runner import stopped_by
        from runner.screen.human_players import LonePerson
        from runner.screen.line_input import line_input
        from runner.workshop.exam.exam import DECISIONS, OF_A_PERSON, Exam, ExamSpec, planned
        from runner.workshop.exam.examinee import Examined

        specs, played = [seat_spec(text, environment) for text in seats or ()], games.load(game)
        person, console = None, narration()
        if human := next((spec for spec in specs if isinstance(spec, Human)), None):
            name = clean(human.given_name(environment) or YOU, 60)
            person = LonePerson(played, console, stack.enter_context(line_input(console)), name)
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
            margin=margin and margin / 100,
            budget=budget,
            budget_tokens=budget_tokens,
            concurrency=1 if person else concurrency,
        )
        with live_status(not is_narrating or person is not None) as show:
            show("drawing and grading decisions")
            found = Exam(spec, out, environment, person)
            plan = planned(found, number is not None or person is not None)
        print_unusable(found.left_out)
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
        if person is not None:
            person.place = lambda: f"{found.results.decisions + 1} of {plan.decisions}"
        with live_status(not is_narrating or person is not None) as show:
            stop = stopped_by(found.run(lambda so_far: show(f"{so_far.decisions} of {plan.decisions} decisions")))
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
