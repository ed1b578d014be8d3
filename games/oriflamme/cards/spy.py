"""The Spy (rule 22)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.core import Event, Schema, Sentence, Who, answer_schema, chosen, counted, fields, one_of, seat_name
from games.oriflamme.cards.base import CardRules, public_card
from games.oriflamme.cards.choosing import ChoosingType, Outcome
from games.oriflamme.stack import FAMILY, OWNER, OWNER_AT, POINTS, POINTS_AT, Queue, QueueCard, card_of, neighbours


class Spy(ChoosingType):
    """A Spy's moves are seats, one for each owner of a neighbouring card."""

    name = "Spy"
    in_short = "takes 1 point from a neighbour's owner"
    task = "take 1 point from the stock of a player who owns a neighbouring card"
    chooses_seats = True

    def moves(self, queue: Queue, at: int, rules: CardRules) -> Sequence[int]:
        own = queue[at] >> OWNER_AT & OWNER
        found = []
        for index in neighbours(queue, at):
            owner = queue[index] >> OWNER_AT & OWNER
            if (owner != own or rules.spy_may_pick_self) and owner not in found:
                found.append(owner)
        return found

    def can_choose(self, queue: Queue, at: int, rules: CardRules) -> bool:
        own = queue[at] & FAMILY
        for index in neighbours(queue, at):
            if queue[index] & FAMILY != own:
                return True
        return rules.spy_may_pick_self and len(queue) > 1

    def apply(self, queue: Queue, points: int, at: int, move: int, rules: CardRules, events: list[Event] | None) -> Outcome:
        seat = queue[at] >> OWNER_AT & OWNER
        taken = 1 if points >> POINTS_AT * move & POINTS and move != seat else 0
        if events is not None:
            events += _spied(card_of(queue[at]), move, taken)
        return queue, points + (taken << POINTS_AT * seat) - (taken << POINTS_AT * move), at + 1

    def effects(self, queue: Queue, at: int, rules: CardRules) -> dict[str, str]:
        own = card_of(queue[at]).owner
        return {seat_name(seat): _effect(seat, own) for seat in self.moves(queue, at, rules)}

    def answer(self, move: int) -> dict[str, Any]:
        return {"target": seat_name(move)}

    def schema(self, moves: Sequence[int]) -> Schema:
        return answer_schema(target=one_of([seat_name(seat) for seat in moves], "the player who loses a point to you"))

    def read(self, data: Any, moves: Sequence[int]) -> int:
        (value,) = fields(data, "target")
        names = [seat_name(seat) for seat in moves]
        return moves[names.index(chosen("target", value, names))]


def _effect(victim: int, own: int) -> str:
    if victim == own:
        return "does nothing: that is yourself"
    return f"takes 1 point from {seat_name(victim)}, if there is one to take"


def _spied(spy: QueueCard, victim: int, taken: int) -> Iterator[Event]:
    """A Spy's victim was chosen."""
    if spy.owner == victim:
        text = Sentence(public_card(spy), " chooses its own family: nothing happens.")
    else:
        takes = f" takes {counted(taken, 'point') if taken else 'nothing'} from "
        text = Sentence(public_card(spy), takes, Who(victim), ".")
    yield Event("spied", text, {"seat": spy.owner, "victim": victim, "points": taken})
