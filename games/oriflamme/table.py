"""Oriflamme's table as a scene."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from games.core import View
from games.core.scene import (
    ACTIVE,
    DOWN,
    PAGE,
    QUIET,
    STRONG,
    UP,
    WINS,
    Card,
    CardRow,
    Column,
    Owns,
    Phrase,
    Row,
    Scene,
    Stack,
    Steps,
    Table,
    Word,
    seat_tone,
)
from games.core.sentence import WHOSE, Does, Who, named, win
from games.oriflamme.cards import CHOOSERS, NUMBERS, TYPES
from games.oriflamme.drama import BEATS as BEATS
from games.oriflamme.drama import LETTERS as LETTERS
from games.oriflamme.drama import TITLES as TITLES
from games.oriflamme.drama import asked as asked
from games.oriflamme.drama import moves as moves
from games.oriflamme.drama import told as told
from games.oriflamme.phases import PLACEMENT

SHOWN = frozenset({"deal", "own deal"})
"""Kinds of events that the table shows."""

_SIGNS = {
    "Archer": "➶",
    "Soldier": "⚔",
    "Spy": "◉",
    "Heir": "♔",
    "Lord": "♜",
    "Shapeshifter": "∞",
    "Ambush": "✸",
    "Assassination": "†",
    "Conspiracy": "✦",
    "Royal Decree": "✒",
}
_SHORT = {"Assassination": "Assass.", "Conspiracy": "Consp.", "Royal Decree": "Decree", "Shapeshifter": "Shifter"}
_PLACES = {"hand": "h", "hidden": "▒", "revealed": "■", "out": "×", "removed": "–"}
_WORD = max(map(len, _PLACES))
_LEGEND = (Word(f"{' '.join(f'{sign} {word}' for word, sign in _PLACES.items())} · not known", QUIET),)

Queue = tuple[Stack, ...]


def table(view: View, own: Owns, names: tuple[str, ...]) -> Scene:
    """The queue, the current decision, and the points and card locations of every player."""
    queue = _queue(view, own)
    parts = (
        CardRow(queue, "The queue is empty.", rank=2),
        Steps((_decision(view, queue),)),
        *(_hand(seat, tuple(facts["hand"])) for seat, facts in own.items() if len(own) == 1 and facts["hand"]),
        _families(view, own, queue),
    )
    return Scene(names, parts, (_cards(tuple(view["rules"]["card_types"])),), tuple(view["points"]), "Points")


def _queue(view: View, own: Owns) -> Queue:
    """The queue, with the hidden cards that may be seen."""
    known = {seat: iter(facts["hidden"]) for seat, facts in own.items()}
    return tuple(
        Stack(tuple([_card(card, known) for card in stack]), str(place), place == view["pointer"])
        for place, stack in enumerate(view["queue"], 1)
    )


def _card(card: Mapping[str, Any], known: dict[int, Iterator[Mapping[str, Any]]]) -> Card:
    owner, name = card["owner"], card["card"]
    if not card["revealed"] and owner in known:
        name = next(known[owner])["card"]
    return _queued(name, card["revealed"], owner, card["tokens"])


@lru_cache(4096)
def _queued(name: str | None, is_up: bool, owner: int, tokens: int) -> Card:
    sign, short = _SIGNS.get(name or "", "?"), _SHORT.get(name or "", "")
    return Card(name, sign=sign, state=UP if is_up else DOWN, owner=owner, tokens=tokens, short=short)


def _decision(view: View, queue: Queue) -> tuple[str, Phrase]:
    """What is being decided, or who has won."""
    seat, at = view["actor"], view["pointer"]
    if seat is None:
        return "★", (*win(view["winners"], ": ").pieces, view["ending"][0])
    where = Word(f" · round {view['round']} of {view['rounds']}, ", QUIET), Who(view["first_player"]), Word(" first", QUIET)
    if view.get("is_decided"):
        return "▶", (Who(seat), Does(seat, "have decided", STRONG), *where)
    if view["phase"]["id"] == PLACEMENT:
        after = view["still_to_place"][1:]
        rest: Phrase = (Word(", then ", QUIET), *named(after, ",")) if after else (Word(", last of the round", QUIET),)
        return "▶", (Who(seat), Does(seat, "place a card", STRONG), *rest, *where)
    if view["ability"] is None:
        return "▶", (Who(seat), Does(seat, "keep or", STRONG), Does(seat, f"reveal position {at}", STRONG), *where)
    card = queue[at - 1].cards[0].name
    copied = "" if card == view["ability"] else f" as a copy of the {view['ability']}"
    return "▶", (Who(seat, WHOSE), f" {card} at position {at}{copied} has to ", Word(CHOOSERS[NUMBERS[view["ability"]]].task))


@lru_cache(256)
def _hand(seat: int, names: tuple[str, ...]) -> CardRow:
    """The cards in the hand of the player whose view it is."""
    stacks = tuple(Stack((Card(name, sign=_SIGNS.get(name, "?"), owner=seat, short=_SHORT.get(name, "")),)) for name in names)
    return CardRow(stacks, title=(Who(seat), Does(seat, "hold")), use=PAGE, rank=3)


# -- the players -----------------------------------------------------------------------------------------------------


def _families(view: View, own: Owns, queue: Queue) -> Table:
    """The points of each player, and the location of each card of a family, where known."""
    where = [dict.fromkeys(gone, "out") for gone in view["discarded"]]
    queued = [0] * view["players"]
    for stack in queue:
        for card in stack.cards:
            if card.owner is not None:
                queued[card.owner] += 1
                if card.name:
                    where[card.owner][card.name] = "revealed" if card.state == UP else "hidden"
    for seat, facts in own.items():
        where[seat] |= dict.fromkeys(facts["hand"], "hand") | dict.fromkeys(facts["removed"], "removed")
    types, winners, actor = tuple(view["rules"]["card_types"]), view["winners"], view["actor"]
    rows = tuple(
        [
            _row(
                seat,
                view["points"][seat],
                queued[seat],
                tuple([found.get(name, "") for name in types]),
                WINS if seat in winners else ACTIVE if seat == actor else "",
            )
            for seat, found in enumerate(where)
        ]
    )
    return Table(_columns(types), rows, legend=_LEGEND, rank=1)


@cache
def _columns(types: tuple[str, ...]) -> tuple[Column, ...]:
    return (
        Column(("Points",), "Pts", width=len("Points"), is_right=True),
        Column(("Queue",), rank=2, is_right=True),
        *(Column((name,), _SHORT.get(name, name), width=_WORD) for name in types),
    )


@lru_cache(4096)
def _row(seat: int, points: int, queued: int, places: tuple[str, ...], state: str) -> Row:
    """A player. Few of them change from one view to the next, and a page has many views."""
    return Row(((Word(str(points)),), (str(queued),), *(_place(where, seat) for where in places)), seat, state)


def _place(where: str, seat: int) -> Phrase:
    tone = seat_tone(seat) if where in ("hand", "hidden", "revealed") else QUIET
    return (Word(where or "·", tone, _PLACES.get(where, "·")),)


@cache
def _cards(types: tuple[str, ...]) -> Table:
    """What each card of a family is good for."""
    cards = (TYPES[NUMBERS[name]] for name in types)
    rows = tuple(Row(((Word(card.name),), (Word(card.in_short or card.text, QUIET),))) for card in cards)
    title = "Place a card a round; keep it hidden for a token, or reveal it"
    return Table((Column(), Column(is_text=True)), rows, title=(title,))
