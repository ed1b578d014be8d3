"""`tabletop tournament PLAN`: many matches, seats rotated over the same deals, one budget; `tabletop season PLAN`: one that is
committed to, played and published in one folder, and its proof."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import games
from games.core import counted, listed
from games.statistics.document_types import GameData
from runner.agents.environment import Environment
from runner.agents.log_trust import reach_of, unnamed
from runner.agents.settings import setting_of
from runner.arena.experiment import EndsWhen, Experiment, until_of
from runner.arena.match_runner import ExecutorOptions
from runner.arena.paired_differences import differences_of
from runner.arena.plan import Plan, Rotation, plan_of, read_plan, seated
from runner.arena.progress import Progress, Stop
from runner.arena.schedule import schedule
from runner.arena.tournament_dir import MANIFEST, TournamentDir
from runner.cli.command_environment import load_environment
from runner.cli.options import DealSeed, ExperimentOptions, SeveralGames, UsdBudget
from runner.cli.output import print_unusable, say, say_json, stoppable
from runner.cli.setting_options import Values, option_values, setting_options, specified
from runner.errors import AccountError, UsageError
from runner.llm.budget import plain_number, raised
from runner.record.log_paths import log_paths
from runner.review.kept_reviews import folder_reviews
from runner.screen.consoles import narration, print_note, report_loading, results, with_progress
from runner.screen.dashboard import Dashboard, drawn_tables, status_line
from runner.screen.safe_text import clean
from runner.session.match_spec import SETTINGS, MatchSettings, SeatSpec
from runner.standings.luck import Adjust, adjusted_games, shares_of
from runner.standings.rating import LiveRatings
from runner.standings.tables import agent_table

_ALLOW_PROGRAMS = "--allow-programs"

_NAMES = [name for name in SETTINGS if name in MatchSettings.model_fields]
_TOLD = {name: setting_of(MatchSettings, name).help for name in _NAMES} | {
    "budget": "Maximum cost of the whole tournament in USD.",
    "budget_tokens": "Maximum number of tokens of the whole tournament.",
    "hopeless": "Strike-outs in a row after which a seat is asked once per decision, until it answers; 0: never. [default: 5]",
}
PLAN_SETTINGS = setting_options(_NAMES, _TOLD)
"""The settings of all matches of a plan."""


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """A plan on the command line, or what differs from the plan in a file. None: not specified."""

    game: SeveralGames = None
    agents: list[str] | None = None
    opponents: str | None = None
    players: str | None = None
    rules: str | None = None
    option: list[str] | None = None
    deals: int | None = None
    rotation: Rotation | None = None
    seed: DealSeed = None
    concurrency: int | None = None

    def plan(self, path: Path | None, settings: Values, until: EndsWhen | None = None) -> Plan:
        """The plan of a file or of a tournament's folder, with these options and `settings` of its matches over it; or of these
        alone. It ends `until` a number of deals, if that is given."""
        if path is not None and self.game is not None:
            raise UsageError(f"Use either a plan or --game: {path} already names its games.")
        if path is None and not (self.game and self.agents):
            raise UsageError("Specify a plan, or both --game and --seat: tournament --game NAME --seat SPEC --seat SPEC.")
        data = {} if path is None else read_plan(path / MANIFEST if path.is_dir() else path)
        of_plan = {
            "games": self.game,
            "agents": self.agents and [spec for word in self.agents for spec in word.split(",")],
            "opponents": self.opponents and self.opponents.split(","),
            "schedule": "gauntlet" if self.opponents else None,
            "rotation": self.rotation,
            "seed": self.seed,
            "concurrency": self.concurrency,
        }
        try:
            players = self.players and [int(part) for part in self.players.split(",")]
        except ValueError:
            raise UsageError(f"--players {self.players}: expected numbers, such as 4 or 3,4,5.") from None
        data |= {**_specified(of_plan), **settings}
        of_games = _specified(
            {"players": players, "rules": self.rules, "deals": until if isinstance(until, int) else self.deals}
        )
        if (of_games or self.option) and isinstance(found := data.get("games"), list):
            data["games"] = [self._with_rules(game, of_games) for game in found]
        return plan_of(data)

    def _with_rules(self, game: object, settings: Values) -> object:
        """A game of a plan with the rules of these options; what is no game stays, and the plan is refused."""
        table = {"name": game} if isinstance(game, str) else game
        if not isinstance(table, dict):
            return game
        options = {"options": option_values(games.load(str(table.get("name"))), self.option)} if self.option else {}
        return {**table, **settings, **options}


def _specified(values: Values) -> Values:
    return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class EngineOptions:
    has_ray: bool = False
    workers: int | None = None
    retries_failed: bool = False
    programs: int | None = None
    allows_programs: bool = False
    patience: float = 60.0

    def executor(self) -> ExecutorOptions:
        address = os.environ.get("RAY_ADDRESS")
        return ExecutorOptions(self.has_ray, address, self.workers, self.patience, self.retries_failed, self.programs)


def tournament(
    plan: Path | None = None,
    *,
    options: PlanOptions,
    settings: Annotated[object, PLAN_SETTINGS],
    out: Path | None = None,
    engine: EngineOptions,
    ends: ExperimentOptions,
    power: float | None = None,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Play many matches: every deal with each agent in every seat, hundreds at once. The same command resumes."""
    environment, end = load_environment(), until_of(ends.until, ends.margin)
    found = seated(options.plan(plan, specified(settings), end), environment)
    folder = out or _folder(plan, found)
    found = TournamentDir(folder).with_recorded_seeds(found)
    differences = differences_of(found, ends.share) if (end or found.until) == "sure" else None
    experiment = Experiment(found, TournamentDir(folder), differences=differences, is_reviewed=ends.is_reviewed)
    if power is None and not quiet:
        for game, entry in ((games.load(entry.game), entry) for entry in found.games):
            for players in entry.players:
                setup = game.set_up(players, found.seed, entry.rules, entry.options)
                for caution in game.cautions(players, setup.options):
                    print_note(f"Note: {game.name} with {players} players: {caution}")
    if power is not None:
        from runner.cli.estimate_output import print_power

        print_power(found, folder, power, as_json)
    elif ends.is_dry_run:
        from runner.cli.estimate_output import print_tournament_estimate

        print_tournament_estimate(experiment, environment, as_json)
    else:
        if plan is not None and not engine.allows_programs:
            of_file = [
                *(found.agents if options.agents is None else ()),
                *(found.opponents if options.opponents is None else ()),
            ]
            check_programs(plan, of_file, environment)
        _run(experiment, environment, engine, ends.adjust, quiet, as_json)


