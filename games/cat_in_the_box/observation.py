"""Numbers for learning: an observation of fixed shape for each seat, and integer action ids with a legal mask.

`observe(state, seat)` is a flat tuple of `SIZE` integers for any number of players, options and phase; `LEGEND` says what
lies where. It holds what is public and, for a seat, its own hand and discard; for a spectator (None) those are zero. Seats
are counted as in the game, rows in the order red, blue, yellow, green, and what a table does not use is zero.

Action ids: 0 to 8 remove a card of rank 1 to 9, 9 to 12 bid 1 to 4, 13 to 48 declare a cell (nine red ones, then blue,
yellow and green), and 49 is the paradox where it is to be answered.
"""

from __future__ import annotations

from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from games.cat_in_the_box.board import COLOURS, RANKS, ROWS, WIDTH, cell_at, rank_of
from games.cat_in_the_box.cards import cards_of
from games.cat_in_the_box.legality import PARADOX_MOVE, red_is_broken
from games.cat_in_the_box.phases import BID, DISCARD, PHASES, PLAY
from games.cat_in_the_box.rounds import NOT_YET
from games.cat_in_the_box.scoring import winning_seat
from games.cat_in_the_box.table import neutral_cells
from games.cat_in_the_box.viewing import hand_sizes
from games.core import Action

if TYPE_CHECKING:
    from games.cat_in_the_box.state import State

SEATS = 5
MOST_RANKS = len(RANKS)
MOST_TRICKS = 9
MOST_BID = 4
_CELLS = len(COLOURS) * MOST_RANKS

_BIDS = MOST_RANKS
_PLAYS = _BIDS + MOST_BID
_PARADOX = _PLAYS + _CELLS
ACTIONS = _PARADOX + 1
"""Every action id is below this."""


