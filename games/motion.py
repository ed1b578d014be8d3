"""Motion: what is on a table for a moment on the way from one scene to the next: numbers count, a card turns, a token lands."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Sequence
from dataclasses import replace

from games.core import Event
from games.core.drama import MOVES, Script
from games.core.scene import (
    DOWN,
    LOST,
    UP,
    Card,
    CardRow,
    Cell,
    Grid,
    Part,
    Phrase,
    Player,
    Players,
    Row,
    Scene,
    Table,
    Word,
)

EDGE = "▐▌"
"""A card seen from its edge, half turned."""


def between(script: Script, before: Scene, after: Scene, events: Sequence[Event]) -> list[Scene]:
    """The scenes between two scenes while events are told: as the game says, or else numbers that count, cards that turn and
    tokens that land. None where nothing moves."""
    declared = [scene for event in events for scene in script.moves(before, after, event)]
    found, last = list[Scene](), before.parts
    for scene in declared or (_on_the_way(before, after, step) for step in range(1, MOVES + 1)):
        if scene.parts not in (last, after.parts):
            found.append(scene)
        last = scene.parts
    return found[:MOVES]


def _on_the_way(before: Scene, after: Scene, step: int) -> Scene:
    left = list(before.parts)
    parts = list[Part]()
    for part in after.parts:
        start = next((one for one in left if type(one) is type(part) and one.use == part.use), None)
        if start is not None:
            left.remove(start)
        parts.append(part if start is None or start == part else _part(start, part, step))
    return replace(after, parts=tuple(parts))


def _part(before: Part, after: Part, step: int) -> Part:
    match before, after:
        case Players(), Players() if len(before.rows) == len(after.rows):
            return replace(after, rows=tuple(_player(*rows, step) for rows in zip(before.rows, after.rows, strict=True)))
        case Table(), Table() if before.columns == after.columns and len(before.rows) == len(after.rows):
            return replace(after, rows=tuple(_row(*rows, step) for rows in zip(before.rows, after.rows, strict=True)))
        case CardRow(), CardRow() if len(before.stacks) == len(after.stacks):
            stacks = zip(before.stacks, after.stacks, strict=True)
            turned = (then._replace(cards=_cards(start.cards, then.cards, step)) for start, then in stacks)
            return replace(after, stacks=tuple(turned))
        case Grid(), Grid() if before.columns == after.columns and len(before.rows) == len(after.rows):
            rows = zip(before.rows, after.rows, strict=True)
            return replace(after, rows=tuple((name, _cells(start, then)) for (_, start), (name, then) in rows))
    return after


def _number(before: int, after: int, step: int) -> int:
    """A number on its way: each step shows another one, if there are as many."""
    return before + int((after - before) * step / (MOVES + 1))


def _player(before: Player, after: Player, step: int) -> Player:
    if before.seat != after.seat or len(before.counters) != len(after.counters):
        return after
    counters = zip(before.counters, after.counters, strict=True)
    return after._replace(
        counters=tuple(then._replace(value=_number(start.value, then.value, step)) for start, then in counters),
        cards=_cards(before.cards, after.cards, step),
    )


def _row(before: Row, after: Row, step: int) -> Row:
    if before.seat is None or before.seat != after.seat:
        return after
    return after._replace(cells=tuple(_cell(*cells, step) for cells in zip(before.cells, after.cells, strict=True)))


def _cell(before: Phrase, after: Phrase, step: int) -> Phrase:
    match before, after:
        case (Word(text=start),), (Word(text=then) as word,) if start.isdecimal() and then.isdecimal():
            return (word._replace(text=str(_number(int(start), int(then), step))),)
        case (str(start),), (str(then),) if start.isdecimal() and then.isdecimal():
            return (str(_number(int(start), int(then), step)),)
    return after


def _cards(before: Sequence[Card], after: Sequence[Card], step: int) -> tuple[Card, ...]:
    """Cards of which some turn: those that lie open now, and did not before."""
    open_before = Count(_face(card) for card in before if card.state in (UP, LOST) and card.name)
    found = list[Card]()
    for card in after:
        is_new = card.state in (UP, LOST) and card.name is not None and not open_before[_face(card)]
        open_before[_face(card)] -= 1
        backs = [one for one in before if is_new and one.state == DOWN and one.owner == card.owner]
        found.append(_turning(card, backs, step) if backs else card)
    return tuple(found)


def _face(card: Card) -> tuple[str | None, str, int | None]:
    return card.name, card.state, card.owner


def _turning(card: Card, backs: Sequence[Card], step: int) -> Card:
    """A card that turns: first its back, with the name if it was known, then its edge."""
    if step == MOVES:
        return Card(EDGE, card.tone, EDGE, UP, card.owner)
    return next((one for one in backs if one.name == card.name), backs[0])


def _cells(before: Sequence[Cell], after: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of a row: one that a token comes to is marked before it stands there."""
    if len(before) != len(after):
        return tuple(after)
    pairs = zip(before, after, strict=True)
    return tuple(then._replace(owner=None) if start.owner is None and then.mark else then for start, then in pairs)
