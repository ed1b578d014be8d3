"""The state of a match of DixiQuote: a position with the functions of this folder as its methods."""

from __future__ import annotations

from typing import Any, Self

from games.core import Event, Setup
from games.core import State as CoreState
from games.dixiquote import actions, position, questions, resample, scoring, transitions, view


class State(CoreState, position.Position):
    """A match of DixiQuote: choose, quote, submit, vote (rule 2)."""

    __slots__ = ()

    apply = transitions.apply
    apply_strike_out = transitions.strike_out

    pending = position.Position.pending  # a property of the base class
    legal_moves = actions.legal_actions
    answer_of = questions.answer_of
    describe_move = questions.describe_move
    build_question = questions.question
    parse_answer = questions.parse_answer
    known_values = questions.known_values

    build_view = view.view
    resample = resample.resample
    winners = property(scoring.winners)

    to_json = position.to_json

    @classmethod
    def deal(cls, setup: Setup, events: list[Event] | None) -> Self:
        return transitions.deal(cls, setup, events)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        read = position.from_json(cls, cls.game.setup_from_json(data["setup"]), data)
        return read._replace(pending=actions.seats_to_ask(read))
