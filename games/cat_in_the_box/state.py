"""The state of a match of Cat in the Box: a position with the functions of this folder as its methods."""

from __future__ import annotations

from typing import Any, Self

from games.cat_in_the_box import actions, events, position, questions, resample, scoring, transitions, view
from games.core import Event, Setup
from games.core import State as CoreState


class State(CoreState, position.Position):
    """A match of Cat in the Box: discard, bid, then declare colours until the cards or the possibilities run out."""

    __slots__ = ()

    apply = transitions.apply
    apply_strike_out = transitions.strike_out

    legal_moves = actions.legal_actions
    answer_of = questions.answer_of
    describe_move = questions.describe_move
    build_question = questions.question
    parse_answer = questions.parse_answer

    build_view = view.view
    resample = resample.resample
    winners = property(scoring.winners)
    ending = property(events.ending)

    to_json = position.to_json

    @classmethod
    def deal(cls, setup: Setup, events: list[Event] | None) -> Self:
        return transitions.deal(cls, setup, events)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return actions.with_playable(position.from_json(cls, cls.game.setup_from_json(data["setup"]), data))
