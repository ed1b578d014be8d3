"""A position of Cat in the Box: its fields, the records they are made of, and its JSON.

Cells are numbers as in `board` (37 is red 7). In JSON, hands are lists of ranks and colours are written out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

from games.cat_in_the_box.board import ROW_OF, ROWS, cells, colours_of, mask_of, neutral_cells
from games.cat_in_the_box.cards import cards_of, hand_of
from games.cat_in_the_box.options import MatchRules, match_rules
from games.cat_in_the_box.phases import DISCARD, GAME_OVER
from games.core import Setup

NOT_YET = 0
"""A discard or bid that is still to be made."""


class Penalty(NamedTuple):
    """A point lost by a struck-out seat, the phase, and the move drawn for it: NOT_YET for a discard, which stays hidden."""

    seat: int
    phase_id: int
    move: int


class Result(NamedTuple):
    """A finished round. `paradox` is the seat that was in one, and `shown` its hand."""

    bids: tuple[int, ...]
    tricks_won: tuple[int, ...]
    tokens: tuple[int, ...]
    revealed: tuple[int, ...]
    plays: tuple[int, ...]
    paradox: int | None
    shown: int
    penalties: tuple[Penalty, ...]
    bonuses: tuple[int, ...]
    points: tuple[int, ...]


class Context(NamedTuple):
    """What a play leaves unchanged, in one field so that a play copies little.

    `number` is that of the round. `aside` holds the left-over cards that nobody has seen, `revealed` the ranks of those
    turned up. The next random draw comes from the word `chance`. `paradox` is the seat in a paradox, `results` has the
    finished rounds.
    """

    rules: MatchRules
    number: int
    chance: int
    aside: int
    revealed: tuple[int, ...]
    penalties: tuple[Penalty, ...]
    paradox: int | None
    results: tuple[Result, ...]


class Position(NamedTuple):
    """The fields of a state. Discards and bids are NOT_YET until made.

    `tokens` has the cells of each seat, `x_tokens` the rows it may still declare, `free` the empty cells, `plays`
    the cells of the round in order of play. `led` is the row of the led colour, 0 when a trick is to be led, and
    `playable` the legal cells of the seat to play.
    """

    origin: Any
    setup: Setup
    context: Context
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

    @property
    def round(self) -> int:
        """The number of the round being played, from 1."""
        return self.context.number

    @property
    def rules(self) -> MatchRules:
        """The rules as the number of players and the options fix them."""
        return self.context.rules

    @property
    def turn(self) -> int | None:
        """The first seat that owes a decision, None at the end."""
        return self.pending[0] if self.pending else None

    @property
    def start_player(self) -> int:
        """The seat that bids and leads first in this round (rules 6, 8 and 18)."""
        return (self.context.number - 1) % self.rules.players

    @property
    def trick(self) -> tuple[int, ...]:
        """The cells of the trick in progress, the leader's first."""
        return self.plays[len(self.plays) - len(self.plays) % self.rules.players :]

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat in the rounds finished so far."""
        return tuple(sum(result.points[seat] for result in self.context.results) for seat in self.rules.seats)


P = TypeVar("P", bound=Position)


def to_json(position: Position) -> dict[str, Any]:
    """The whole position, hidden parts included."""
    context = position.context
    return {
        "setup": position.setup.to_json(),
        "phase": position.phase_id,
        "turn": position.turn,
        "round": context.number,
        "chance": context.chance,
        "aside": cards_of(context.aside),
        "revealed": list(context.revealed),
        "hands": [cards_of(hand) for hand in position.hands],
        "discards": list(position.discards),
        "bids": list(position.bids),
        "tokens": [list(cells(tokens)) for tokens in position.tokens],
        "x_tokens": [colours_of(rows) for rows in position.x_tokens],
        "plays": list(position.plays),
        "leader": position.leader,
        "tricks_won": list(position.tricks_won),
        "penalties": [list(penalty) for penalty in context.penalties],
        "paradox": context.paradox,
        "results": [_result_to_json(result) for result in context.results],
    }


def copies(make: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The function, which makes JSON data of a finished round: worked out once, and read again for each caller."""
    written = lru_cache(4096)(lambda *values: json.dumps(make(*values)))
    return lambda *values: cast(dict[str, Any], json.loads(written(*values)))


@copies
def _result_to_json(result: Result) -> dict[str, Any]:
    return {
        "bids": list(result.bids),
        "tricks_won": list(result.tricks_won),
        "tokens": [list(cells(tokens)) for tokens in result.tokens],
        "revealed": list(result.revealed),
        "plays": list(result.plays),
        "paradox": result.paradox,
        "shown": cards_of(result.shown),
        "penalties": [list(penalty) for penalty in result.penalties],
        "bonuses": list(result.bonuses),
        "points": list(result.points),
    }


def from_json(kind: type[P], setup: Setup, data: dict[str, Any]) -> P:
    """The position that `to_json` wrote, but for its legal plays (`actions.with_playable`)."""
    rules = match_rules(setup.players, setup.options)
    discards, plays = tuple(data["discards"]), tuple(data["plays"])
    tokens = tuple(mask_of(owned) for owned in data["tokens"])
    in_trick = len(plays) % rules.players
    return kind(
        origin=None,
        setup=setup,
        context=_context(rules, data),
        phase_id=data["phase"],
        pending=_pending(rules, data["phase"], data["turn"], discards),
        hands=tuple(hand_of(hand) for hand in data["hands"]),
        discards=discards,
        bids=tuple(data["bids"]),
        tokens=tokens,
        x_tokens=tuple(sum(ROWS[colour] for colour in colours) for colours in data["x_tokens"]),
        free=rules.board & ~(neutral_cells(data["revealed"]) | sum(tokens)),
        plays=plays,
        leader=data["leader"],
        led=ROW_OF[plays[-in_trick]] if in_trick else 0,
        tricks_won=tuple(data["tricks_won"]),
        playable=0,
    )


def _pending(rules: MatchRules, phase_id: int, turn: int, discards: tuple[int, ...]) -> tuple[int, ...]:
    if phase_id == DISCARD:
        return tuple(seat for seat in rules.seats if discards[seat] == NOT_YET)
    return () if phase_id == GAME_OVER else rules.alone[turn]


def _context(rules: MatchRules, data: dict[str, Any]) -> Context:
    return Context(
        rules,
        data["round"],
        data["chance"],
        hand_of(data["aside"]),
        tuple(data["revealed"]),
        _penalties(data),
        data["paradox"],
        tuple(_result(result) for result in data["results"]),
    )


def _penalties(data: dict[str, Any]) -> tuple[Penalty, ...]:
    return tuple(Penalty(*penalty) for penalty in data["penalties"])


def _result(data: dict[str, Any]) -> Result:
    return Result(
        tuple(data["bids"]),
        tuple(data["tricks_won"]),
        tuple(mask_of(owned) for owned in data["tokens"]),
        tuple(data["revealed"]),
        tuple(data["plays"]),
        data["paradox"],
        hand_of(data["shown"]),
        _penalties(data),
        tuple(data["bonuses"]),
        tuple(data["points"]),
    )
