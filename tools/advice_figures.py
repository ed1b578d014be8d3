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
from games.core import Answer, Event, Rng, State, View, counted, seat_name
from games.dixiquote.options import DixiQuoteOptions
from games.dixiquote.scoring import round_points

Habit = Callable[[View, Sequence[Answer]], Answer | None]
"""An answer that replaces that of `bot:steady`, or None for the same."""

MATCHES = 1000


def main(names: Sequence[str]) -> None:
    """Print the figures of the games, or of all."""
    for name in names or FIGURES:
        print(f"# {games.load(name).title}")
        for line in FIGURES[name]():
            print(line, flush=True)


def played(name: str, players: int, seed: int, habit: Habit | None = None) -> State:
    """A match between steady bots, in which one seat, which changes with the seed, has a habit."""
    game = games.load(name)
    state, number = game.begin(players=players, seed=seed), 0
    while not state.has_ended:
        seat = state.pending[0]
        view, answers = state.view(seat), [action.to_json() for action in state.actions_of(seat)]
        found = habit(view, answers) if habit and seat == seed % players else None
        answer = game.bots["steady"](view, answers, Rng.of("advice", seed, number)) if found is None else found
        state, number = state.read(seat, answer).next_state, number + 1
    return state


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


def _claims(view: View, action: str, answers: Sequence[Answer]) -> Answer | None:
    """The action, unless a coup can be paid."""
    if "action" not in answers[0] or any(answer.get("action") == "coup" for answer in answers):
        return None
    return next((answer for answer in answers if answer["action"] == action), None)


def _responds(view: View, answers: Sequence[Answer], word: str) -> Answer | None:
    return next((answer for answer in answers if str(answer.get("response", "")).startswith(word)), None)


def _seen(view: View, character: str) -> int:
    return int([*view["own"]["cards"], *sum(view["revealed"], [])].count(character))


def _challenges_at(least: int) -> Habit:
    """Challenges a claim exactly when this many cards of the character are in sight."""

    def habit(view: View, answers: Sequence[Answer]) -> Answer | None:
        if {"response": "challenge"} not in answers:
            return None
        stake = view["stake"]
        doubtful = _seen(view, stake["block"] or stake["claim"]) >= least
        return {"response": "challenge" if doubtful else "pass"}

    return habit


def _calls_contessa(last: bool) -> Habit:
    """Blocks every assassination, with the last influence or with the first one."""

    def habit(view: View, answers: Sequence[Answer]) -> Answer | None:
        is_last = len(view["own"]["cards"]) == 1
        return _responds(view, answers, "block as Contessa") if is_last == last else None

    return habit


def _aims(at_leader: bool) -> Habit:
    """Aims a coup at the opponent with the most influences and coins, or with the fewest."""

    def habit(view: View, answers: Sequence[Answer]) -> Answer | None:
        coups = [answer for answer in answers if answer.get("action") == "coup"]
        strength = {seat_name(seat): (size, view["coins"][seat]) for seat, size in enumerate(view["hand_sizes"])}
        ordered = sorted(coups, key=lambda answer: strength[answer["target"]], reverse=at_leader)
        return ordered[0] if ordered else None

    return habit


def _honest(view: View, answers: Sequence[Answer]) -> Answer | None:
    """Takes income instead of a claim that is a bluff."""
    if "action" not in answers[0] or any(answer.get("action") == "coup" for answer in answers):
        return None
    for action, character in (("assassinate", "Assassin"), ("tax", "Duke"), ("steal", "Captain")):
        if character in view["own"]["cards"] and (found := _claims(view, action, answers)):
            return None if action != "tax" else found
    return {"action": "income", "target": "none"}


COUP_HABITS: dict[str, Habit] = {
    "no change": lambda view, answers: None,
    "never bluffs an action": _honest,
    "Tax in every turn without a coup": lambda view, answers: _claims(view, "tax", answers),
    "Steal in every turn without a coup": lambda view, answers: _claims(view, "steal", answers),
    "Income in every turn without a coup": lambda view, answers: _claims(view, "income", answers),
    "challenges every claim": _challenges_at(0),
    "challenges with 1 card in sight": _challenges_at(1),
    "challenges with 2 cards in sight": _challenges_at(2),
    "challenges with 3 cards in sight": _challenges_at(3),
    "never challenges": _challenges_at(4),
    "claims Contessa with the last influence": _calls_contessa(last=True),
    "claims Contessa with two influences": _calls_contessa(last=False),
    "coups the strongest opponent": _aims(at_leader=True),
    "coups the weakest opponent": _aims(at_leader=False),
    "claims Duke against every Foreign Aid": lambda view, answers: _responds(view, answers, "block as Duke"),
}


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
        answers = [action.to_json() for action in state.actions_of(seat)]
        state = state.read(seat, bot(state.view(seat), answers, Rng.of("advice", seed, number))).next_state
        number += 1
        yield from state.events


