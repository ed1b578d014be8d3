"""The state of a match of Oriflamme: a position with the functions of this folder as its methods."""

from __future__ import annotations

from typing import Any, Self

from games import core
from games.core import Event, Setup
from games.oriflamme import actions, position, questions, resample, scoring, transitions, view


class State(core.State, position.Position):
    """A match of Oriflamme: place cards in the queue, then resolve it from the front, for six rounds."""

    __slots__ = ()
    # The properties of the base class are fields here.
    round = position.Position.round
    phase_id = position.Position.phase_id
    actor = position.Position.actor
    has_ended = position.Position.has_ended
    scores = position.Position.scores

    apply = transitions.apply
    apply_strike_out = transitions.strike_out

    legal_moves = actions.legal_actions
    answer_of = questions.answer_of
    describe_move = questions.describe_move
    build_question = questions.question
    parse_answer = questions.parse_answer
    known_values = questions.known_values

    build_view = view.view
    resample = resample.resample
    winners = property(scoring.winners)
    ending = property(scoring.ending)

    to_json = position.to_json

    @property
    def pending(self) -> tuple[int, ...]:
        return () if self.actor is None else (self.actor,)

    @classmethod
    def deal(cls, setup: Setup, events: list[Event] | None) -> Self:
        return transitions.deal(cls, setup, events)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return position.from_json(cls, cls.game.setup_from_json(data["setup"]), data)
