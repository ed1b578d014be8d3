"""Review order: whether reviews order four players as expected, and how many matches the win rate needs for the same.

`python -m tools.campaigns.review_order --game coup --matches 30 --playouts 100` plays what is missing of these matches, each
with all four players at one table, grades every decision, and prints tables. Results are kept in build/review_order, by the
code that was measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import pairwise
from math import ceil, sqrt
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import games
from games.core import Action, Game, Policy, Rng, State, random_policy
from games.search.playouts import shares_of
from games.search.policy import bot_of
from runner.review.decision_review import DecisionJob, review_decision
from tools.campaigns.kept import REVIEW, code_of, kept_file

GAMES = ("coup", "oriflamme", "cat_in_the_box")
PLAYERS = ("search:100", "steady", "steady, 30 % at random", "random")
"""From the strongest to the weakest."""

_NORMAL_95 = 1.96


class Played(NamedTuple):
    """A match: for each player its share of the win, and over its graded decisions the sum of the regrets, the sum of the
    shares that the best answers had, and their number."""

    match: int
    shares: tuple[float, ...]
    regrets: tuple[float, ...]
    best: tuple[float, ...]
    decisions: tuple[int, ...]


def policy_of(game: Game, player: str) -> Policy:
    """How a player plays."""
    if player != PLAYERS[2]:
        return bot_of(game, player)
    steady = bot_of(game, "steady")

    def choose(state: State, seat: int, rng: Rng) -> Action:
        return (random_policy if rng.random() < 0.3 else steady)(state, seat, rng)

    return choose


def play(name: str, match: int, playouts: int) -> Played:
    """One match; player p has seat (p + match) modulo 4."""
    game, rng = games.load(name), Rng.of("review_order", match)
    policies = [policy_of(game, player) for player in PLAYERS]
    state, jobs = game.begin(players=len(PLAYERS), seed=match), list[tuple[int, DecisionJob]]()
    while pending := state.pending:
        seat = pending[0]
        player = (seat - match) % len(PLAYERS)
        action = policies[player](state.resample(seat, rng), seat, rng).on(state)
        if len(state.actions_of(seat)) > 1:
            jobs.append((player, DecisionJob(len(jobs) + 1, state, state, seat, action.to_json())))
        state = action.next_state
    found = [(player, review_decision(job, playouts, 1).entry) for player, job in jobs]
    graded = [[one for by, one in found if one is not None and by == player] for player in range(len(PLAYERS))]
    shares = [shares_of(state)[(player + match) % len(PLAYERS)] for player in range(len(PLAYERS))]
    regrets = tuple(sum(one["regret"] for one in mine) for mine in graded)
    best = tuple(sum(one["best_share"] for one in mine) for mine in graded)
    return Played(match, tuple(shares), regrets, best, tuple(map(len, graded)))


class Estimate(NamedTuple):
    """A mean over matches with what each match contributes to it, so that differences have standard errors."""

    mean: float
    parts: tuple[float, ...]

    @property
    def reach(self) -> float:
        """Half of the 95 % interval."""
        return _NORMAL_95 * spread(self.parts) / sqrt(len(self.parts))


def spread(values: Sequence[float]) -> float:
    """The standard deviation of a sample."""
    mean = fmean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))


def win_share(found: Sequence[Played], player: int) -> Estimate:
    """A player's share of the win a match."""
    shares = tuple(one.shares[player] for one in found)
    return Estimate(fmean(shares), shares)


def given_up(found: Sequence[Played], player: int) -> Estimate:
    """What a player gives up a graded decision."""
    return ratio([one.regrets[player] for one in found], [float(one.decisions[player]) for one in found])


def relative(found: Sequence[Played], player: int) -> Estimate:
    """The part that a player gives up of what its best answers are worth."""
    return ratio([one.regrets[player] for one in found], [one.best[player] for one in found])


def ratio(above: Sequence[float], below: Sequence[float]) -> Estimate:
    """A ratio of sums over matches; a match contributes by the linearised ratio."""
    mean, size = sum(above) / sum(below), fmean(below)
    return Estimate(mean, tuple(mean + (one - mean * other) / size for one, other in zip(above, below, strict=True)))


def matches_needed(better: Estimate, worse: Estimate) -> int | None:
    """The matches after which the 95 % interval of a difference excludes 0; None where the sample has no difference."""
    difference = better.mean - worse.mean
    parts = [one - other for one, other in zip(better.parts, worse.parts, strict=True)]
    return ceil((_NORMAL_95 * spread(parts) / difference) ** 2) if difference else None


def table(name: str, found: Sequence[Played]) -> Iterator[str]:
    """A row for each player, and one for each pair of neighbours."""
    yield f"| {name}, {len(found)} matches | win share a match | given up a decision | relative | decisions graded |"
    yield "|---|--:|--:|--:|--:|"
    wins = [win_share(found, player) for player in range(len(PLAYERS))]
    lost = [given_up(found, player) for player in range(len(PLAYERS))]
    part = [relative(found, player) for player in range(len(PLAYERS))]
    for player, bot in enumerate(PLAYERS):
        cells = (f"{one.mean:.1%} ± {one.reach:.1%}" for one in (wins[player], lost[player], part[player]))
        yield f"| {bot} | {' | '.join(cells)} | {sum(one.decisions[player] for one in found)} |"
    yield ""
    yield f"| {name}: better, worse | matches by win share | matches by `relative` |"
    yield "|---|--:|--:|"
    for better, worse in pairwise(range(len(PLAYERS))):
        by_wins, by_review = matches_needed(wins[better], wins[worse]), matches_needed(part[worse], part[better])
        wrong = [one.mean <= other.mean for one, other in ((wins[better], wins[worse]), (part[worse], part[better]))]
        marks = [" (in the wrong order)" if is_wrong else "" for is_wrong in wrong]
        yield f"| {PLAYERS[better]} over {PLAYERS[worse]} | {by_wins}{marks[0]} | {by_review}{marks[1]} |"
    yield ""


def results(path: Path) -> dict[int, Played]:
    """The matches kept in a file."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row[0]: Played(row[0], *map(tuple, row[1:])) for row in rows}


def run(files: Mapping[str, Path], matches: int, playouts: int, jobs: int) -> None:
    """Play what is missing, and keep each result as soon as it is there."""
    for path in files.values():
        path.parent.mkdir(parents=True, exist_ok=True)
    missing = [(name, match) for match in range(matches) for name, path in files.items() if match not in results(path)]
    with ProcessPoolExecutor(jobs) as pool:
        playing = {pool.submit(play, name, match, playouts): name for name, match in missing}
        for number, future in enumerate(as_completed(playing), 1):
            with files[playing[future]].open("a", encoding="utf-8") as file:
                file.write(json.dumps(future.result()) + "\n")
            sys.stderr.write(f"\r{number} of {len(playing)} ")
            sys.stderr.flush()


def main() -> None:
    """Read the command line, play, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", nargs="+", default=GAMES, choices=GAMES)
    parser.add_argument("--matches", type=int, default=30)
    parser.add_argument("--playouts", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    files = {
        name: kept_file("review_order", f"{name}-{arguments.playouts}", *code_of(name), *REVIEW) for name in arguments.game
    }
    try:
        run(files, arguments.matches, arguments.playouts, arguments.jobs)
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
    for name, path in files.items():
        if found := list(results(path).values()):
            sys.stdout.write("".join(f"{line}\n" for line in table(name, found)))


if __name__ == "__main__":
    main()
