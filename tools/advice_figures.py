"""The figures behind the advice in the built-in prompts: `python -m tools.advice_figures [GAME...]`.

Counts come from the rules engine: the share of matches that one seat wins when it changes one habit of `bot:steady` and the
other seats do not, and what happened in these matches. They hold against such players, and say which way a habit points.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import Any

import games
from games.core import Answer, Event, Rng, State, counted
from games.dixiquote.options import Options
from games.dixiquote.scoring import round_points
from tools.advice_habits import CAT_HABITS, COUP_HABITS, ORIFLAMME_HABITS, Habit

MATCHES = 1000


def main(names: Sequence[str]) -> None:
    """Print the figures of the games, or of all."""
    for name in names or FIGURES:
        sys.stdout.write(f"# {games.load(name).title}\n")
        for line in FIGURES[name]():
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


def played(name: str, players: int, seed: int, habit: Habit | None = None) -> State:
    """A match between steady bots, in which one seat, which changes with the seed, has a habit."""
    game = games.load(name)
    state, number = game.begin(players=players, seed=seed), 0
    while not state.has_ended:
        seat = state.pending[0]
        found = _by_habit(habit, state, seat) if habit and seat == seed % players else None
        action = game.bots["steady"](state, seat, Rng.of("advice", seed, number)) if found is None else state.read(seat, found)
        state, number = action.next_state, number + 1
    return state


def _by_habit(habit: Habit, state: State, seat: int) -> Answer | None:
    return habit(state.view(seat), [action.to_json() for action in state.actions_of(seat)])


def shares(name: str, players: int, habits: Mapping[str, Habit]) -> Iterator[str]:
    """The share of the wins of a seat with each habit; an equal share is 1 divided by the players."""
    for words, habit in habits.items():
        won = 0.0
        for seed in range(MATCHES):
            winners = played(name, players, seed, habit).winners
            won += (seed % players in winners) / len(winners)
        share = won / MATCHES
        error = (share * (1 - share) / MATCHES) ** 0.5
        yield f"{players} players, {words}: wins {share:.1%} ± {1.96 * error:.1%} (equal: {1 / players:.1%})"


def _portions(found: Mapping[Any, int]) -> str:
    total = sum(found.values())
    return ", ".join(f"{value} {count / total:.0%}" for value, count in sorted(found.items()))


# -- Coup ----------------------------------------------------------------------------------------------------------------


def coup() -> Iterator[str]:
    """How likely a hand holds a character, and habits."""
    for cards in (2, 1):
        for seen in range(3):
            others = 13
            held = 1 - comb(others - (3 - seen), cards) / comb(others, cards)
            yield f"{cards} face-down cards hold a character of which you see {seen}, with 13 cards unseen: {held:.0%}"
    yield from shares("coup", 4, COUP_HABITS)


# -- Oriflamme -----------------------------------------------------------------------------------------------------------


def oriflamme() -> Iterator[str]:
    """The fate of hidden cards by their tokens, the points that cards bring, and habits."""
    fates: dict[int, Counter[str]] = {}
    brought: Counter[str] = Counter()
    reveals: Counter[str] = Counter()
    for seed in range(MATCHES // 2):
        for event in _events(seed):
            if event.kind in ("kept", "revealed") or (event.kind == "eliminated" and "hidden card" in event.text):
                fates.setdefault(event.data["tokens"] - (event.kind == "kept"), Counter())[event.kind] += 1
            if event.kind in ("revealed", "gained", "eliminated", "spied"):
                brought[event.data.get("card", "Spy")] += event.data["points"]
            reveals.update([event.data["card"]] if event.kind == "revealed" else [])
    for tokens, found in sorted(fates.items()):
        yield f"a hidden card with {counted(tokens, 'token')}: {_portions(found)}"
    for kind, times in sorted(reveals.items()):
        yield f"{kind}: {brought[kind] / times:.1f} points each time it is revealed, copies of it included"
    yield from shares("oriflamme", 4, ORIFLAMME_HABITS)


def _events(seed: int) -> Iterator[Event]:
    """The events of a match of four steady bots."""
    bot, state, number = games.load("oriflamme").bots["steady"], games.load("oriflamme").begin(players=4, seed=seed), 0
    while not state.has_ended:
        seat = state.pending[0]
        state = bot(state, seat, Rng.of("advice", seed, number)).next_state
        number += 1
        yield from state.events


# -- Cat in the Box ------------------------------------------------------------------------------------------------------


def cat_in_the_box() -> Iterator[str]:
    """Tricks won by bid, paradoxes by copies held, and habits."""
    for players in (3, 4, 5):
        bids: Counter[tuple[int, bool]] = Counter()
        rounds = paradoxes = 0
        tricks: Counter[int] = Counter()
        bonus: Counter[int] = Counter()
        for seed in range(MATCHES // 2):
            for done in played("cat_in_the_box", players, seed).view(None)["results"]:
                rounds += 1
                paradoxes += done["paradox"] is not None
                for bid, won in zip(done["bids"], done["tricks_won"], strict=True):
                    bids[bid, bid == won] += 1
                    tricks[won] += 1
                bonus.update(gain for gain in done["bonus"] if gain)
        yield f"{players} players: a paradox ends {paradoxes / rounds:.0%} of rounds"
        yield f"{players} players: tricks won {_portions(tricks)}; bonus {_portions(bonus)}"
        for bid in sorted({bid for bid, _ in bids}):
            yield f"{players} players: a bid of {bid} is met {bids[bid, True] / (bids[bid, True] + bids[bid, False]):.0%}"
    yield from shares("cat_in_the_box", 4, CAT_HABITS)


# -- DixiQuote -----------------------------------------------------------------------------------------------------------


def dixiquote() -> Iterator[str]:
    """The Storyteller's expected points, when each voter recognises the card with the same probability."""
    for scoring in ("revised", "original"):
        options = Options(scoring=scoring)
        for players in (3, 4, 5, 6, 8):
            expected = {chance: _expected(players, chance / 20, options) for chance in range(21)}
            best = max(expected, key=lambda chance: expected[chance])
            some = ", ".join(f"{chance * 5} %: {expected[chance]:+.2f}" for chance in (0, 4, 8, 12, 16, 20))
            yield f"{scoring}, {players} players: best at {best * 5} % ({expected[best]:+.2f}); {some}"


def _expected(players: int, chance: float, options: Options) -> float:
    """The mean over how many of the voters recognise the card; the others all choose the same other card they may."""
    voters = players - 1
    total = 0.0
    for right in range(voters + 1):
        votes = [None, *(0 if voter < right else 1 + (voter + 1) % voters for voter in range(voters))]
        points = round_points(0, {card: card for card in range(players)}, tuple(votes), options)
        total += comb(voters, right) * chance**right * (1 - chance) ** (voters - right) * points[0]
    return total


FIGURES: dict[str, Callable[[], Iterator[str]]] = {
    "cat_in_the_box": cat_in_the_box,
    "coup": coup,
    "dixiquote": dixiquote,
    "oriflamme": oriflamme,
}

if __name__ == "__main__":
    main(sys.argv[1:])
