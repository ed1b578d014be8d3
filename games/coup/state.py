"""The state of a match of Coup."""

from __future__ import annotations

from typing import Any, Self

from games import core
from games.core import Actions, Event, Question, Rng, Steps, View
from games.coup import choices, position, questions, results, transitions
from games.coup.actions import claim, legal_actions
from games.coup.player_states import player_states
from games.coup.position import NOBODY, Position
from games.coup.resample import resample
from games.coup.view import view


class State(core.State, Position):
    """A match of Coup between two answers: always in a phase where somebody decides, or over."""

    __slots__ = ()

    @property
    def has_ended(self) -> bool:
        """Whether the match is over."""
        return not self[4]

    @property
    def player_states(self) -> dict[int, dict[str, Any]]:
        """Every player, hidden cards included, by ids that count from 1."""
        return player_states(self)

    @property
    def claim(self) -> str:
        """The character claimed last in this turn, by the blocker if there is a block; empty when there is none."""
        return claim(self)

    # -- legality ----------------------------------------------------------------------------------------------------

    @property
    def actions(self) -> Actions:
        """The legal actions of `actor`; none at the end."""
        pending = self[4]
        if not pending:
            return Actions(self, NOBODY, ())
        seat = pending[0]
        return Actions(self, seat, legal_actions(self, seat))

    legal_moves = legal_actions  # assigned: a method that delegates would cost a call a decision

    def answer_of(self, seat: int, move: Any) -> dict[str, Any]:
        return questions.answer(self.phase_id, move)

    def describe_move(self, seat: int, move: Any) -> Steps:
        return choices.steps(self, seat, move)

    def parse_answer(self, seat: int, data: Any) -> Any:
        return questions.read(self, seat, data)

    known_values = questions.known_values

    def build_question(self, seat: int) -> Question:
        return questions.question(self, seat)

    # -- transitions -------------------------------------------------------------------------------------------------

    @classmethod
    def deal(cls, setup: Any, events: list[Event] | None) -> Self:
        return transitions.deal(cls, setup, events)

    apply = transitions.apply  # assigned: a method that delegates would cost a call a decision

    def apply_strike_out(self, seat: int, events: list[Event] | None) -> Self:
        return transitions.strike_out(self, seat, events)

    # -- information -------------------------------------------------------------------------------------------------

    def build_view(self, seat: int | None) -> View:
        return view(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> Self:
        return resample(self, seat, rng)

    # -- results -----------------------------------------------------------------------------------------------------

    @property
    def survivors(self) -> tuple[int, ...]:
        """The seats with influence left."""
        return results.survivors(self)

    @property
    def scores(self) -> tuple[int, ...]:
        """1 for each winner and 0 for the others; 0 for all before the end."""
        return results.scores(self)

    @property
    def winners(self) -> tuple[int, ...]:
        """The last living player, or after a draw every living one; empty before the end."""
        return results.winners(self)

    @property
    def ending(self) -> tuple[str, ...]:
        """Why the match ended, in words; empty before the end."""
        return results.ending(self)

    # -- as data -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        return position.to_json(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return position.from_json(cls, cls.game.setup_from_json(data["setup"]), data)
