"""Unfolding: the tables between two positions, so that what one decision brings can be shown step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from games.core.scene import OUT, WINS, Grid, Part, Player, Players, Scene, TextCard, Texts

P = TypeVar("P", bound=Part)


def between(before: Scene, after: Scene) -> Scene:
    """The table while the effects of a decision are told: what players have, votes and boards as after it, the turn as before.
    A board that is cleared for what comes next still stands."""
    return replace(before, parts=tuple(_between(part, after) for part in before.parts))


def votes_one_by_one(before: Scene, after: Scene) -> Iterator[Scene]:
    """The tables on which one vote more is turned up each, then the owners of all texts; none where no votes come out."""
    for part in before.parts:
        if isinstance(part, Texts) and (voted := _voted(part, after)) is not None:
            known = {card.text: card.voters for card in part.cards}
            new = sorted((seat, card.text) for card in voted.cards for seat in card.voters if seat not in known[card.text])
            for seat, text in new:
                known[text] = (*known[text], seat)
                yield _with(before, part, tuple(card._replace(voters=known[card.text], has_votes=True) for card in part.cards))
            yield _with(before, part, voted.cards)


def _with(scene: Scene, part: Texts, cards: tuple[TextCard, ...]) -> Scene:
    return replace(scene, parts=tuple(replace(part, cards=cards) if one is part else one for one in scene.parts))


def _between(part: Part, after: Scene) -> Part:
    match part:
        case Players(rows=rows) if (players := _same(part, after)) is not None:
            known = {row.seat: row for row in players.rows}
            return replace(part, rows=tuple(_player(row, known.get(row.seat, row)) for row in rows))
        case Grid() if (grid := _same(part, after)) is not None and _held(grid) >= _held(part):
            return grid
        case Texts() if (voted := _voted(part, after)) is not None:
            return replace(part, cards=voted.cards, foot=voted.foot)
    return part


def _same(part: P, scene: Scene) -> P | None:
    return next((one for one in scene.parts if type(one) is type(part)), None)


def _player(before: Player, after: Player) -> Player:
    state = after.state if after.state in (OUT, WINS) else before.state
    return after._replace(state=state, note=before.note, said=before.said)


def _held(grid: Grid) -> int:
    return sum(cell.owner is not None for _, cells in grid.rows for cell in cells)


def _voted(part: Texts, after: Scene) -> Texts | None:
    """The same texts with the votes that the position before did not have, under the names that they had."""
    names = {card.text: card.name for card in part.cards}
    if any(card.has_votes for card in part.cards):
        return None
    for one in after.parts:
        if isinstance(one, Texts) and {card.text for card in one.cards} == names.keys() and all(c.has_votes for c in one.cards):
            return replace(one, cards=tuple(card._replace(name=names[card.text]) for card in one.cards))
    return None
