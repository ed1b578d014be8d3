"""Bots: what they see is a view, what they say is one of the answers they are offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.cat_in_the_box.board import COLOURS
from games.cat_in_the_box.questions import PARADOX_WORD
from games.cat_in_the_box.scoring import TWO_PLAYER_BONUS_UP_TO
from games.core import Answer, Policy, Rng, View, answering, random_policy

# What `steady` weighs against a trick won or avoided, which counts _TRICK.
_TRICK = 2.0
_DEAD_CARD = 3.0
_OPEN_CELL = 0.3
_X_TOKEN = 1.5
_NEIGHBOUR = 0.4


@answering
def follow(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """Follow the led colour when possible, bid the middle; anything otherwise."""
    if "bid" in answers[0]:
        return answers[len(answers) // 2]
    following = [answer for answer in answers if answer.get("play", "").split(" ")[0] == view["led_colour"]]
    return rng.choice(following or answers)


@answering
def steady(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """Bid by the strength of the hand, play to the bid, keep cards playable, build a group."""
    if "rank" in answers[0]:
        return _best(answers, lambda answer: _discard_worth(view, answer["rank"]), rng)
    if "bid" in answers[0]:
        expected = _expected_tricks(view)
        return _best(answers, lambda answer: -abs(answer["bid"] - expected), rng)
    if answers[0]["play"] == PARADOX_WORD:
        return answers[0]
    return _best(answers, lambda answer: _play_worth(view, *_cell(answer)), rng)


BOTS: Mapping[str, Policy] = {"random": random_policy, "follow": follow, "steady": steady}


def _best(answers: Sequence[Answer], worth: Callable[[Answer], float], rng: Rng) -> Answer:
    worths = [worth(answer) for answer in answers]
    best = max(worths)
    return rng.choice([answer for answer, value in zip(answers, worths, strict=True) if value == best])


def _cell(answer: Answer) -> tuple[str, int]:
    colour, rank = answer["play"].split()
    return colour, int(rank)


def _discard_worth(view: View, rank: int) -> float:
    """Many of a rank are hard to place; a card of the middle neither wins nor loses a trick for sure."""
    middle = (view["ranks"] + 1) / 2
    copies: int = view["own"]["hand"].count(rank)
    off_middle: float = abs(rank - middle) / middle
    return 2 * copies - off_middle


def _expected_tricks(view: View) -> float:
    """A fair share of the tricks, more or less as the hand is stronger or weaker than the deck."""
    hand, ranks = view["own"]["hand"], range(1, view["ranks"] + 1)
    strength = sum(rank**2 for rank in hand) / len(hand)
    usual = sum(rank**2 for rank in ranks) / len(ranks)
    expected: float = view["tricks"] / view["players"] * strength / usual
    return expected


def _play_worth(view: View, colour: str, rank: int) -> float:
    wish = 1.0 if _wants_tricks(view) else -1.0
    worth = _TRICK * wish * _chance_to_win(view, colour, rank)
    return worth + _room_after(view, colour, rank) + _NEIGHBOUR * _neighbours(view, colour, rank)


def _wants_tricks(view: View) -> bool:
    seat = view["seat"]
    bid = view["bids"][seat] or TWO_PLAYER_BONUS_UP_TO
    return bool(view["tricks_won"][seat] < bid)


def _chance_to_win(view: View, colour: str, rank: int) -> float:
    """How likely the play takes the trick: surely or never for the last player, a guess by what could still beat it before."""
    led = view["led_colour"] or colour
    strength = _strength(colour, rank, led)
    if strength < max((_strength(play["colour"], play["rank"], led) for play in view["trick"]), default=0):
        return 0.0
    to_come = view["players"] - len(view["trick"]) - 1
    beating = [
        cell
        for row in COLOURS
        for cell, holder in enumerate(view["board"][row], 1)
        if holder is None and _strength(row, cell, led) > strength
    ]
    return float((1 - len(beating) / (2 * view["ranks"])) ** to_come)


def _strength(colour: str, rank: int, led: str) -> int:
    return 20 + rank if colour == "red" else rank if colour == led else 0


def _room_after(view: View, colour: str, rank: int) -> float:
    """What is left to play after the play: cards that fit nowhere are a paradox to come."""
    own, led = view["own"], view["led_colour"]
    lost: str | None = led if colour != led and led in view["x_tokens"][view["seat"]] else None
    hand: list[int] = list(own["hand"])
    hand.remove(rank)
    ranks_open: list[list[int]] = [ranks for row, ranks in own["declarable"].items() if row != lost]
    room = {held: sum(held in ranks for ranks in ranks_open) - (held == rank) for held in set(hand)}
    dead = sum(max(0, hand.count(held) - cells) for held, cells in room.items())
    return _OPEN_CELL * sum(room[held] for held in hand) - _DEAD_CARD * dead - _X_TOKEN * (lost is not None)


def _neighbours(view: View, colour: str, rank: int) -> int:
    """How many of the four cells around are already the player's own."""
    board, seat, row = view["board"], view["seat"], COLOURS.index(colour)
    across = [board[COLOURS[other]][rank - 1] for other in (row - 1, row + 1) if 0 <= other < len(COLOURS)]
    along = [board[colour][other - 1] for other in (rank - 1, rank + 1) if 1 <= other <= view["ranks"]]
    return (across + along).count(seat)
