"""`tabletop report GAME`: what matches of bots, and of models that are named, say about a game to those who design it."""

from __future__ import annotations

import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import games
from games.search.playtest import GameVariant, play_job, playtest_jobs
from games.search.policy import has_playing_policy
from runner.cli.options import GameName, Seats, Seed, UsdBudget
from runner.cli.output import STDOUT, same_command, say_json, stoppable, write_result
from runner.cli.setting_options import option_values
from runner.errors import UsageError
from runner.screen.consoles import print_note, results, with_progress
from runner.worker_processes import in_order

if TYPE_CHECKING:
    from games.statistics.document_types import AgentData

_SECONDS = 170.0
_FOLDER = Path("reports")


def report(
    game: GameName,
    players: int | None = None,
    models: Seats = None,
    rules: str | None = None,
    options: list[str] | None = None,
    seed: Seed = 0,
    deals: int = 10,
    budget: UsdBudget = None,
    html: bool = False,
    to: Path | None = None,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Report on a game to its designers: length, seats, luck, skill, comebacks, answers and rules that nobody uses."""
    from games.statistics.playtest_report import game_report
    from runner.workshop.bench_page import bench_screen
    from runner.workshop.game_report import report_page

    if to is not None and not html:
        raise UsageError(f"--output {to} is the file of the page: add --html.")
    if as_json and to == STDOUT:
        raise UsageError("--json and --html cannot both go to standard output: name a file with -o.")
    found = games.load(game)
    if not has_playing_policy(found):
        raise UsageError(f"{found.title} has no `bot:steady`, among which a report plays the other bots.")
    count, changes = players or found.default_players, [{}, option_values(found, options)] if options else [{}]
    variants = [GameVariant(game, count, rules, values) for values in changes]
    if len({one.begin(seed).setup for one in variants}) < len(variants):
        raise UsageError(f"--option {', '.join(options or ())}: the game has this value without the option, too.")
    agents = [_models(one, models, deals, seed, budget, quiet or as_json) if models else [] for one in variants]
    jobs, until = playtest_jobs(variants, seed), time.monotonic() + _SECONDS
    matches = []
    with stoppable("The playtest", ""), closing(in_order(partial(play_job, time.process_time), jobs)) as playing:
        for one in zip(jobs, with_progress(playing, len(jobs), "Matches", quiet or as_json), strict=False):
            matches.append(one)
            if time.monotonic() > until:
                print_note(f"Note: time allowed for {len(matches):,} of {len(jobs):,} matches.")
                break
    data = game_report(variants, matches, agents)
    if html:
        write_result(to or _FOLDER / f"{game}.html", report_page(data).html("report"), has_path=not as_json)
    if as_json:
        say_json(data)
    elif not html:
        results().print(bench_screen(report_page(data)))


def _models(
    variant: GameVariant, specs: list[str], deals: int, seed: int, budget: float | None, is_quiet: bool
) -> list[AgentData]:
    """The figures of models that each have one seat among steady bots. What is missing of their matches is played, in a folder
    that is named by what is played."""
    from runner.arena.experiment import Experiment
    from runner.arena.match_runner import ExecutorOptions
    from runner.arena.plan import plan_of, seated
    from runner.arena.tournament_dir import TournamentDir
    from runner.cli.command_environment import load_environment
    from runner.digest import canonical, digest_of
    from runner.screen.dashboard import match_counter
    from runner.standings.document import folder_matches, standings

    table = {"name": variant.game, "players": [variant.players], "options": {**variant.options}, "deals": deals}
    data = {"games": [table | ({"rules": variant.rules} if variant.rules else {})], "agents": specs, "seed": seed}
    data |= {"opponents": ["bot:steady"], "schedule": "gauntlet", "rotation": "balanced"}
    environment = load_environment()
    plan = seated(plan_of(data), environment)
    folder = TournamentDir(_FOLDER / f"{variant.game}-{digest_of(canonical(plan.to_json()))[:12]}", "report")
    with match_counter(is_quiet) as show:
        limited = plan.model_copy(update={"budget": budget})
        experiment = Experiment(limited, folder, "The report", {"plan": plan.to_json()})
        experiment.check(*experiment.run(environment, show, ExecutorOptions()), same_command(budget))
    names = {agent.name for agent in plan.agents}
    found = standings(folder_matches(folder.path), 0)["games"]
    return [agent for one in found for agent in one["agents"] if agent["agent"] in names]
