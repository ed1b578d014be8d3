"""Whether exams predict whole matches: what known players lose against `bot:steady` in both, at three kinds of table.

`python -m tools.campaigns.exam_validity [--decisions N] [--pairs N] [--tables TABLE...] [--games GAME...]`. A player is
steady with a part of its moves at random, a bluffer, or a search. The exam grades its answers and those of steady at the same
positions. Whole matches put both into the same seat of the same deal, beside opponents that are steady, search, or are of
mixed strength. Intervals are at 95 %, normal.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import games
from games.core import Action, Policy, Rng, State, random_policy
from games.core.claim import no_claim
from games.search.drawing import Drawing, Drawn
from games.search.playouts import shares_of
from games.search.policy import playing_policy, search_policy
from runner.digest import code_of
from runner.worker_processes import in_order

PLAYERS, SEARCH = 3, 50
GAMES = ("coup", "oriflamme", "cat_in_the_box")
CARELESS = (0.05, 0.15, 0.3)
TABLES = ("steady", "search", "mixed")
_FEWER = 10
"""How many times fewer pairs are played where a seat searches."""


def careless(part: float, steady: Policy) -> Policy:
    def decide(state: State, seat: int, rng: Rng) -> Action:
        return (random_policy if rng.random() < part else steady)(state, seat, rng)

    return decide


def bluffer(steady: Policy) -> Policy:
    """Steady, but for a false claim in half of the decisions where there is one."""

    def decide(state: State, seat: int, rng: Rng) -> Action:
        claim = games.load(state.game.name).claim
        made = [(one, claim(state, seat, one.to_json())) for one in state.actions_of(seat)]
        false = [one for one, claimed in made if claimed is not None and not claimed.is_true]
        return rng.choice(false) if false and rng.random() < 0.5 else steady(state, seat, rng)

    return decide


def known_players(game: str) -> Mapping[str, Policy]:
    """The players that are examined, beside steady."""
    found = games.load(game)
    steady = playing_policy(found)
    players = {f"{part:.0%} at random": careless(part, steady) for part in CARELESS}
    if found.claim is not no_claim:
        players["bluffer"] = bluffer(steady)
    return {**players, f"search:{SEARCH}": search_policy(SEARCH, steady)}


def table(game: str, kind: str, rng: Rng) -> list[Policy]:
    """The opponents at a table."""
    steady = playing_policy(games.load(game))
    of: Mapping[str, Callable[[], Policy]] = {
        "steady": lambda: steady,
        "search": lambda: search_policy(SEARCH, steady),
        "mixed": lambda: careless(rng.choice((0.0, 0.1, 0.3, 0.6)), steady),
    }
    return [of[kind]() for _ in range(PLAYERS)]


def examined(drawing: Drawing, match: int) -> tuple[bool, list[float]]:
    """Whether a match had a candidate, and the weighted losses of all players there beyond those of steady; none if it was
    passed over."""
    drawn = drawing.draw(match, drawing.steps(match))
    return (bool(drawn), []) if isinstance(drawn, bool) else (True, [*_losses(drawing.begin.game.name, drawn, match)])


def _losses(game: str, drawn: Drawn, match: int) -> Iterator[float]:
    state, seat, _ = drawn.candidate
    losses = {repr(one.answer): one.loss for one in drawn.answers}
    world, steady = state.resample(seat, Rng.of("world", match)), playing_policy(games.load(game))
    usual = losses[repr(steady(world, seat, Rng.of("player", match)).to_json())]
    for policy in known_players(game).values():
        loss = losses[repr(policy(world, seat, Rng.of("player", match)).to_json())]
        yield max(-1.0, min(1.0, drawn.weight * (loss - usual)))


def ended(game: str, kind: str, name: str, pair: int) -> float:
    """The share of the win of a player in one seat of one deal at a table of a kind."""
    steady, seat = playing_policy(games.load(game)), pair % PLAYERS
    state = games.load(game).begin(PLAYERS, Rng.of("deal", pair).word >> 1)
    bots, rng = table(game, kind, Rng.of("table", pair)), Rng.of("moves", pair)
    bots[seat] = known_players(game).get(name, steady)
    while not state.has_ended:
        state = bots[state.pending[0]](state, state.pending[0], Rng(rng.next())).next_state
    return shares_of(state)[seat]


def shares(game: str, kind: str, name: str, pairs: int) -> list[float]:
    """What a player wins on the first deals, fewer where a seat searches."""
    number = max(2, pairs // (_FEWER if "search" in (kind, name[:6]) else 1))
    return [*in_order(partial(ended, game, kind, name), range(number), 8)]


def figures(values: Sequence[float], scale: float = 1.0) -> str:
    mean = sum(values) / len(values)
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1) / len(values))
    return f"{100 * scale * mean:+.1f} ± {196 * scale * error:.1f}"


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def report(game: str, decisions: int, pairs: int, tables: Sequence[str]) -> None:
    drawing = Drawing(games.load(game).begin(PLAYERS), 1)
    most, each = drawing.pilot()
    values, found = list[list[float]](), 0
    names = [*known_players(game)]
    for was_candidate, losses in in_order(partial(examined, replace(drawing, most=most)), range(100_000), 4):
        found += bool(losses)
        if was_candidate:
            values.append(losses or [0.0] * len(names))
        if found == decisions:
            break
    code = code_of(game)[:12]
    say(f"\n{game}, {PLAYERS} players, {decisions} decisions, {each:.1f} a match, code {code}: points of the win a match")
    say(f"{'player':<16}{'exam':>16}" + "".join(f"{f'{kind} table':>18}" for kind in tables))
    steady = {kind: shares(game, kind, "steady", pairs) for kind in tables}
    for place, name in enumerate(names):
        row = [figures([value[place] for value in values], each)]
        for kind in tables:
            own = shares(game, kind, name, pairs)
            row.append(figures([usual - share for usual, share in zip(steady[kind], own, strict=False)]))
        say(f"{name:<16}{row[0]:>16}" + "".join(f"{text:>18}" for text in row[1:]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--decisions", type=int, default=800)
    parser.add_argument("--pairs", type=int, default=4000)
    words = parser.parse_args()
    for game in words.games:
        report(game, words.decisions, words.pairs, words.tables)


if __name__ == "__main__":
    from tools.campaigns import exam_validity  # by this name other processes find its functions

    exam_validity.main()