def check_programs(path: Path, entrants: Sequence[SeatSpec], environment: Environment) -> None:
    """AccountError when these entrants of the plan `path` start something that the settings do not name: a plan may come from
    anybody, so it alone starts nothing."""
    if programs := _unnamed_programs(entrants, environment):
        raise AccountError(
            f"The plan {path} starts {listed(programs, 'and')} with your rights, and only the plan names"
            f" {'it' if len(programs) == 1 else 'them'}: nothing was started.",
            remedy=f"If you trust the plan, add {_ALLOW_PROGRAMS}.",
        )


def _unnamed_programs(entrants: Sequence[SeatSpec], environment: Environment) -> list[str]:
    """The SPECs of the programs and functions that neither .env nor agents.toml names."""
    specs = [entrant.spec for entrant in entrants]
    found = unnamed(dict(enumerate(specs)), (), environment)
    reached = ((specs[place], reach_of(specs[place], environment)) for place in found)
    return [spec.who for spec, reach in reached if reach is not None and reach.what not in ("host", "path")]


def _folder(path: Path | None, plan: Plan) -> Path:
    if path is not None:
        return path if path.is_dir() else Path("tournaments") / path.stem
    names = "-".join(game.game for game in plan.games)
    return Path("tournaments") / (names if plan.is_seed_drawn else f"{names}-seed{plan.seed}")


def _run(
    experiment: Experiment,
    environment: Environment,
    engine: EngineOptions,
    adjust: Adjust | None,
    is_quiet: bool,
    as_json: bool,
) -> None:
    plan, path = experiment.plan, experiment.folder.path
    progress, has_run = run_experiment(experiment, environment, engine, is_quiet)
    if experiment.is_reviewed:
        with stoppable("The review"):
            print_unusable(folder_reviews(log_paths(path), partial(with_progress, what="Reviews", is_quiet=is_quiet)).unusable)
    shares = list[GameData]()
    if adjust and progress.ended:
        with stoppable("The calculation", ""):
            shares += adjusted_games(path, adjust, partial(with_progress, what="valuing deals", is_quiet=is_quiet))
    if as_json:
        facts = {"folder": str(path), "matches": progress.total, "ended": progress.ended, "spent": progress.spent}
        facts |= {"adjusted": shares_of(shares)} if adjust else {}
        stopped = {name: {"stop": o.stop, "why": o.why, "agent": o.agent} for name, o in sorted(progress.failed.items())}
        say_json({**facts, "stopped": stopped})
    else:
        for part in drawn_tables(agent_table("adjusted", game["agents"]) for game in shares):
            results().print(part)
        say(f"{status_line(progress)}. Logs: {path}")
        if progress.is_decided:
            say(f"All differences are decided after {counted(progress.ended, 'match')}.")
        if progress.is_decided or progress.ended == progress.total:
            say(f"`tabletop standings {path}` shows the ratings.")
    allowing = [_ALLOW_PROGRAMS] if _unnamed_programs(plan.entrants, environment) else []
    check_finished(experiment, progress, has_run, ["tabletop", "tournament", str(path), *allowing])


