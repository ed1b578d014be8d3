"""The state of a match of Cat in the Box, and what leads from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from games.cat_in_the_box import answers, choices, hidden, saving, telling, viewing
from games.cat_in_the_box.board import ALL_CELLS, PATTERN, RANKS_OF, ROW_OF, WIDTH, cells
from games.cat_in_the_box.cards import counted, rank_counted, shuffled, without
from games.cat_in_the_box.legality import PARADOX_MOVE, playable_cells
from games.cat_in_the_box.phases import BID, DISCARD, GAME_OVER, PARADOX, PLAY
from games.cat_in_the_box.rounds import NOT_YET, Penalty, Result, Round
from games.cat_in_the_box.scoring import leaders, result_of, winning_seat
from games.cat_in_the_box.table import REVEALED, Table, neutral_cells, table_of
from games.core import OPENING, STRIKE_OUT, Event, Question, Rng, Setup, Steps, View, seat_name
from games.core import State as CoreState

Told = list[Event] | None

_PARADOX_MOVES = (PARADOX_MOVE,)


class Fields(NamedTuple):
    """What a state consists of. Discards and bids are NOT_YET until made.

    `tokens` has the cells of each seat, `x_tokens` the rows it may still declare, `free` the empty cells, `plays`
    the cells of the round in order of play. `led` is the row of the led colour, 0 when a trick is to be led, and
    `playable` the legal cells of the seat to play.
    """

    origin: Any
    setup: Setup
    frame: Round
    phase_id: int
    pending: tuple[int, ...]
    hands: tuple[int, ...]
    discards: tuple[int, ...]
    bids: tuple[int, ...]
    tokens: tuple[int, ...]
    x_tokens: tuple[int, ...]
    free: int
    plays: tuple[int, ...]
    leader: int
    led: int
    tricks_won: tuple[int, ...]
    playable: int


class State(CoreState, Fields):
    """A match of Cat in the Box: discard, bid, then declare colours until the cards or the possibilities run out."""

    __slots__ = ()

    # -- who decides and what is legal -------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        """The number of the round being played, from 1."""
        return self.frame.number

    @property
    def table(self) -> Table:
        """The rules worked out for this match."""
        return self.frame.table

    @property
    def start_player(self) -> int:
        """The seat that bids and leads first in this round (rules 6, 8 and 18)."""
        return (self.frame.number - 1) % self.table.players

    @property
    def trick(self) -> tuple[int, ...]:
        """The cells of the trick in progress, the leader's first."""
        return self.plays[len(self.plays) - len(self.plays) % self.table.players :]

    def legal_moves(self, seat: int) -> Sequence[int]:
        phase = self.phase_id
        if phase == PLAY:
            return cells(self.playable)
        if phase == DISCARD:
            return RANKS_OF[self.hands[seat] >> 1 & PATTERN]
        return self.table.bids if phase == BID else _PARADOX_MOVES

    def build_question(self, seat: int) -> Question:
        """What a pending seat is asked."""
        return answers.question(self, seat)

    def answer_of(self, seat: int, move: int) -> dict[str, Any]:
        return answers.answer(self.phase_id, move)

    def describe_move(self, seat: int, move: int) -> Steps:
        return choices.steps(self, seat, move)

    def parse_answer(self, seat: int, data: Any) -> int:
        return answers.read(self, seat, data)

    # -- transitions -------------------------------------------------------------------------------------------------

    @classmethod
    def deal(cls, setup: Setup, told: Told) -> Self:
        table = table_of(setup.players, setup.options)
        return cls._deal(OPENING, setup, table, 1, Rng.of("cat_in_the_box", setup.seed), (), told)

    @classmethod
    def _deal(
        cls, origin: Any, setup: Setup, table: Table, number: int, rng: Rng, results: tuple[Result, ...], told: Told
    ) -> Self:
        players, dealt = table.players, table.dealt
        deck = shuffled(table.deck, rng)
        hands = tuple([counted(sum(deck[seat * dealt : (seat + 1) * dealt])) for seat in table.seats])
        left_over = deck[players * dealt :]
        revealed: tuple[int, ...] = ()
        free = table.board
        if table.two_player:  # rule 19
            revealed = tuple(rank_counted(card) for card in left_over[:REVEALED])
            left_over = left_over[REVEALED:]
            free &= ~neutral_cells(revealed)
        zeros = (0,) * players
        state = cls(
            origin,
            setup,
            frame=Round(table, number, rng.word, counted(sum(left_over)), revealed, (), None, results),
            phase_id=DISCARD,
            pending=table.seats,
            hands=hands,
            discards=zeros,
            bids=zeros,
            tokens=zeros,
            x_tokens=(ALL_CELLS,) * players,  # rule 4
            free=free,
            plays=(),
            leader=(number - 1) % players,  # rules 8 and 18
            led=0,
            tricks_won=zeros,
            playable=0,
        )
        if told is not None:
            telling.dealt(told, state)
        return state

    def apply(self, seat: int, move: int, told: Told) -> State:
        phase = self.phase_id
        if phase == PLAY:
            return self._play_card(seat, move, told)
        if phase == DISCARD:
            return self._discard(seat, move, told)
        if phase == BID:
            return self._bid(seat, move, told)
        return self._score((self, seat, move), told)

    def _discard(self, seat: int, rank: int, told: Told) -> State:
        state = self._replace(
            origin=(self, seat, rank),
            pending=tuple([other for other in self.pending if other != seat]),
            hands=_with(self.hands, seat, without(self.hands[seat], rank)),  # rule 5
            discards=_with(self.discards, seat, rank),
        )
        if not state.pending:
            state = state._start_play() if self.table.two_player else state._ask(BID, self.leader)  # rule 19
        if told is not None:
            telling.discarded(told, state, seat)
        return state

    def _bid(self, seat: int, bid: int, told: Told) -> State:
        state = self._replace(origin=(self, seat, bid), bids=_with(self.bids, seat, bid))
        turn = (seat + 1) % self.table.players
        state = state._start_play() if turn == self.leader else state._ask(BID, turn)  # rule 6
        if told is not None:
            telling.bid(told, state, seat)
        return state

    def _ask(self, phase_id: int, seat: int, playable: int = 0) -> State:
        return self._replace(phase_id=phase_id, pending=self.table.alone[seat], playable=playable)

    def _start_play(self) -> State:
        leader = self.leader
        return self._ask(PLAY, leader, playable_cells(self.table, self.hands[leader], ALL_CELLS, self.free, 0))

    def _play_card(self, seat: int, cell: int, told: Told) -> State:
        (_, setup, frame, phase, _, hands, discards, bids, tokens, x_rows, free, plays, leader, led, won, _) = self
        table = frame.table
        bit = 1 << cell
        hand = without(hands[seat], cell % WIDTH)
        hands = _with(hands, seat, hand)
        tokens = _with(tokens, seat, tokens[seat] | bit)  # rule 12
        free ^= bit
        plays += (cell,)
        if not led:
            led = ROW_OF[cell]
        elif not led & bit and led & x_rows[seat]:
            x_rows = _with(x_rows, seat, x_rows[seat] ^ led)  # rule 11
        turn = (seat + 1) % table.players
        over = False
        if turn == leader:
            turn = leader = winning_seat(plays[-table.players :], leader)
            won = _with(won, turn, won[turn] + 1)
            led = 0
            over = hand.bit_count() == 1  # rule 14
        legal = 0 if over else playable_cells(table, hands[turn], x_rows[turn], free, led)
        pending = table.alone[turn]
        origin = (self, seat, cell)
        new = origin, setup, frame, phase, pending, hands, discards, bids, tokens, x_rows, free, plays, leader, led, won, legal
        state: State = _new(State, new)
        if told is not None:
            telling.played(told, self, state, seat, cell)
        if legal:
            return state
        return state._score(state.origin, told) if over else state._paradox(turn, told)

    def _paradox(self, seat: int, told: Told) -> State:
        state = self._replace(frame=self.frame._replace(paradox=seat), phase_id=PARADOX)  # rule 15
        if told is not None:
            telling.paradox(told, state)
        return state if self.table.explicit_paradox else state._score(self.origin, told)

    def _score(self, origin: Any, told: Told) -> State:
        table, frame = self.table, self.frame
        shown = 0 if frame.paradox is None else self.hands[frame.paradox]
        result = result_of(frame, self.bids, self.tricks_won, self.tokens, self.plays, shown)
        results = (*frame.results, result)
        if told is not None:
            telling.scored(told, result)
        if frame.number < table.rounds:
            return State._deal(origin, self.setup, table, frame.number + 1, Rng(frame.chance), results, told)
        state = self._replace(origin=origin, frame=frame._replace(results=results), phase_id=GAME_OVER, pending=())
        if told is not None:
            telling.game_over(told, state)
        return state

    def apply_strike_out(self, seat: int, told: Told) -> State:
        rng = Rng(self.frame.chance)
        move = rng.choice(self.legal_moves(seat))
        penalty = Penalty(seat, self.phase_id, NOT_YET if self.phase_id == DISCARD else move)
        frame = self.frame._replace(chance=rng.word, penalties=(*self.frame.penalties, penalty))
        if told is not None:
            telling.struck_out(told, self, penalty)
        after = self._replace(frame=frame).apply(seat, move, told)
        return after._replace(origin=(self, seat, STRIKE_OUT))

    # -- information -------------------------------------------------------------------------------------------------

    def build_view(self, seat: int | None) -> View:
        """All that a seat (None: a spectator) may know."""
        return viewing.view(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> State:
        """A state drawn from the information set of a seat: the hands, discards and left-over cards it cannot know."""
        return hidden.resample(self, seat, rng)

    # -- results -----------------------------------------------------------------------------------------------------

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat in the rounds finished so far."""
        return tuple(sum(result.points[seat] for result in self.frame.results) for seat in self.table.seats)

    @property
    def winners(self) -> tuple[int, ...]:
        """Every seat that shares the win; empty before the end."""
        return () if self.pending else leaders(self.scores, self.frame.results[-1].points)

    @property
    def ending(self) -> tuple[str, ...]:
        """Why the match ended; empty before the end."""
        if self.pending:
            return ()
        seat = self.frame.paradox
        how = "every player has one card left" if seat is None else f"{seat_name(seat)} is in a paradox"
        return (f"round {self.round} of {self.table.rounds} is over: {how}",)

    # -- as data -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The whole state, hidden parts included."""
        return saving.to_json(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The state that `to_json` wrote."""
        return cls._make(saving.fields_of(cls.game.setup_from_json(data["setup"]), data))


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """The values with another one for that seat."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)


_new: Any = tuple.__new__
