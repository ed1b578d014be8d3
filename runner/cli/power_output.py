"""Power output: how many deals establish a difference of rating points, from played matches or from a plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from games.core import counted
from runner.cli.output import say, say_json
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.arena.plan import Plan
    from runner.standings.document_types import GameData
    from runner.standings.power import PairPower

_CAUTION = (
    "Choose the number of deals before you look at ratings: stopping once a difference is established makes errors more"
    " likely. `tabletop standings DIR --sequential` allows it."
)


def print_power(plan: Plan, folder: Path, points: float, as_json: bool) -> None:
    """Print, for each pair of agents, how many deals show a rating difference of `points`; a guess before any match."""
    if points <= 0:
        raise UsageError(f"--power {points:g}: expected a rating difference of more than 0 points.")
    from runner.record.log_paths import log_paths

    if folder.is_dir() and log_paths(folder):
        _print_measured(folder, points, as_json)
    else:
        _print_planned(plan, points, as_json)
    if not as_json:
        say(_CAUTION)


def _print_measured(folder: Path, points: float, as_json: bool) -> None:
    from runner.standings.document import standings
    from runner.standings.power import deals_needed

    games = standings(folder)["games"]
    found = [(game, deals_needed(game, points)) for game in games]
    if as_json:
        _say_json(points, False, [(game["game"], game["players"], game["deals"], pairs) for game, pairs in found])
        return
    for game, pairs in found:
        say(f"{_heading(game['game'], game['players'], points)}, from {counted(game['deals'], 'deal')}")
        for pair in pairs:
            say(f"  {' and '.join(pair['agents'])}: {_measured(game, pair)}")


def _print_planned(plan: Plan, points: float, as_json: bool) -> None:
    from runner.arena.schedule import schedule
    from runner.standings.planned_power import planned_power

    found = planned_power(schedule(plan), points)
    if as_json:
        _say_json(points, True, [(game, players, 0, pairs) for (game, players), pairs in found.items()])
        return
    for (game, players), pairs in found.items():
        say(f"{_heading(game, players, points)}, a guess for equal agents before any match")
        for pair in pairs:
            say(f"  {' and '.join(pair['agents'])}: about {counted(pair['deals'] or 0, 'deal')}")


def _heading(game: str, players: int | None, points: float) -> str:
    from runner.standings.power import POWER

    of = f" with {players} players" if players else ""
    return f"{game}{of}: deals needed to show a difference of {points:g} points in {POWER:.0%} of cases"


def _measured(game: GameData, pair: PairPower) -> str:
    from runner.standings.power import detectable

    if pair["deals"] is None or pair["error"] is None:
        return "unknown; too few deals, or no difference so far"
    least = detectable(pair["error"], len(game["meetings"]))
    return f"{counted(pair['deals'], 'deal')} ({counted(game['deals'], 'deal')} show {least:.0f} points)"


def _say_json(points: float, is_guess: bool, tables: Sequence[tuple[str, int | None, int, list[PairPower]]]) -> None:
    from runner.standings.power import POWER

    games = [{"game": game, "players": players, "deals": deals, "pairs": pairs} for game, players, deals, pairs in tables]
    say_json({"points": points, "power": POWER, "is_guess": is_guess, "games": games})
