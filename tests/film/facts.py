"""Facts of a table, read from a scene as a viewer would, and which kinds of events tell each kind of fact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from games.core.scene import (
    LOST,
    OUT,
    WINS,
    Banner,
    CardRow,
    Grid,
    Phrase,
    Players,
    Quote,
    Scene,
    Steps,
    Table,
    Texts,
    Word,
)


class Fact(NamedTuple):
    """Something that a table says: its kind, whom it is about, and what."""

    kind: str
    seat: int | None
    what: object = None


TOLD_BY: Mapping[str, Mapping[str, frozenset[str]]] = {
    game: {kind: frozenset(words.replace("-", " ").split(", ")) for kind, words in facts.items()}
    for game, facts in {
        "coup": {
            "out": "out",
            "wins": "end",
            "winner": "end",
            "lost": "loss",
            "coin": "declaration, gain, refund, penalty, out",
            "held": "loss, proof, replacement, replaced, exchanged, kept, drawn, pick, picked, dealt",
            "verdict": "proof, false_claim, concession",
        },
        "cat_in_the_box": {
            "token": "play, deal, neutral",
            "points": "score, penalty",
            "won": "trick, deal, score, bid",
            "banner": "paradox",
        },
        "dixiquote": {
            "wins": "end",
            "point": "score, penalty",
            "owner": "card, own, submit, choose, vote",
            "star": "card, own, choose, reveal",
            "voter": "card, vote, own",
            "quote": "quote, card",
            "storyteller": "round, end",
        },
        "oriflamme": {
            "wins": "end",
            "winner": "end",
            "point": "revealed, gained, spied, eliminated, ambush, penalty",
            "faced": "placed, own-card, revealed, eliminated, ambush, discarded, moved",
            "gone": "eliminated, discarded, ambush",
        },
    }.items()
}
"""By game, the kinds of events of which one at least tells a kind of fact."""


def facts(game: str, scene: Scene) -> Iterator[Fact]:
    """The facts of a table that are news where they are new."""
    for part in scene.shown(()):
        match part:
            case Players(rows=rows):
                for row in rows:
                    yield from _of_player(row.seat, row.state)
                    if game == "dixiquote" and row.note:
                        yield Fact("storyteller", row.seat)
                    yield from (Fact(one.name, row.seat, one.value) for one in row.counters)
                    yield from (Fact("lost" if one.state == LOST else "held", row.seat, one.name) for one in row.cards)
            case Table(rows=rows, columns=columns, latest=0):
                for row in rows:
                    if row.seat is not None and game != "coup":
                        yield from _of_player(row.seat, row.state)
                        cells = {_words(of.title): _words(cell) for of, cell in zip(columns, row.cells, strict=True)}
                        yield from (Fact(*fact) for fact in _of_row(game, row.seat, cells))
            case Steps(steps=steps, title=title):
                for words in (title, *(words for _, words in steps)):
                    if "★" in _words(words):
                        yield Fact("winner", None, _words(words))
                    yield from (Fact("verdict", None, one) for one in words if isinstance(one, Word) and one.text[-1] in "✓✗")
                if any(sign == "★" for sign, _ in steps):
                    yield Fact("winner", None)
            case CardRow(stacks=stacks) if game == "oriflamme":
                cards = [card for stack in stacks for card in stack.cards]
                yield from (Fact("faced", card.owner, card.name) for card in cards if card.name)
            case Grid(rows=rows):
                yield from (
                    Fact("token", cell.owner, (name.text, place))
                    for name, cells in rows
                    for place, cell in enumerate(cells)
                    if cell.owner is not None
                )
            case Banner(words=words):
                yield Fact("banner", None, _words(words))
            case Texts(cards=cards, holder=None):
                for card in cards:
                    yield from (Fact("voter", seat, card.text) for seat in card.voters)
                    yield from [Fact("owner", card.owner, card.text)] if card.owner is not None else []
                    yield from [Fact("star", card.owner, card.text)] if card.is_marked else []
            case Quote(title=(), seat=seat, text=text):
                yield Fact("quote", seat, text)


def _of_player(seat: int, state: str) -> Iterator[Fact]:
    yield from [Fact(state, seat)] if state in (OUT, WINS) else []


def _of_row(game: str, seat: int, cells: Mapping[str, str]) -> Iterator[tuple[str, int, str]]:
    if game == "oriflamme":
        yield "point", seat, cells["Points"]
        yield from (("gone", seat, name) for name, where in cells.items() if where == "out")
    else:
        yield "won", seat, cells["Won"].partition(" ")[0]
        yield from (("points", seat, cells[name]) for name in ("Points", "Total") if name in cells)


def _words(phrase: Phrase) -> str:
    return "".join(one if isinstance(one, str) else one.text for one in phrase if isinstance(one, str | Word))
