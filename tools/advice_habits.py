"""Habits: how one seat departs from `bot:steady`, for the figures behind the advice in the built-in prompts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from games.core import Answer, View, seat_name

Habit = Callable[[View, Sequence[Answer]], Answer | None]
"""An answer that replaces that of `bot:steady`, or None for the same."""


def _unchanged(view: View, answers: Sequence[Answer]) -> Answer | None:
    return None


# -- Coup ----------------------------------------------------------------------------------------------------------------


def _claims(view: View, action: str, answers: Sequence[Answer]) -> Answer | None:
    """The action, unless a coup can be paid."""
    if "action" not in answers[0] or any(answer.get("action") == "coup" for answer in answers):
        return None
    return next((answer for answer in answers if answer["action"] == action), None)


def _responds(view: View, answers: Sequence[Answer], word: str) -> Answer | None:
    return next((answer for answer in answers if str(answer.get("response", "")).startswith(word)), None)


def _seen(view: View, character: str) -> int:
    return int([*view["own"]["cards"], *chain.from_iterable(view["revealed"])].count(character))


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
    "no change": _unchanged,
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
    "no change": _unchanged,
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


def _following(view: View, answers: Sequence[Answer]) -> Answer | None:
    led = view.get("led_colour")
    found = [answer for answer in answers if led and str(answer.get("play", "")).startswith(str(led))]
    return min(found, key=lambda answer: str(answer["play"])) if found else None


CAT_HABITS: dict[str, Habit] = {
    "no change": _unchanged,
    **{f"always bids {number}": _bids(number) for number in (1, 2, 3, 4)},
    "discards from the rank held most often": _discards(most=True),
    "discards a single card": _discards(most=False),
    "never gives up an X-token while it can follow": _following,
}
