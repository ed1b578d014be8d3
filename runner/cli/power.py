"""`tabletop tournament --power`: how many deals it takes."""

from __future__ import annotations

from pathlib import Path

from games.core import counted
from runner.cli.output import say, say_json
from runner.errors import UsageError


def print_power(folder: Path, points: float, as_json: bool) -> None:
    """Print for each pair of agents how many deals establish a difference of so many points. UsageError without logs."""
    from runner.standings.document import standings
    from runner.standings.power import POWER, deals_needed, detectable

    if points <= 0:
        raise UsageError(f"--power {points:g}: it is a difference in rating points, more than 0.")
    if not folder.is_dir():
        raise UsageError(f"--power works from matches that were played: there is no folder {folder} with logs.")
    found = standings(folder)
    games = [{"game": g["game"], "deals": g["deals"], "pairs": deals_needed(g, points)} for g in found["games"]]
    if as_json:
        say_json({"points": points, "power": POWER, "games": games})
        return
    for game, table in zip(games, found["games"], strict=True):
        deals = counted(game["deals"], "deal")
        say(f"{game['game']}, from {deals}: to establish {points:g} points in {POWER:.0%} of cases takes")
        for pair in game["pairs"]:
            names = " and ".join(pair["agents"])
            if pair["deals"] is None:
                say(f"  {names}: unknown, there are too few deals or they never differed")
                continue
            least = detectable(pair["error"], len(table["meetings"]))
            say(f"  {names}: {counted(pair['deals'], 'deal')} ({deals} establish {least:.0f} points)")
