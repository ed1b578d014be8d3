"""Votes and cards that a good player can judge: a review with `bot:steady` finds the right one best, for the reason beside it.

The round is the last of a match of four. P-0 is the Storyteller, P-1 votes or submits; the others hold any cards.
"""

from __future__ import annotations

import pytest

import games
from games.core import Rng, State, decks
from games.dixiquote.phases import SUBMIT, VOTE
from games.search.evaluation import evaluate

GAME = games.load("dixiquote")
PLAYOUTS = 300
NUMBERS = {card["id"]: number for number, card in enumerate(decks.load("situations")["cards"])}


def asked(phase: int, quote: str, cards: str) -> State:
    """P-1 is to vote for one of the first three cards, the fourth is its own; or to submit one of six."""
    named = tuple(NUMBERS[card] for card in cards.split())
    begun = GAME.begin(4, 1, max_rounds=1)
    rest = [number for number in NUMBERS.values() if number not in named]
    if phase == VOTE:
        shown = (named[0], named[3], named[1], named[2])
        hands = tuple((card, *rest[5 * seat : 5 * seat + 5]) for seat, card in enumerate(shown))
        return begun._replace(
            phase_id=VOTE, pending=(1, 2, 3), quote=quote, submitted=shown, table=named, hands=hands, deck=tuple(rest[20:])
        )
    hands = (tuple(rest[:6]), named, tuple(rest[6:12]), tuple(rest[12:18]))
    chosen = (rest[0], None, None, None)
    return begun._replace(phase_id=SUBMIT, pending=(1, 2, 3), quote=quote, submitted=chosen, hands=hands, deck=tuple(rest[18:]))


VOTES: dict[str, tuple[str, str, str]] = {
    "ashes that start over are a phoenix": ("Start over, said the ashes.", "fan-12 sur-02 his-04 sci-07", "fan-12"),
    "a place is laid for those who left": (
        "A place was laid for someone I used to be.",
        "his-13 sci-02 fan-03 sur-06",
        "sci-02",
    ),
    "the debt finds whoever owes it": ("What you owe will learn your address.", "sci-05 fan-14 his-20 sur-15", "sci-05"),
    "a twin does it properly": ("Somewhere a twin of mine is doing this properly.", "his-10 sur-03 fan-10 sci-04", "sur-03"),
    "lost in the right place is the wrong hill": (
        "Wrong is often the quickest way there.",
        "his-04 fan-16 sur-19 sci-03",
        "his-04",
    ),
    "a crown is measured from the inside": ("Crowns are measured from the inside.", "sci-10 his-18 sur-05 fan-02", "his-18"),
    "a pause can be loudest": ("The loudest part of the day was the pause.", "sur-19 his-15 fan-06 sci-18", "sur-19"),
    "whoever promised is needed now": (
        "An oath is only breath until somebody needs it.",
        "sci-19 his-04 sur-11 sci-20",
        "sci-19",
    ),
    "an edge one has to step over": ("There is always one more sill to step over.", "sur-08 his-02 fan-05 sci-09", "sur-08"),
    "a prize may be heavier than the race": (
        "The prize was heavier than the race.",
        "sur-12 fan-09 his-07 sci-17",
        "sur-12",
    ),
    "what was said long ago arrives": ("Yesterday is still on its way.", "sci-16 his-13 sur-08 fan-06", "sci-16"),
    "small light in the dark": ("Even a small flame makes its own dark.", "fan-04 sur-15 his-16 sci-12", "sur-15"),
}
"""By reason the quote, four cards of which the last is the own one, and the right vote."""

CARDS: dict[str, tuple[str, str, str]] = {
    "blood remembers: a curse of the family": (
        "Blood remembers what was never taught.",
        "fan-06 sur-04 sci-07 his-01 sur-16 sci-15",
        "fan-06",
    ),
    "who has no name yet": (
        "A stranger is a word nobody has tried yet.",
        "his-10 sci-03 fan-03 sur-06 his-14 sci-20",
        "sci-03",
    ),
    "a passenger who does not leave": ("Going is the easy half.", "his-13 sur-15 his-15 fan-18 sci-18 sur-19", "his-15"),
    "a letter that its writer does not end": (
        "Every letter is sent to who you were.",
        "sur-01 fan-01 his-12 sci-20 sur-16 his-10",
        "his-12",
    ),
    "a lamp is lit at night": (
        "The brightest hour belongs to the moths.",
        "his-05 sur-10 fan-02 sci-19 his-17 sur-07",
        "his-05",
    ),
    "who commands is alone on the last night": (
        "To command is to be alone in company.",
        "sur-13 his-14 fan-10 sci-05 sur-11 fan-16",
        "his-14",
    ),
    "the actor stays in the part": (
        "We wore one mask so long that it needed shaving.",
        "sur-17 his-20 fan-13 sci-08 his-09 fan-20",
        "sur-17",
    ),
    "a bargain that the family of the buyer pays": (
        "Everything is paid for, though rarely by the buyer.",
        "sur-04 fan-19 his-19 sci-20 sur-16 his-13",
        "fan-19",
    ),
}
"""By reason the quote, the hand, and the right card."""

JUDGED = [*((VOTE, reason, *one) for reason, one in VOTES.items()), *((SUBMIT, reason, *one) for reason, one in CARDS.items())]


@pytest.mark.parametrize(("phase", "reason", "quote", "cards", "right"), JUDGED, ids=[f"{n}" for n in range(len(JUDGED))])
def test_the_right_answer_is_found_best(phase: int, reason: str, quote: str, cards: str, right: str) -> None:
    best = evaluate(asked(phase, quote, cards), 1, Rng(1), PLAYOUTS, GAME.bots["steady"]).grades[0]
    assert best.action.to_json() == {"card": right}, reason
