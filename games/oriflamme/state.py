"""The state of a match: a position, and everything that can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from games import core
from games.core import Event, Question, Rng, Setup, Steps, View
from games.oriflamme import position, questions, resample, scoring, transitions, view
from games.oriflamme.actions import legal_actions
from games.oriflamme.bound_actions import bound_actions
from games.oriflamme.position import Position


class State(core.State, Position):
    """An immutable position: who decides, what is legal, what each seat may know."""

    __slots__ = ()
    # The properties of the base class are fields here.
    round = Position.round
    phase_id = Position.phase_id
    actor = Position.actor
    has_ended = Position.has_ended
    scores = Position.scores
    actions = property(bound_actions)

    @property
    def pending(self) -> tuple[int, ...]:
        return () if self.actor is None else (self.actor,)

    def legal_moves(self, seat: int) -> Sequence[Any]:
        return legal_actions(self, seat)

    def answer_of(self, seat: int, move: Any) -> dict[str, Any]:
        return questions.answer_of(self, move)

    def describe_move(self, seat: int, move: Any) -> Steps:
        return questions.describe_move(self, seat, move)

    def build_question(self, seat: int) -> Question:
        return questions.question(self, seat)

    known_values = questions.known_values

    def parse_answer(self, seat: int, data: Any) -> Any:
        return questions.parse_answer(self, seat, data)

    @classmethod
    def deal(cls, setup: Setup, events: list[Event] | None) -> Self:
        return transitions.deal(cls, setup, events)

    def apply(self, seat: int, move: Any, events: list[Event] | None) -> Self:
        return transitions.apply(self, seat, move, events)

    def apply_strike_out(self, seat: int, events: list[Event] | None) -> Self:
        return transitions.strike_out(self, seat, events)

    def build_view(self, seat: int | None) -> View:
        return view.view(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> Self:
        return resample.resample(self, seat, rng)

    @property
    def winners(self) -> tuple[int, ...]:
        return scoring.winners(self)

    @property
    def ending(self) -> tuple[str, ...]:
        return scoring.ending(self)

    def to_json(self) -> dict[str, Any]:
        return position.to_json(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return position.from_json(cls, cls.game.setup_from_json(data["setup"]), data)
