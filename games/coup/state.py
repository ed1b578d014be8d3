"""The state of a match of Coup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from games import core
from games.core import OPENING, STRIKE_OUT, Actions, Event, Question, Rng, Steps, View
from games.coup import answers, choices, phases, player_states, resampling, tell, views
from games.coup.cards import CHARACTERS, Cards, Hand
from games.coup.deal import deal
from games.coup.moves import (
    ASSASSINATE,
    CLAIM,
    CLOCKWISE,
    COUP,
    FORCED_COUP,
    FOREIGN_AID,
    INCOME,
    PASS,
    PASS_OR_BLOCK,
    PASS_OR_CHALLENGE,
    PROVE_OR_CONCEDE,
    STEAL,
    Declaration,
    declarations,
    keeps,
)
from games.coup.play import ANSWERS, Play
from games.coup.table import put
from games.coup.turn import NOBODY, Turn

_new = tuple.__new__

_SAME_FOR_ALL: dict[int, tuple[str, ...]] = {
    phases.SETUP: CHARACTERS,
    phases.ACTION_CHALLENGE: PASS_OR_CHALLENGE,
    phases.EVALUATE_ACTION: PROVE_OR_CONCEDE,
    phases.BLOCK_FOREIGN_AID: PASS_OR_BLOCK[FOREIGN_AID],
    phases.BLOCK_ASSASSINATION: PASS_OR_BLOCK[ASSASSINATE],
    phases.BLOCK_STEAL: PASS_OR_BLOCK[STEAL],
    phases.BLOCK_CHALLENGE: PASS_OR_CHALLENGE,
    phases.EVALUATE_BLOCK: PROVE_OR_CONCEDE,
}


class Fields(NamedTuple):
    """What a state is made of.

    `word` is the chance still to come, `round` the number of the turn, `living` the seats with influence as bits, `deck`
    the Court deck in alphabetical order, `drawn` the cards an exchange has drawn, `turn` the turn under way (at the end
    the last one), `history` the turns before it, `picks` the card each seat drafted.
    """

    origin: Any
    setup: Any
    word: int
    phase_id: int
    pending: tuple[int, ...]
    round: int
    hands: tuple[Hand, ...]
    coins: tuple[int, ...]
    living: int
    deck: Cards
    drawn: Cards
    turn: Turn
    history: tuple[Turn, ...]
    picks: Cards


class State(core.State, Fields):
    """A match of Coup between two answers: always in a phase where somebody decides, or over."""

    __slots__ = ()

    @property
    def has_ended(self) -> bool:
        """Whether the match is over."""
        return not self[4]

    @property
    def player_states(self) -> dict[int, dict[str, Any]]:
        """The players as the source of this game describes them, hidden cards included, by ids that count from 1."""
        return player_states.of(self)

    @property
    def others(self) -> tuple[int, ...]:
        """The living opponents of the active player, clockwise."""
        return CLOCKWISE[self.living][self.turn.actor]

    @property
    def claim(self) -> str:
        """The character claimed last in this turn, by the blocker if there is a block; empty when there is none."""
        return self.turn.block or CLAIM.get(self.turn.action, "")

    # -- legality ----------------------------------------------------------------------------------------------------

    @property
    def actions(self) -> Actions:
        """The legal actions of `actor`; none at the end."""
        pending = self[4]
        if not pending:
            return Actions(self, NOBODY, ())
        seat = pending[0]
        return Actions(self, seat, self.legal_moves(seat))

    def legal_moves(self, seat: int) -> Sequence[Any]:
        phase = self[3]
        if same := _SAME_FOR_ALL.get(phase):
            return same
        if phase == phases.DECLARATION:
            return declarations(self.coins[seat], self.others, self._robbable())
        if phase == phases.EXCHANGE_DECISION:
            return keeps(self.hands[seat].down, self.drawn)
        if phase in phases.PROOFS:
            return (self.claim,)
        return self.hands[seat].choices

    def _robbable(self) -> tuple[int, ...]:
        if self.setup.options.steal_requires_coins:  # K-C7
            return tuple(seat for seat in self.others if self.coins[seat])
        return self.others

    def answer_of(self, seat: int, move: Any) -> dict[str, Any]:
        return answers.answer(self.phase_id, move)

    def describe_move(self, seat: int, move: Any) -> Steps:
        return choices.steps(self, seat, move)

    def parse_answer(self, seat: int, data: Any) -> Any:
        return answers.read(self, seat, data)

    def build_question(self, seat: int) -> Question:
        """What a pending seat is asked."""
        return answers.question(self, seat)

    # -- transitions -------------------------------------------------------------------------------------------------

    @classmethod
    def deal(cls, setup: Any, told: list[Event] | None) -> Self:
        fields = deal(setup)
        table = Play(_new(cls, (None, *fields)), OPENING, told)
        if told is not None:
            told.append(tell.introduction(setup.players))
            table.walk(phases.SETUP)
            told.append(tell.setup(table.turn.actor, table.coins))
        opened: Self = table.await_draft() if table.picks else table.start()
        return opened

    def apply(self, seat: int, move: Any, told: list[Event] | None) -> Self:
        pending = self[4]
        if move == PASS and len(pending) > 1:
            if told is not None:
                told.append(tell.passed(seat))
            waiting = tuple(other for other in pending if other != seat) if seat != pending[0] else pending[1:]
            return _new(type(self), ((self, seat, move), *self[1:4], waiting, *self[5:]))
        after: Self = ANSWERS[self[3]](Play(self, (self, seat, move), told), seat, move)
        return after

    def apply_strike_out(self, seat: int, told: list[Event] | None) -> Self:
        default = self._default(seat)
        lost = min(1, self.coins[seat])
        if told is not None:
            told.append(tell.penalty(seat, lost))
        fined = self._replace(coins=put(self.coins, seat, self.coins[seat] - lost))
        return fined.apply(seat, default, told)._replace(origin=(self, seat, STRIKE_OUT))

    def _default(self, seat: int) -> Any:
        phase = self.phase_id
        if phase == phases.DECLARATION:
            if self.coins[seat] < FORCED_COUP:
                return Declaration(INCOME, NOBODY)
            return Declaration(COUP, max(self.others, key=self.coins.__getitem__))
        if phase == phases.EXCHANGE_DECISION:
            return tuple(sorted(self.hands[seat].down))
        return self.legal_moves(seat)[0]  # a pass, a proof, or the first card

    # -- information -------------------------------------------------------------------------------------------------

    def build_view(self, seat: int | None) -> View:
        """All that a seat (None: a spectator) may know, as JSON data."""
        return views.view(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> State:
        """A state drawn from what a seat (None: a spectator) knows, its view and what follows from the view."""
        return State(None, *resampling.fields(self, seat, rng))

    # -- results -----------------------------------------------------------------------------------------------------

    @property
    def survivors(self) -> tuple[int, ...]:
        """The seats with influence left."""
        return tuple(seat for seat in range(self.setup.players) if self.living >> seat & 1)

    @property
    def scores(self) -> tuple[int, ...]:
        """1 for each winner and 0 for the others; 0 for all before the end."""
        winners = self.winners
        return tuple(int(seat in winners) for seat in range(self.setup.players))

    @property
    def winners(self) -> tuple[int, ...]:
        """The last living player, or after a draw every living one; empty before the end."""
        return self.survivors if self.has_ended else ()

    @property
    def ending(self) -> tuple[str, ...]:
        """Why the match ended, in words; empty before the end."""
        winners = self.winners
        if len(winners) == 1:
            return ("nobody else has influence left",)
        return (f"the limit of {self.round} turns is reached",) if winners else ()

    # -- as data -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The whole state, hidden parts included."""
        return {
            "setup": self.setup.to_json(),
            "word": self.word,
            "phase": self.phase_id,
            "pending": list(self.pending),
            "turn": self.round,
            "hands": [hand.code for hand in self.hands],
            "coins": list(self.coins),
            "living": self.living,
            "deck": list(self.deck),
            "drawn": list(self.drawn),
            "current": self.turn.to_json(),
            "history": [turn.to_json() for turn in self.history],
            "picks": list(self.picks),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The state that `to_json` wrote."""
        return cls(
            None,
            cls.game.setup_from_json(data["setup"]),
            data["word"],
            data["phase"],
            tuple(data["pending"]),
            data["turn"],
            tuple(Hand.read(code) for code in data["hands"]),
            tuple(data["coins"]),
            data["living"],
            tuple(data["deck"]),
            tuple(data["drawn"]),
            Turn.from_json(data["current"]),
            tuple(Turn.from_json(turn) for turn in data["history"]),
            tuple(data["picks"]),
        )
