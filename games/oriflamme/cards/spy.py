"""The Spy (rule 22)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from games.core import Event, Schema, answer_schema, chosen, fields, one_of, seat_name
from games.oriflamme import tell
from games.oriflamme.cards.base import CardType, Outcome, Queue
from games.oriflamme.places import neighbours
from games.oriflamme.stack import OWNER, OWNER_AT, POINTS, POINTS_AT

if TYPE_CHECKING:
    from games.oriflamme.options import Rules

_FAMILY = OWNER << OWNER_AT


class Spy(CardType):
    """A Spy's moves are seats, one for each owner of a neighbouring card."""

    name = "Spy"
    in_short = "takes 1 point from a neighbour's owner"
    task = "take 1 point from the stock of a player who owns a neighbouring card"
    decides = True
    chooses_seats = True

    def moves(self, queue: Queue, at: int, rules: Rules) -> Sequence[int]:
        own = queue[at] >> OWNER_AT & OWNER
        found = []
        for index in neighbours(queue, at):
            owner = queue[index] >> OWNER_AT & OWNER
            if (owner != own or rules.spy_may_pick_self) and owner not in found:
                found.append(owner)
        return found

    def can_choose(self, queue: Queue, at: int, rules: Rules) -> bool:
        own = queue[at] & _FAMILY
        for index in neighbours(queue, at):
            if queue[index] & _FAMILY != own:
                return True
        return rules.spy_may_pick_self and len(queue) > 1

    def apply(self, queue: Queue, points: int, at: int, move: int, rules: Rules, told: list[Event] | None) -> Outcome:
        seat = queue[at] >> OWNER_AT & OWNER
        taken = 1 if points >> POINTS_AT * move & POINTS and move != seat else 0
        if told is not None:
            tell.spied(told, seat, move, taken)
        return queue, points + (taken << POINTS_AT * seat) - (taken << POINTS_AT * move), at + 1

    def effects(self, queue: Queue, at: int, rules: Rules) -> dict[str, str]:
        own = queue[at] >> OWNER_AT & OWNER
        return {
            seat_name(seat): "does nothing: that is yourself"
            if seat == own
            else f"takes 1 point from {seat_name(seat)}, if there is one to take"
            for seat in self.moves(queue, at, rules)
        }

    def answer(self, move: int) -> dict[str, Any]:
        return {"target": seat_name(move)}

    def schema(self, moves: Sequence[int]) -> Schema:
        return answer_schema(target=one_of([seat_name(seat) for seat in moves], "the player who loses a point to you"))

    def read(self, data: Any, moves: Sequence[int]) -> int:
        (value,) = fields(data, "target")
        names = [seat_name(seat) for seat in moves]
        return moves[names.index(chosen("target", value, names))]
