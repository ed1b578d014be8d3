"""The state of a match of Coup: a position with the functions of this folder as its methods."""

from __future__ import annotations

from typing import Any, Self

from games import core
from games.core import Event, Setup
from games.coup import actions, choices, player_states, position, questions, resample, transitions, view


class State(core.State, position.Position):
    """A match of Coup between two answers: always in a phase where somebody decides, or over."""

    __slots__ = ()

    apply = transitions.apply
    apply_strike_out = transitions.strike_out

    legal_moves = actions.legal_actions
    answer_of = questions.answer_of
    describe_move = choices.describe_move
    build_question = questions.question
    parse_answer = questions.parse_answer
    known_values = questions.known_values

    build_view = view.view
    resample = resample.resample
    scores = property(position.scores)
    winners = property(position.winners)
    ending = property(position.ending)
    survivors = property(position.survivors)
    claim = property(actions.claim)
    player_states = property(player_states.player_states)

    to_json = position.to_json

    @property
    def has_ended(self) -> bool:
        """Whether the match is over."""
        return not self[4]

    @classmethod
    def deal(cls, setup: Setup, events: list[Event] | None) -> Self:
        return transitions.deal(cls, setup, events)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return position.from_json(cls, cls.game.setup_from_json(data["setup"]), data)
