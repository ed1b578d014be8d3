"""Reliability: of positions where a review says 60 %, how many are won.

`python -m tools.campaigns.reliability --game coup --matches 300` plays what is missing of these matches between copies of
`bot:steady`, estimates the share of the win in a few positions of each, and prints tables and plots. Results are kept in
build/reliability: the next call continues there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import games
from games.core import Policy, Rng, State
from games.search.evaluation import chances
from games.search.playouts import shares_of
from games.search.policy import bot_of, playing_policy
from games.search.worlds import Worlds, worlds_of
from tools.campaigns.reliability_plot import svg_plots, text_plot

PLAYERS = 4
PLAYOUTS = {"dixiquote": 40}
OTHER_PLAYOUTS = 100
FOLDER = Path("build/reliability")
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
    path = _path(game.begin(players=PLAYERS, seed=match), bot_of(game, bot), rng)
    result, policy, playouts = shares_of(path[-1]), playing_policy(game), PLAYOUTS.get(name, OTHER_PLAYOUTS)
    found = Played(match, [], [])
    for place in range(positions):
        state = path[rng.below(len(path) // positions) + place * (len(path) // positions)]
        if (seat := state.actor) is None:
            continue
        true = chances(Worlds(lambda _, state=state: state), rng, playouts, policy)
        found.true.extend([said, won] for said, won in zip(true, result, strict=True))
        found.seen.append([chances(worlds_of(state, seat), rng, playouts, policy)[seat], result[seat]])
    return found


def _path(state: State, policy: Policy, rng: Rng) -> list[State]:
    """The states of a match in which every seat follows the policy from a world of its own."""
    path = [state]
    while pending := state.pending:
        state = policy(state.resample(pending[0], rng), pending[0], rng).on(state).next_state
        path.append(state)
    return path


def bins(guesses: Sequence[Guess]) -> list[Bin]:
    """The guesses in ten intervals of equal width; empty ones are left out."""
    groups: dict[int, list[Guess]] = {}
    for guess in guesses:
        groups.setdefault(min(BINS - 1, int(guess.said * BINS)), []).append(guess)
    return [_bin(groups[place]) for place in sorted(groups)]


def _bin(guesses: Sequence[Guess]) -> Bin:
    """The interval allows for guesses of one match that are won or lost together."""
    won, by_match = fmean(guess.won for guess in guesses), dict[int, float]()
    for guess in guesses:
        by_match[guess.match] = by_match.get(guess.match, 0.0) + guess.won - won
    error = sqrt(sum(value * value for value in by_match.values())) / len(guesses)
    return Bin(len(guesses), fmean(guess.said for guess in guesses), won, _NORMAL_95 * error)


def table(title: str, found: Sequence[Bin]) -> Iterator[str]:
    """A row for each interval."""
    yield f"| {title}: says | positions | won |"
    yield "|--:|--:|--:|"
    for one in found:
        yield f"| {one.said:.0%} | {one.number} | {one.won:.0%} ± {one.reach:.0%} |"
    yield ""


def results(path: Path) -> dict[int, Played]:
    """The matches kept in a file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {played.match: played for played in (Played(*json.loads(line)) for line in lines)}


def run(files: Mapping[str, Path], bot: str, matches: int, positions: int, jobs: int) -> None:
    """Play what is missing, and keep each result as soon as it is there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    done = {name: results(path) for name, path in files.items()}
    with ProcessPoolExecutor(jobs) as pool:
        playing = {
            pool.submit(partial(play, name, bot, positions), match): name
            for match in range(matches)
            for name in files
            if match not in done[name]
        }
        for number, future in enumerate(as_completed(playing), 1):
            with files[playing[future]].open("a", encoding="utf-8") as file:
                file.write(json.dumps(future.result()) + "\n")
            sys.stderr.write(f"\r{number} of {len(playing)} ")
            sys.stderr.flush()


def report(name: str, found: Mapping[int, Played], plots: dict[str, list[Bin]]) -> Iterator[str]:
    """The tables and plots of a game; `plots` gets what was drawn."""
    for kind in ("true state", "what a seat knew"):
        matches = [(one.match, one.true if kind == "true state" else one.seen) for one in found.values()]
        guesses = [Guess(match, said, won) for match, pairs in matches for said, won in pairs]
        title = f"{name}, {kind}, {len(found)} matches"
        plots[title] = bins(guesses)
        yield from table(title, plots[title])
        yield from text_plot(plots[title])


def main() -> None:
    """Read the command line, play, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", nargs="+", default=games.names(), choices=games.names())
    parser.add_argument("--bot", default="steady", help="who plays the matches")
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--positions", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--svg", type=Path, help="write the plots to this file")
    arguments = parser.parse_args()
    files = {name: FOLDER / f"{name}-{arguments.bot}.jsonl" for name in arguments.game}
    try:
        run(files, arguments.bot, arguments.matches, arguments.positions, arguments.jobs)
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
    plots: dict[str, list[Bin]] = {}
    for name, path in files.items():
        if found := results(path):
            sys.stdout.write("".join(f"{line}\n" for line in report(name, found, plots)))
    if arguments.svg:
        arguments.svg.write_text(svg_plots(plots), encoding="utf-8")


if __name__ == "__main__":
    main()