class Part(NamedTuple):
    """A part of an observation: where it begins, its shape (the last index runs fastest) and what it means."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


_PARTS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("players", (1,), "how many play"),
    ("ranks", (1,), "the highest rank"),
    ("rounds", (1,), "how many rounds are played"),
    ("round", (1,), "the round being played, from 1"),
    ("observer", (SEATS,), "1 at the observing seat; a spectator has none"),
    ("phase", (len(PHASES),), "1 at the phase, in the order of the phase table"),
    ("turn", (SEATS,), "1 at the seat to bid or play; nobody while everybody removes a card"),
    ("start_player", (SEATS,), "1 at the start player of the round"),
    ("leader", (SEATS,), "1 at the leader of the trick"),
    ("scores", (SEATS,), "points of the finished rounds"),
    ("bids", (SEATS,), "the bid, 0 for none yet"),
    ("tricks_won", (SEATS,), "tricks won in this round"),
    ("penalties", (SEATS,), "points lost in this round for invalid answers"),
    ("hand_sizes", (SEATS,), "cards in hand; those dealt while everybody removes a card"),
    ("x_tokens", (SEATS, 4), "1 where the seat may still declare the colour"),
    ("board", (SEATS + 1, 4, MOST_RANKS), "1 where the seat, or at last index 5 nobody (neutral), has a token"),
    ("red_broken", (1,), "1 when some player's token lies in the red row"),
    ("led_colour", (4,), "1 at the led colour of the trick"),
    ("trick", (SEATS, 2), "rank and colour (1 red to 4 green) of the seat's play to the trick, 0 for none"),
    ("finished_tricks", (MOST_TRICKS, SEATS, 2), "the same for each finished trick"),
    ("trick_leaders", (MOST_TRICKS, SEATS), "1 at the leader of each finished trick"),
    ("drawn", (MOST_TRICKS + 2, SEATS), "1 where a discard, a bid or a play to a trick was drawn for a struck-out seat"),
    ("shown_hand", (SEATS, MOST_RANKS), "how many of each rank the seat in a paradox shows"),
    ("own_hand", (MOST_RANKS,), "how many of each rank the observer holds"),
    ("own_discard", (MOST_RANKS,), "1 at the rank the observer removed"),
)
_STARTS = (0, *accumulate(prod(shape) for _, shape, _ in _PARTS))

LEGEND = {name: Part(name, start, shape, meaning) for (name, shape, meaning), start in zip(_PARTS, _STARTS, strict=False)}
"""The parts of an observation by name, in order."""

SIZE = _STARTS[-1]
"""How many numbers an observation has."""


def observe(state: State, seat: int | None) -> tuple[int, ...]:
    """What a seat (None: a spectator) may know, in numbers."""
    table, frame = state.table, state.frame
    trick, tricks, trick_leaders = _tricks(state)
    numbers = [table.players, table.ranks, table.rounds, frame.number]
    numbers += _at(seat, SEATS) + _at(state.phase_id - PHASES[0].id, len(PHASES))
    numbers += _at(None if state.phase_id == DISCARD else state.actor, SEATS)
    numbers += _at(state.start_player, SEATS) + _at(state.leader, SEATS)
    for values in (state.scores, state.bids, state.tricks_won, _penalties(state), hand_sizes(state)):
        numbers += _padded(values, SEATS)
    numbers += _padded([int(bool(rows & ROWS[colour])) for rows in state.x_tokens for colour in COLOURS], SEATS * 4)
    numbers += _board(state)
    numbers += [int(red_is_broken(table, state.free))] + [int(state.led == ROWS[colour]) for colour in COLOURS]
    numbers += trick + _padded(tricks, LEGEND["finished_tricks"].size)
    numbers += _padded(trick_leaders, LEGEND["trick_leaders"].size) + _drawn(state)
    for other in range(SEATS):
        numbers += _counts(state.hands[other] if other == frame.paradox else 0)
    numbers += _counts(0 if seat is None else state.hands[seat])
    discard = NOT_YET if seat is None else state.discards[seat]
    return (*numbers, *_at(None if discard == NOT_YET else discard - 1, MOST_RANKS))


def _at(place: int | None, size: int) -> list[int]:
    return [int(place == other) for other in range(size)]


def _padded(values: list[int] | tuple[int, ...], size: int) -> list[int]:
    return [*values, *[0] * (size - len(values))]


def _counts(hand: int) -> list[int]:
    cards = cards_of(hand)
    return [cards.count(rank) for rank in RANKS]


def _penalties(state: State) -> list[int]:
    return [sum(penalty.seat == seat for penalty in state.frame.penalties) for seat in state.table.seats]


def _board(state: State) -> list[int]:
    owned = _padded(state.tokens, SEATS)
    planes = [*owned, neutral_cells(state.frame.revealed)]
    return [plane >> cell_at(colour, rank) & 1 for plane in planes for colour in COLOURS for rank in RANKS]


def _tricks(state: State) -> tuple[list[int], list[int], list[int]]:
    """The trick in progress, the finished ones and their leaders."""
    players, leader = state.table.players, state.start_player
    tricks: list[int] = []
    leaders: list[int] = []
    for first in range(0, len(state.plays) // players * players, players):
        trick = state.plays[first : first + players]
        tricks += _by_seat(trick, leader, players)
        leaders += _at(leader, SEATS)
        leader = winning_seat(trick, leader)
    return _by_seat(state.trick, state.leader, players), tricks, leaders


def _by_seat(trick: tuple[int, ...], leader: int, players: int) -> list[int]:
    numbers = [0] * (2 * SEATS)
    for place, cell in enumerate(trick):
        seat = (leader + place) % players
        numbers[2 * seat : 2 * seat + 2] = rank_of(cell), _row(cell) + 1
    return numbers


def _row(cell: int) -> int:
    """The row of a cell, counted from the top."""
    return len(COLOURS) - 1 - cell // WIDTH


def _drawn(state: State) -> list[int]:
    numbers = [0] * LEGEND["drawn"].size
    for seat, phase_id, move in state.frame.penalties:
        if phase_id == PLAY:
            numbers[(2 + state.plays.index(move) // state.table.players) * SEATS + seat] = 1
        elif phase_id in (DISCARD, BID):
            numbers[(phase_id == BID) * SEATS + seat] = 1
    return numbers


def action_id(action: Action) -> int:
    """The id of an action."""
    return _id(action.state.phase_id, action.move)


def _id(phase_id: int, move: int) -> int:
    if phase_id == DISCARD:
        return move - 1
    if phase_id == BID:
        return _BIDS + move - 1
    return _PARADOX if move == PARADOX_MOVE else _PLAYS + MOST_RANKS * _row(move) + rank_of(move) - 1


def action_of(state: State, number: int, seat: int | None = None) -> Action:
    """The legal action of that id of a seat (by default the one decided for next). ValueError when there is none."""
    decides = state.actor if seat is None else seat
    for action in () if decides is None else state.actions_of(decides):
        if action_id(action) == number:
            return action
    raise ValueError(f"action {number} is not legal now")


def legal_mask(state: State, seat: int | None = None) -> tuple[int, ...]:
    """For each action id 1 when it is legal for a seat (by default the one decided for next); all 0 when it owes nothing."""
    decides = state.actor if seat is None else seat
    mask = [0] * ACTIONS
    for action in () if decides is None else state.actions_of(decides):
        mask[action_id(action)] = 1
    return tuple(mask)
