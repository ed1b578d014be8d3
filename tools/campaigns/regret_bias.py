"""How far regrets of reviews are off: decisions of mixed tables at the default playouts, against many more worlds.

`python -m tools.campaigns.regret_bias [--decisions N] [--seeds N] [--worlds N] [GAME...]` prints a row for each game. The
players of a match are `bot:steady` with 0, 10, 30 or 60 % of its moves at random; one decision of a match is graded. Its true
regret is that against the better of the two best alternatives of a long race, in further worlds; 0 where neither is better.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from math import hypot
from statistics import fmean, stdev
from typing import NamedTuple

import games
from games.core import Action, Game, Rng
from games.core.policy import noisy
from games.search.comparison import Comparison, PairedComparison, compared
from games.search.evaluation import evaluating
from games.search.grading import default_playouts, is_gradable
from games.search.policy import playing_policy
from games.search.steps import finished
from games.search.worlds import worlds_of

_CARELESS = (0.0, 0.1, 0.3, 0.6)
_RACE = 3
"""The playouts of the long race, as a multiple of the default."""


class Measured(NamedTuple):
    """A decision: its true regret with the standard error, and what reviews with several seeds say."""

    regret: float
    error: float
    found: list[PairedComparison]


def decisions(game: Game) -> Iterator[Action]:
    """One decision of each match of three, then four players."""
    for seed in range(1, sys.maxsize):
        rng = Rng.of("regret bias", game.name, seed)
        state, found = game.begin(players=3 + seed % 2, seed=seed), list[Action]()
        bots = [noisy(rng.choice(_CARELESS))(playing_policy(game)) for _ in range(state.setup.players)]
        while not state.has_ended:
            action = bots[state.pending[0]](state, state.pending[0], rng)
            found += [action] if is_gradable(state, action.seat) else []
            state = action.next_state
        yield rng.choice(found)


def measured(action: Action, number: int, seeds: int, worlds: int) -> Measured:
    """A decision measured both ways."""
    state, policy, playouts = (
        action.state,
        playing_policy(action.state.game),
        default_playouts(games.load(action.state.game.name)),
    )
    drawn = worlds_of(state, action.seat, is_adapting=True)
    race = finished(evaluating(drawn, state.actions_of(action.seat), Rng.of("long", number), _RACE * playouts, policy))
    rivals = [grade.action for grade in race.grades if grade.action != action][:2]
    best, rng = Comparison(action, rivals), Rng.of("truth", number)
    for _ in range(worlds):
        best.play(drawn, rng, policy, with_usual=False)
    apart = map(best.differences, range(len(rivals)))
    truth = [(0.0, 0.0), *((fmean(one), stdev(one) / worlds**0.5) for one in apart)]
    found = [compared(state, action, policy, playouts, "regret bias", number, seed) for seed in range(seeds)]
    return Measured(*max(truth), found)


def row(game: Game, found: list[Measured]) -> str:
    """What is off, in points of the win, with 95 % intervals over decisions, and how many intervals of regrets hold the true
    one, given the error of that."""
    off = [100 * (fmean(one.regret for one in each.found) - each.regret) for each in found]
    plain = [100 * (fmean(max(0.0, one.behind) for one in each.found) - each.regret) for each in found]
    each_one = [(each, one) for each in found for one in each.found]
    true, error = 100 * fmean(each.regret for each in found), 100 * fmean(one.regret_error for _, one in each_one)
    held = fmean(abs(one.regret - each.regret) <= 1.96 * hypot(one.regret_error, each.error) for each, one in each_one)
    told = [f"{fmean(values):+.2f} ± {1.96 * stdev(values) / len(values) ** 0.5:.2f}" for values in (off, plain)]
    return f"| {game.title} | {len(found)} | {true:.1f} | {error:.1f} | {' | '.join(told)} | {held:.0%} |\n"


def main(words: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.regret_bias", description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=["coup", "cat_in_the_box", "oriflamme"])
    parser.add_argument("--decisions", type=int, default=40, help="decisions of each game (40)")
    parser.add_argument("--seeds", type=int, default=10, help="reviews of each decision (10)")
    parser.add_argument("--worlds", type=int, default=3000, help="worlds of each true difference (3000)")
    given = parser.parse_args(words)
    sys.stdout.write(
        "| game | decisions | mean regret | error | `regret` off | `given_up` off | held |\n|---|--:|--:|--:|--:|--:|--:|\n"
    )
    for game in map(games.load, given.games):
        some = enumerate(islice(decisions(game), given.decisions))
        sys.stdout.write(row(game, [measured(action, number, given.seeds, given.worlds) for number, action in some]))
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
