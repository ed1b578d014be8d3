"""`tabletop season PLAN`: a tournament that is committed to, played and published in one folder, and its proof."""

from functools import partial
from pathlib import Path
from typing import Annotated

from games.core import counted
from runner.arena.experiment import Experiment
from runner.arena.paired_differences import differences_of
from runner.arena.plan import plan_of, read_plan, seated
from runner.arena.tournament_dir import TournamentDir
from runner.cli.command_environment import load_environment
from runner.cli.options import AsJson, Quiet, argument, budget_option, option, output
from runner.cli.output import say, say_json, stoppable
from runner.cli.tournament import EngineOptions, check_finished, check_programs, run_experiment
from runner.errors import UsageError
from runner.screen.consoles import print_note, with_progress
from runner.screen.safe_text import clean


def season(
    plan: Annotated[Path | None, argument("A plan in TOML, as of `tabletop tournament`.", "PLAN")] = None,
    *,
    check: Annotated[Path | None, option("Prove the season in DIR again from its logs.", "DIR", "--check")] = None,
    out: Annotated[Path | None, output("Folder of the season. [default: seasons/<plan>]", "DIR")] = None,
    budget: Annotated[float | None, budget_option("Maximum cost of the whole season in USD. [default: the plan's]")] = None,
    budget_tokens: Annotated[
        int | None, option("Maximum tokens of the whole season. [default: the plan's]", "N", min=1)
    ] = None,
    engine: EngineOptions,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Commit to a plan, play it, and publish logs, standings, gallery, tables and records in one folder. It resumes, too.

    Examples: tabletop season plan.toml · tabletop season --check seasons/plan
    """
    from runner.export import season_folder

    if (plan is None) is (check is None):
        raise UsageError("Name a plan to play, or with --check the folder of a season to prove.")
    follow = partial(with_progress, what="Season", is_quiet=quiet)
    if check is not None:
        with stoppable("The check", ""):
            proved = season_folder.check(check, follow)
        if proved.not_made and not quiet:
            print_note(f"Note: the tables are as they were written, but were not made again: {proved.not_made}.")
        _tell(check, proved.commitment, proved.season, f"Proved from {counted(proved.logs, 'log')}", as_json)
        return
    assert plan is not None
    given = {"budget": budget, "budget_tokens": budget_tokens}
    limits = {name: value for name, value in given.items() if value is not None}
    folder, environment = out or Path("seasons") / plan.stem, load_environment()
    logs_dir = TournamentDir(folder / season_folder.LOGS)
    found = logs_dir.with_recorded_seeds(seated(plan_of({**read_plan(plan), **limits}), environment))
    if not engine.allows_programs:
        check_programs(plan, found.entrants, environment)
    commitment = season_folder.commit(folder, found, environment)
    if not quiet:
        print_note(f"Commitment: {commitment}. Publish it before others can know a result.")
    words = ["tabletop", "season", str(plan), "-o", str(folder), *["--allow-programs"] * engine.allows_programs]
    experiment = Experiment(found, logs_dir, "The season", differences=differences_of(found) if found.until else None)
    check_finished(experiment, *run_experiment(experiment, environment, engine, quiet), words)
    with stoppable("The season", "its matches"):
        season_folder.publish(folder, folder, folder.resolve().name, follow, season_folder.table_writer())
        seal = season_folder.seal(folder)
    _tell(folder, commitment, seal, "Season", as_json)


def _tell(folder: Path, commitment: str, seal: str, what: str, as_json: bool) -> None:
    if as_json:
        say_json({"folder": str(folder), "commitment": commitment, "season": seal})
    else:
        say(f"{what}: {clean(folder, 5000)}. Commitment {commitment}, season {seal}.")
