"""`tabletop report GAME`: what matches of bots, and of models that are named, say about a game to those who design it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import games
from runner.cli.options import AsJson, GameName, Quiet, RulesName, budget_option, complete_seats, option, output
from runner.cli.output import same_command, say_json, stoppable, write_result
from runner.errors import UsageError
from runner.match.seeds import LARGEST_SEED
from runner.screen.consoles import print_note, results, with_progress

if TYPE_CHECKING:
    from runner.agents.environment import Environment
    from runner.arena.plan import Plan
    from runner.standings.document_types import AgentData
    from runner.workshop.playtest import GameVariant

_SECONDS = 170.0
_LOGS = Path("reports")


def report(
    game: GameName,
    players: Annotated[int | None, option("Number of players.", "N", "--num-players", "--players", min=1)] = None,
    models: Annotated[
        list[str] | None,
        option("A model to play among bot:steady, too: a SPEC.", "SPEC", "--seat", autocompletion=complete_seats),
    ] = None,
    rules: RulesName = None,
    options: Annotated[
        list[str] | None, option("Set a rules option, and compare with the game without it.", "NAME=VALUE", "--option")
    ] = None,
    seed: Annotated[int, option("Seed of the deals.", "N", min=0, max=LARGEST_SEED)] = 0,
    deals: Annotated[int, option("Deals of each model, which has every seat on each.", "N", min=1, max=10_000)] = 10,
    budget: Annotated[float | None, budget_option("Maximum cost of the models' matches in USD, of each variant.")] = None,
    html: Annotated[bool, typer.Option("--html", help="Write a web page.")] = False,
    to: Annotated[Path | None, output("File of the page; - for standard output. [default: reports/GAME.html]")] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Report on a game to its designers: length, seats, luck, skill, comebacks, answers and rules that nobody uses.

    Bots play for three minutes at most. The matches of models are kept in reports/, and the same command resumes them.

    Example: tabletop report coup --option max_turns=20 --html
    """
    from runner.cli.setting_options import option_values
    from runner.workshop.bench_page import page_screen
    from runner.workshop.game_report import game_report, report_page
    from runner.workshop.playtest import GameVariant, playtest, playtest_jobs

    if to is not None and not html:
        raise UsageError("--output is the file of the page: add --html.")
    if html and as_json:
        raise UsageError("Choose one of --html and --json.")
    found = games.load(game)
    count = found.default_players if players is None else players
    changes = [{}, option_values(found, options)] if options else [{}]
    variants = [GameVariant(game, count, rules, values) for values in changes]
    for one in variants:
        one.begin(seed)
    if len(variants) > 1 and variants[0].begin(seed) == variants[1].begin(seed):
        raise UsageError(f"--option {', '.join(options or ())}: the game has this value without the option, too.")
    played_by_models = _models(variants, models or (), deals, seed, budget, quiet or as_json)
    jobs = playtest_jobs(variants, seed)
    with stoppable("The playtest", ""):
        matches = list(playtest(jobs, _SECONDS, partial(with_progress, what="Matches", is_quiet=quiet or as_json)))
    if len(matches) < len(jobs):
        print_note(f"Note: time allowed for {len(matches):,} of {len(jobs):,} matches; the same command may play others.")
    data = game_report(variants, matches, played_by_models)
    if as_json:
        say_json(data)
    elif html:
        write_result(to or _LOGS / f"{game}.html", report_page(data).html("report"))
    else:
        results().print(page_screen(report_page(data)))


def _models(
    variants: Sequence[GameVariant], specs: Sequence[str], deals: int, seed: int, budget: float | None, is_quiet: bool
) -> list[list[AgentData]]:
    """The figures of models in each variant, from matches in which each of them has one seat among steady bots."""
    from runner.arena.plan import plan_of, seated
    from runner.cli.command_environment import load_environment

    if not specs:
        return [[] for _ in variants]
    environment = load_environment()
    found: list[list[AgentData]] = []
    for one in variants:
        table = {"name": one.game, "players": [one.players], "options": {**one.options}, "deals": deals}
        data = {"games": [table | ({"rules": one.rules} if one.rules else {})], "agents": [*specs], "seed": seed}
        data |= {"opponents": ["bot:steady"], "schedule": "gauntlet", "rotation": "balanced"}
        plan = seated(plan_of(data | ({"budget": budget} if budget else {})), environment)
        found.append(_played(plan, environment, budget, is_quiet))
    return found


def _played(plan: Plan, environment: Environment, budget: float | None, is_quiet: bool) -> list[AgentData]:
    """Play what is missing of the matches of models, in a folder that is named by what is played."""
    from runner.arena.match_runner import ExecutorOptions, play_recorded
    from runner.arena.progress import check_ended
    from runner.arena.tournament_dir import TournamentDir
    from runner.digest import canonical, digest_of
    from runner.screen.dashboard import match_counter
    from runner.standings.document import folder_matches, standings

    facts = plan.model_copy(update={"budget": None}).to_json()
    folder = _LOGS / f"{plan.games[0].game}-{digest_of(canonical(facts))[:12]}"
    with match_counter(is_quiet) as show:
        done = play_recorded(plan, environment, TournamentDir(folder, "report"), {"plan": facts}, show, ExecutorOptions())
    check_ended(*done, "The report", same_command(budget))
    names = {agent.name for agent in plan.agents}
    return [
        agent for game in standings(folder_matches(folder), 0)["games"] for agent in game["agents"] if agent["agent"] in names
    ]
