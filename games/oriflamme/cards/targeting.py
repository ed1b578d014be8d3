"""Types whose owner chooses a position of the queue."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from games.core import Schema, answer_schema, chosen, fields, one_of
from games.oriflamme.cards.base import CardRules
from games.oriflamme.cards.choosing import ChoosingType
from games.oriflamme.stack import Queue, position_name


class Targeting(ChoosingType):
    """A type whose moves are indexes of the queue."""

    target_help: ClassVar[str]

    @abstractmethod
    def effect(self, queue: Queue, at: int, target: int, rules: CardRules) -> str:
        """What choosing the target does, as the owner of the card knows it."""

    def answer(self, move: int) -> dict[str, Any]:
        return {"target": position_name(move)}

    def effects(self, queue: Queue, at: int, rules: CardRules) -> dict[str, str]:
        return {position_name(move): self.effect(queue, at, move, rules) for move in self.moves(queue, at, rules)}

    def schema(self, moves: Sequence[int]) -> Schema:
        return answer_schema(target=one_of([position_name(move) for move in moves], self.target_help))

    def read(self, data: Any, moves: Sequence[int]) -> int:
        (value,) = fields(data, "target")
        names = [position_name(move) for move in moves]
        return moves[names.index(chosen("target", value, names))]
