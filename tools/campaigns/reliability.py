"""Reliability: of positions where a review says 60 %, how many are won.

`python -m tools.campaigns.reliability --game coup --matches 300` plays what is missing of these matches between copies of
`bot:steady`, estimates the share of the win in a few positions of each, and prints tables and plots. Results are kept in
build/reliability: the next call continues there. At a mixed table (`--bot mixed`) each seat is drawn for each match: steady,
steady with 15 or 30 % of its moves at random, a bluffer where the game has claims, a search, random.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import games
from games.core import Game, Policy, Rng, State, random_policy
from games.core.claim import no_claim
from games.search.evaluation import chances
from games.search.playouts import shares_of
from games.search.policy import bot_of, is_searchable, playing_policy, search_policy
from games.search.worlds import playing_on, worlds_of
from tools.campaigns.exam_validity import SEARCH, bluffer, careless
from tools.campaigns.kept import code_of, kept_file, rows, work
from tools.campaigns.reliability_plot import svg_plots, text_plot

PLAYERS = 4
PLAYOUTS = 100
MIXED = "mixed"
BINS = 10
_NORMAL_95 = 1.96


class Guess(NamedTuple):
    """A share of the win that was estimated, and the share that the seat got in the end."""

    match: int
    said: float
    won: float


class Bin(NamedTuple):
    """The guesses of an interval of shares: how many, their means, and half of the 95 % interval of `won` over matches."""

    number: int
    said: float
    won: float
    reach: float


class Played(NamedTuple):
    """A match: guesses of every seat's share from the true state, and of the deciding seat's from what it knew."""

    match: int
    true: list[list[float]]
    seen: list[list[float]]


def play(name: str, bot: str, positions: int, match: int) -> Played:
    """One match, and the estimates in some of its positions, spread over its length."""
    game, rng = games.load(name), Rng.of("reliability", match)
    path = _path(game.begin(players=PLAYERS, seed=match), _seated(game, bot, Rng.of("table", match)), rng)
    result, policy = shares_of(path[-1]), playing_policy(game)
    found = Played(match, [], [])
    for place in range(positions):
        state = path[rng.below(len(path) // positions) + place * (len(path) // positions)]
        if (seat := state.actor) is None:
            continue
        true = chances(playing_on(state), rng, PLAYOUTS, policy)
        found.true.extend([said, won] for said, won in zip(true, result, strict=True))
        found.seen.append([chances(playing_on(state, worlds_of(state, seat)), rng, PLAYOUTS, policy)[seat], result[seat]])
    return found


def _seated(game: Game, bot: str, rng: Rng) -> list[Policy]:
    """The policy of each seat."""
    if bot != MIXED:
        return [bot_of(game, bot)] * PLAYERS
    steady = playing_policy(game)
    players = [steady, careless(0.15, steady), careless(0.3, steady), random_policy]
    players += [bluffer(steady)] * (game.claim is not no_claim)
    players += [search_policy(SEARCH, steady)] * is_searchable(game)
    return [rng.choice(players) for _ in range(PLAYERS)]


def _path(state: State, policies: Sequence[Policy], rng: Rng) -> list[State]:
    """The states of a match in which every seat follows its policy from a world of its own."""
    path = [state]
    while pending := state.pending:
        seat = pending[0]
        state = policies[seat](state.resample(seat, rng), seat, rng).on(state).next_state
        path.append(state)
    return path


def bins(guesses: Sequence[Guess]) -> list[Bin]:
    """The guesses in ten intervals of equal width; empty ones are left out."""
    groups: dict[int, list[Guess]] = {}
    for guess in guesses:
        groups.setdefault(min(BINS - 1, int(guess.said * BINS)), []).append(guess)
    return [_bin(groups[place]) for place in sorted(groups)]


def _bin(guesses: Sequence[Guess]) -> Bin:
    """The interval allows for guesses of one match that are won or lost together. Where all were won, or all lost, it is that
    of the rule of three, by the number of matches (Hanley and Lippman-Hand 1983)."""
    won, by_match = fmean(guess.won for guess in guesses), dict[int, float]()
    for guess in guesses:
        by_match[guess.match] = by_match.get(guess.match, 0.0) + guess.won - won
    error = sqrt(sum(value * value for value in by_match.values())) / len(guesses)
    reach = _NORMAL_95 * error if error else min(1.0, 3 / len(by_match))
    return Bin(len(guesses), fmean(guess.said for guess in guesses), won, reach)


def table(title: str, found: Sequence[Bin]) -> Iterator[str]:
    """A row for each interval."""
    yield f"| {title}: says | positions | won |"
    yield "|--:|--:|--:|"
    for one in found:
        yield f"| {one.said:.0%} | {one.number} | {one.won:.0%} ± {one.reach:.0%} |"
    yield ""


def report(name: str, found: Sequence[Played], plots: dict[str, list[Bin]]) -> Iterator[str]:
    """The tables and plots of a game; `plots` gets what was drawn."""
    for kind in ("true state", "what a seat knew"):
        matches = [(one.match, one.true if kind == "true state" else one.seen) for one in found]
        guesses = [Guess(match, said, won) for match, pairs in matches for said, won in pairs]
        title = f"{name}, {kind}, {len(found)} matches"
        plots[title] = bins(guesses)
        yield from table(title, plots[title])
        yield from text_plot(plots[title])


def main() -> None:
    """Read the command line, play, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", nargs="+", default=games.names(), choices=games.names())
    parser.add_argument("--bot", default="steady", help=f"who plays the matches; {MIXED}: players of several kinds")
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--positions", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--svg", type=Path, help="write the plots to this file")
    arguments = parser.parse_args()
    files = {name: kept_file("reliability", f"{name}-{arguments.bot}", *code_of(name)) for name in arguments.game}
    done = {name: {row[0] for row in rows(path)} for name, path in files.items()}
    settings = arguments.bot, arguments.positions
    work(
        {
            (name, match): (path, partial(play, name, *settings, match))
            for match in range(arguments.matches)
            for name, path in files.items()
            if match not in done[name]
        },
        arguments.jobs,
    )
    plots: dict[str, list[Bin]] = {}
    for name, path in files.items():
        if found := [Played(*row) for row in rows(path)]:
            sys.stdout.write("".join(f"{line}\n" for line in report(name, found, plots)))
    if arguments.svg:
        arguments.svg.write_text(svg_plots(plots), encoding="utf-8")


if __name__ == "__main__":
    main()
