"""`tabletop tournament PLAN`: many matches, seats rotated over the same deals, one budget."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from games.core import counted
from runner.cli.lazy_groups import new_app
from runner.cli.option_groups import with_option_groups
from runner.cli.output import say, say_json
from runner.cli.tournament_options import EngineOptions, ForecastOptions, PlanOptions

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.arena.plan import Plan
    from runner.arena.progress import Progress

app = new_app()


@app.command()
@with_option_groups
def tournament(
    plan: Annotated[
        Path | None, typer.Argument(help="A plan in TOML, or the folder of a tournament to resume.", metavar="PLAN")
    ] = None,
    *,
    options: PlanOptions,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the logs. [default: tournaments/<plan>]", metavar="DIR")
    ] = None,
    engine: EngineOptions,
    forecast: ForecastOptions,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Play many matches: every deal with each agent in every seat, hundreds at once. The same command resumes.

    Examples: tabletop tournament plan.toml · tabletop tournament --game dixiquote --agents bot:steady,bot:random --deals 20
    """
    from runner.arena.plan_file import seated
    from runner.arena.tournament_dir import TournamentDir
    from runner.cli.config_files import load_settings
    from runner.cli.plan_programs import check_programs

    found, settings = options.plan(plan), load_settings()
    found = seated(found, settings)
    folder = out or _folder(plan, found)
    found = TournamentDir(folder).with_recorded_seeds(found)
    if forecast.power is None and not quiet:
        _print_cautions(found)
    if forecast.power is not None:
        from runner.cli.power_output import print_power

        print_power(found, folder, forecast.power, as_json)
    elif forecast.is_dry_run:
        from runner.cli.estimate_output import print_tournament_estimate

        print_tournament_estimate(found, settings, forecast.past or folder, as_json)
    else:
        if plan is not None and not engine.allows_programs:
            check_programs(plan, options.of_file(found), settings)
        _run(found, folder, settings, engine, quiet, as_json)


def _print_cautions(plan: Plan) -> None:
    from runner.cli.plan_cautions import plan_cautions
    from runner.screen.consoles import print_note

    for caution in plan_cautions(plan):
        print_note(f"Note: {caution}")


def _folder(path: Path | None, plan: Plan) -> Path:
    """The default folder of a tournament."""
    if path is not None:
        return path if path.is_dir() else Path("tournaments") / path.stem
    names = "-".join(game.game for game in plan.games)
    return Path("tournaments") / (names if plan.is_seed_drawn else f"{names}-seed{plan.seed}")


def _run(plan: Plan, path: Path, settings: Settings, engine: EngineOptions, is_quiet: bool, as_json: bool) -> None:
    from runner.arena.match_runner import MatchRunner, match_set
    from runner.arena.schedule import schedule
    from runner.arena.tournament_dir import TournamentDir
    from runner.screen.consoles import narration
    from runner.screen.dashboard import Dashboard, status_line
    from runner.screen.loading import report_loading
    from runner.standings.live_ratings import LiveRatings

    if not is_quiet:
        report_loading(is_moving=False)
    folder, ratings = TournamentDir(path), LiveRatings(schedule(plan))
    runner = MatchRunner(match_set(plan, settings), folder, engine.executor(), ratings.add)
    progress = runner.progress
    with Dashboard(narration(), is_quiet, ratings) as dashboard, folder.locked():
        folder.record_plan(plan)
        has_run = runner.run(dashboard.show, dashboard.interval)
        dashboard.tell_trouble(progress)
    if as_json:
        facts = {"folder": str(path), "matches": progress.total, "ended": progress.ended, "spent": progress.spent}
        stopped = {name: {"stop": o.stop, "why": o.why, "agent": o.agent} for name, o in sorted(progress.failed.items())}
        say_json({**facts, "stopped": stopped})
    else:
        say(f"{status_line(progress)}. Logs: {path}")
        if progress.ended == progress.total:
            say(f"`tabletop standings {path}` shows the ratings.")
    if progress.ended < progress.total:
        raise _stop(progress, _command(path, plan, settings), has_run, plan)


def _command(path: Path, plan: Plan, settings: Settings) -> str:
    """The command that continues a tournament."""
    from runner.cli.plan_programs import ALLOW_PROGRAMS, unnamed_programs

    command = f"tabletop tournament {shlex.quote(str(path))}"
    return f"{command} {ALLOW_PROGRAMS}" if unnamed_programs(plan.entrants, settings) else command


def _stop(progress: Progress, command: str, has_run: bool, plan: Plan) -> Exception:
    """The error that ends a tournament with unfinished matches; it has the exit status."""
    from runner.arena.match_outcome import Stop, error_of
    from runner.errors import PausedError

    left = progress.total - progress.ended
    again = f"`{command}` plays the remaining {counted(left, 'match')}."
    stops = {outcome.stop: outcome for outcome in progress.failed.values()}
    if not has_run:
        return PausedError(f"The tournament was interrupted. {again}")
    if Stop.BUG in stops:
        return error_of(stops[Stop.BUG], _after_bugs(progress, command))
    for stop in (Stop.DAMAGED, Stop.USAGE, Stop.ACCOUNT):
        if stop in stops:
            return error_of(stops[stop], again)
    if Stop.BUDGET in stops:
        higher = f"Raise it to continue: `{command} {_raised(plan, progress)}` plays the remaining {counted(left, 'match')}."
        return PausedError(f"The budget is spent: {stops[Stop.BUDGET].why} {higher}")
    why = next(iter(stops.values())).why.rstrip(".")
    return PausedError(f"The tournament is paused: {why}. {again}")


def _raised(plan: Plan, progress: Progress) -> str:
    """The option that raises the budget: at least twice as much, more if the remaining matches cost like those that ended."""
    from runner.llm.budget import plain_number, raised

    flag, spent = ("--budget-tokens", plan.budget_tokens) if plan.budget is None else ("--budget", plan.budget)
    share = progress.total / (2 * max(progress.ended, 1))
    return f"{flag} {plain_number(raised((spent or 0.0) * max(1.0, share)))}"


def _after_bugs(progress: Progress, command: str) -> str:
    """How to continue a tournament with matches that a bug stopped."""
    from runner.arena.match_outcome import Stop

    bugs = sum(outcome.stop is Stop.BUG for outcome in progress.failed.values())
    rest = progress.total - progress.ended - bugs
    failed = f"`{command} --retry-failed` continues {'it' if bugs == 1 else f'all {bugs} that failed'}"
    return f"{failed}; without --retry-failed, only the other {counted(rest, 'match')}." if rest else f"{failed}."
