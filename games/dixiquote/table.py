"""DixiQuote's table as a scene."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from games.core import View
from games.core.scene import (
    BAD,
    CHOICE,
    GOOD,
    PAST,
    QUIET,
    WINS,
    Column,
    Counter,
    Owns,
    Part,
    Player,
    Players,
    Quote,
    Row,
    Scene,
    Steps,
    Table,
    TextCard,
    Texts,
    Word,
)
from games.core.sentence import Does, Who, does
from games.dixiquote.drama import BEATS as BEATS
from games.dixiquote.drama import TITLES as TITLES
from games.dixiquote.drama import asked as asked
from games.dixiquote.drama import landings as landings
from games.dixiquote.drama import told as told

BY_TEXT = frozenset({"situation"})
SHOWN = frozenset({"deal", "draw", "own", "choose", "submit", "vote", "reveal", "card"})
"""Kinds of events that the table shows."""

_ROUND = (
    "The Storyteller says a quote for a situation of their hand. The others add situations that fit it,"
    " then vote for the one they take for the Storyteller's."
)
_SCORING = {
    "revised": (
        ("some of the votes, not all", "+1 to its owner"),
        ("all the votes", "-1 to its owner"),
        ("a vote for the Storyteller's card", "+1 to the voter"),
        ("two cards with votes, the Storyteller's is one", "+1 to the Storyteller"),
    ),
    "original": (
        ("some of the votes, not all", "+2 to its owner"),
        ("no vote", "+1 to its owner"),
        ("two cards with votes", "+3 to the Storyteller"),
    ),
}
_STRUCK = "no quote: the Storyteller was struck out"

Facts = Mapping[str, Any]


def table(view: View, own: Owns, names: tuple[str, ...]) -> Scene:
    """Scores, the quote and the situations; between rounds those of the round before, and the hands of those who choose."""
    parts: list[Part] = [Players(tuple(_player(view, seat) for seat in range(view["players"])), rank=1)]
    if view["quote"] is not None:
        parts.append(Quote(view["storyteller"], view["quote"], _STRUCK))
    if view["table"]:
        parts.append(_situations(view, own))
    elif view["history"]:
        parts += _last_round(view["history"][-1], 0 if view["winners"] else 3, PAST if view["quote"] is not None else "")
    parts += [_hand(seat, facts) for seat, facts in own.items() if _owes_a_card(view, seat)]
    return Scene(names, tuple(parts), _rules(view["scoring"]), tuple(view["scores"]), "Points")


def _player(view: View, seat: int) -> Player:
    wins, tells = seat in view["winners"], seat == view["storyteller"] and not view["winners"]
    score = Counter(view["scores"][seat], "point", view["target_score"])
    return Player(seat, WINS if wins else "", (Word("Storyteller", short="tells"),) if tells else (), (score,))


def _situations(view: View, own: Owns) -> Texts:
    """The situations of this round, with what may be known of their owners and votes."""
    owners = {facts[part]["id"]: seat for seat, facts in own.items() for part in ("chosen", "submitted") if facts[part]}
    landed = view.get("votes", {})
    votes = {seat: facts["vote"] for seat, facts in own.items()} | landed
    cards = tuple(
        TextCard(
            card["text"],
            card["id"],
            owners.get(card["id"]),
            tuple(sorted(seat for seat, vote in votes.items() if vote == card["id"])),
            has_votes=bool(landed),
            is_marked=owners.get(card["id"]) == view["storyteller"],
        )
        for card in view["table"]
    )
    return Texts(cards, title=("On the table",), use=CHOICE)


def _last_round(done: Facts, rank: int, use: str) -> Iterator[Part]:
    title = f"Round {done['round']}"
    if done["forfeited"]:
        struck = does(done["storyteller"], "was struck out.").pieces
        yield Steps((("", (f"{title} was forfeited: ", *struck)),), rank=rank, use=use)
        return
    yield Quote(done["storyteller"], done["quote"], _STRUCK, title=(title,), rank=rank, use=use)
    cards = tuple(
        TextCard(card["text"], "", card["owner"], tuple(card["votes"]), True, card["owner"] == done["storyteller"])
        for card in done["cards"]
    )
    yield Texts(cards, foot=(f"Points of round {done['round']}: ", *_points(done)), title=("Situations",), rank=rank, use=use)


def _points(done: Facts) -> Iterator[Who | Word | str]:
    for seat, gained in enumerate(done["points"]):
        yield "  " if seat else ""
        yield Who(seat)
        yield Word(f" {gained:+d}", GOOD if gained > 0 else BAD if gained < 0 else QUIET)
    yield Word("  (★ Storyteller)", QUIET)


def _owes_a_card(view: View, seat: int) -> bool:
    """Whether a seat chooses a card in this phase."""
    if view["table"] or view["winners"]:
        return False
    return bool(view["blind_quote"]) or (seat == view["storyteller"]) == (view["quote"] is None)


def _hand(seat: int, own: Facts) -> Texts:
    hand = [TextCard(card["text"], card["id"]) for card in own["hand"]]
    hand += [TextCard(own[part]["text"], own[part]["id"], note=part) for part in ("chosen", "submitted") if own[part]]
    return Texts(tuple(hand), seat, title=(Who(seat), Does(seat, "hold")), use=CHOICE, rank=4)


@cache
def _rules(scoring: str) -> tuple[Part, ...]:
    """A round and its scoring in short."""
    parts: tuple[Part, ...] = (Steps((("", (Word(_ROUND, QUIET),)),), title=("Be understood by some, not by all",)),)
    if rows := tuple(Row(((Word(what, QUIET),), (points,))) for what, points in _SCORING.get(scoring, ())):
        parts += (Table((Column(("A card with",), is_text=True), Column(("Points",))), rows),)
    return parts