def _current(view: View) -> dict[str, object]:
    card: dict[str, object] = view["queue"][view["pointer"] - 1][0]
    return card


def _reveals(when: Callable[[View, str], bool]) -> Habit:
    """Reveals a hidden card when a rule says so, and keeps it hidden otherwise."""

    def habit(view: View, answers: Sequence[Answer]) -> Answer | None:
        if {"choice": "reveal"} not in answers:
            return None
        return {"choice": "reveal" if when(view, str(_current(view)["card"])) else "keep"}

    return habit


def _holds(kind: str, until: int) -> Habit:
    """Keeps one card hidden until a round, and reveals it there."""

    def habit(view: View, answers: Sequence[Answer]) -> Answer | None:
        if {"choice": "reveal"} not in answers or _current(view)["card"] != kind:
            return None
        return {"choice": "reveal" if view["round"] >= until else "keep"}

    return habit


_INTRIGUES = ("Conspiracy", "Ambush", "Assassination", "Royal Decree")


def _places(order: Sequence[str], where: str) -> Habit:
    """Places the first card of the order that is in hand, else any other, and never on a card."""

    def habit(view: View, answers: Sequence[Answer]) -> Answer | None:
        found = [answer for answer in answers if answer.get("place") == where]
        places = {kind: place for place, kind in enumerate(order)}
        return min(found, key=lambda answer: places.get(answer["card"], len(places)), default=None)

    return habit


_SCORERS, _ATTACKERS = ("Heir", "Lord", "Spy"), ("Archer", "Soldier")

ORIFLAMME_HABITS: dict[str, Habit] = {
    "no change": lambda view, answers: None,
    "reveals every card at once": _reveals(lambda view, kind: True),
    "reveals every card in the last round only": _reveals(lambda view, kind: view["round"] == view["rounds"]),
    "reveals characters at once, intrigues late": _reveals(
        lambda view, kind: kind not in ("Conspiracy", "Ambush", "Assassination", "Royal Decree") or view["round"] >= 5
    ),
    **{f"reveals Conspiracy from round {until} on": _holds("Conspiracy", until) for until in (3, 4, 5, 6)},
    **{
        f"places {words} first, at the {where}": _places(order, where)
        for words, order in {
            "attackers, then scorers": (*_ATTACKERS, *_SCORERS, "Shapeshifter"),
            "scorers, then attackers": (*_SCORERS, *_ATTACKERS, "Shapeshifter"),
            "the Conspiracy, then characters": ("Conspiracy", *_ATTACKERS, *_SCORERS),
            "intrigues": _INTRIGUES,
        }.items()
        for where in ("front", "back")
    },
}


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


def _bids(number: int) -> Habit:
    return lambda view, answers: {"bid": number} if {"bid": number} in answers else None


def _discards(most: bool) -> Habit:
    """Discards a card of the rank held most often, or a single one."""

    def habit(view: View, answers: Sequence[Answer]) -> Answer | None:
        if "rank" not in answers[0]:
            return None
        hand: list[int] = view["own"]["hand"]
        return (max if most else min)(answers, key=lambda answer: hand.count(answer["rank"]))

    return habit


CAT_HABITS: dict[str, Habit] = {
    "no change": lambda view, answers: None,
    **{f"always bids {number}": _bids(number) for number in (1, 2, 3, 4)},
    "discards from the rank held most often": _discards(most=True),
    "discards a single card": _discards(most=False),
    "never gives up an X-token while it can follow": lambda view, answers: _following(view, answers),
}


def _following(view: View, answers: Sequence[Answer]) -> Answer | None:
    led = view.get("led_colour")
    found = [answer for answer in answers if led and str(answer.get("play", "")).startswith(str(led))]
    return min(found, key=lambda answer: str(answer["play"])) if found else None


# -- DixiQuote -----------------------------------------------------------------------------------------------------------


def dixiquote() -> Iterator[str]:
    """The Storyteller's expected points, when each voter recognises the card with the same probability."""
    for scoring in ("revised", "original"):
        options = DixiQuoteOptions(scoring=scoring)
        for players in (3, 4, 5, 6, 8):
            expected = {chance: _expected(players, chance / 20, options) for chance in range(21)}
            best = max(expected, key=lambda chance: expected[chance])
            some = ", ".join(f"{chance * 5} %: {expected[chance]:+.2f}" for chance in (0, 4, 8, 12, 16, 20))
            yield f"{scoring}, {players} players: best at {best * 5} % ({expected[best]:+.2f}); {some}"


def _expected(players: int, chance: float, options: DixiQuoteOptions) -> float:
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