def run_experiment(
    experiment: Experiment, environment: Environment, engine: EngineOptions, is_quiet: bool
) -> tuple[Progress, bool]:
    """Play what has not been played, with a dashboard. How far it is, and False when it was interrupted."""
    if not is_quiet:
        report_loading(is_moving=False)
    ratings = LiveRatings(schedule(experiment.plan))
    with Dashboard(narration(), is_quiet, ratings) as dashboard:
        progress, has_run = experiment.run(environment, dashboard.show, engine.executor(), ratings.add, dashboard.interval)
        dashboard.tell_trouble(progress)
    return progress, has_run


def check_finished(experiment: Experiment, progress: Progress, has_run: bool, command: Sequence[str]) -> None:
    """The gravest error of a run that has matches left; the words of `command` continue it."""
    if progress.ended < progress.total:
        experiment.check(progress, has_run, _again(progress, shlex.join(command), has_run, experiment.plan))


def _again(progress: Progress, command: str, has_run: bool, plan: Plan) -> str:
    """How to continue a tournament with unfinished matches: a budget is raised to at least twice as much, somewhat more if the
    remaining matches cost like those that ended."""
    stops, left, more, until = [outcome.stop for outcome in progress.failed.values()], progress.total - progress.ended, "", ""
    if has_run and (bugs := stops.count(Stop.BUG)):
        rest = f"; without --retry-failed, only the other {counted(left - bugs, 'match')}" if left > bugs else ""
        which = "it" if bugs == 1 else f"all {bugs} that failed"
        return f"Once that is mended, `{command} --retry-failed` continues {which}{rest}."
    if has_run and Stop.BUDGET in stops and not {*stops} & {Stop.DAMAGED, Stop.USAGE, Stop.ACCOUNT}:
        unit, flag, limit = (
            ("USD", "--budget", plan.budget) if plan.budget else ("tokens", "--budget-tokens", plan.budget_tokens)
        )
        needed = (limit or 0.0) * progress.total / max(progress.ended, 1)
        higher = raised(limit or 0.0, needed / 2)
        more = f" {flag} {plain_number(higher)}"
        until = f" until that is spent: all of them may need {needed:,.4g} {unit}" if higher < needed else ""
    rest = f"`{command}{more}` plays the remaining {counted(left, 'match')}{until}."
    return f"Raise it to continue: {rest}" if more else rest


def season(
    plan: Path | None = None,
    *,
    check: Path | None = None,
    out: Path | None = None,
    budget: UsdBudget = None,
    budget_tokens: int | None = None,
    engine: EngineOptions,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Commit to a plan, play it, and publish logs, standings, gallery, tables and records in one folder. It resumes, too."""
    from runner.export import season_folder

    if (plan is None) is (check is None):
        raise UsageError("Name a plan to play, or with --check the folder of a season to prove.")
    if check is not None and out is not None:
        raise UsageError("-o is the folder of a season to play; --check writes nothing: leave -o out.")
    follow = partial(with_progress, what="Season", is_quiet=quiet)
    if check is not None:
        with stoppable("The check", ""):
            proved = season_folder.check(check, follow)
        if proved.not_made and not quiet:
            print_note(f"Note: as they were written, but not made again from the logs: {proved.not_made}.")
        _tell(check, proved.commitment, proved.season, f"Proved from {counted(proved.logs, 'log')}", as_json)
        return
    assert plan is not None
    limits = _specified({"budget": budget, "budget_tokens": budget_tokens})
    folder, environment = out or Path("seasons") / plan.stem, load_environment()
    logs_dir = TournamentDir(folder / season_folder.LOGS)
    found = logs_dir.with_recorded_seeds(seated(plan_of({**read_plan(plan), **limits}), environment))
    if not engine.allows_programs:
        check_programs(plan, found.entrants, environment)
    commitment = season_folder.commit(folder, found, environment)
    if not quiet:
        print_note(f"Commitment: {commitment}. Publish it before others can know a result.")
    words = ["tabletop", "season", str(plan), "-o", str(folder), *[_ALLOW_PROGRAMS] * engine.allows_programs]
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
