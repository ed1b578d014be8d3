"""Leduc poker as a game, and the exact value of each of its moves under a plan.

Six cards, two each of jack, queen and king. Both players ante a chip and get a card; after a round of betting a common card is
turned up, and there is a second round. A raise is 2 chips in the first and 4 in the second round, and a round has at most two.
A pair with the common card wins, then the higher card; equal cards split the pot. Source: Southey et al., Bayes' Bluff:
Opponent Modelling in Poker, UAI 2005.

A share of the win says who takes the pot, not how many chips are in it: 1 for the winner, 0 for the loser, 1/2 each if it is
split. `chips` has the size, for comparisons with solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple, Self

from games.core import (
    OPENING,
    Action,
    Edge,
    Event,
    Game,
    IllegalAction,
    Options,
    Phase,
    Phases,
    Policy,
    Question,
    Rng,
    Setup,
    View,
)
from games.core import State as CoreState

RANKS = (1, 2, 3)
"""Jack, queen, king."""

HIDDEN = 0
"""In place of the common card before it is turned up."""

FOLD, CALL, RAISE = "fold", "call", "raise"
"""Moves; a call where there is nothing to pay is a check. A line of moves has their first letters, `/` between the rounds."""

NAMES = {name[0]: name for name in (FOLD, CALL, RAISE)}
RAISES, MOST_RAISES = (2, 4), 2

Deal = tuple[int, int, int]
"""The card of each seat and the common one."""

DEALS: tuple[Deal, ...] = tuple((one, two, common) for one, two, common in permutations(RANKS * 2, 3))
"""All 120 deals, which are equally likely; those that differ in suits alone are equal."""

Plan = Callable[[int, int, str], Mapping[str, float]]
"""From the own card, the common one and the line, the probability of every legal move by its letter."""

PHASES = Phases([Phase(0, "Betting", "", "a player", (Edge(99, ""),)), Phase(99, "Over", "", "", ())])


class Place(NamedTuple):
    """A line of moves: the seat to move (None at the end), the letters of its legal moves, what each seat has paid, and the
    seat that has folded."""

    seat: int | None
    moves: str
    paid: tuple[int, int]
    folded: int | None = None


@cache
def place_of(line: str) -> Place:
    """Where a line of moves leads."""
    paid, rounds = [1, 1], line.split("/")
    for amount, moves in zip(RAISES, rounds, strict=False):
        for number, move in enumerate(moves):
            seat = number % 2
            if move == FOLD[0]:
                return Place(None, "", (paid[0], paid[1]), seat)
            paid[seat] = paid[1 - seat] + (amount if move == RAISE[0] else 0)
    last = rounds[-1]
    if len(rounds) == len(RAISES) and last[1:].endswith(CALL[0]):
        return Place(None, "", (paid[0], paid[1]))
    fold = FOLD[0] if paid[0] != paid[1] else ""
    further = RAISE[0] if last.count(RAISE[0]) < MOST_RAISES else ""
    return Place(len(last) % 2, fold + CALL[0] + further, (paid[0], paid[1]))


@cache
def after(line: str, move: str) -> str:
    """The line with one more move. A call ends a round unless it is the first move."""
    is_next_round = move == CALL[0] and "/" not in line and line != ""
    return f"{line}{move}/" if is_next_round else line + move


def lines() -> list[str]:
    """All lines after which somebody has to move."""
    found = [""]
    for line in found:
        found += [new for move in place_of(line).moves if place_of(new := after(line, move)).seat is not None]
    return found


def information_sets() -> list[tuple[int, int, str]]:
    """All that a player to move can know: its card, the common one (or HIDDEN), the line."""
    return [(card, common, line) for line in lines() for card in RANKS for common in (RANKS if "/" in line else (HIDDEN,))]


@dataclass(frozen=True, slots=True)
class LeducOptions(Options):
    """None."""


class Fields(NamedTuple):
    """What a state consists of."""

    origin: Any
    setup: Setup
    deal_: Deal
    line: str


class State(CoreState, Fields):
    """A match."""

    __slots__ = ()

    @property
    def pending(self) -> tuple[int, ...]:
        seat = place_of(self.line).seat
        return () if seat is None else (seat,)

    @property
    def phase_id(self) -> int:
        return 0 if self.pending else 99

    @property
    def round(self) -> int:
        return 1 + self.line.count("/")

    @property
    def common(self) -> int:
        """The common card as everybody sees it."""
        return self.deal_[2] if "/" in self.line else HIDDEN

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(int(seat in self.winners) for seat in (0, 1))

    @property
    def ending(self) -> tuple[str, ...]:
        return ("the pot is won or split",) if self.winners else ()

    @property
    def winners(self) -> tuple[int, ...]:
        if self.pending:
            return ()
        first = share(self.deal_, self.line)
        return (0, 1) if first == 0.5 else (0,) if first else (1,)

    def legal_moves(self, seat: int) -> Sequence[str]:
        return tuple(NAMES[letter] for letter in place_of(self.line).moves)

    def answer_of(self, seat: int, move: str) -> dict[str, Any]:
        return {"move": move}

    def build_question(self, seat: int) -> Question:
        return Question(f"One of: {', '.join(self.legal_moves(seat))}.", {}, "player")

    def parse_answer(self, seat: int, data: Any) -> str:
        found = next((move for move in self.legal_moves(seat) if data == {"move": move}), None)
        if found is None:
            raise IllegalAction(f"It has to be one of: {', '.join(self.legal_moves(seat))}.")
        return found

    @classmethod
    def deal(cls, setup: Setup, events: list[Event] | None) -> Self:
        return cls(OPENING, setup, Rng(setup.seed).choice(DEALS), "")

    def apply(self, seat: int, move: str, events: list[Event] | None) -> Self:
        return self._replace(origin=(self, seat, move), line=after(self.line, move[0]))

    def apply_strike_out(self, seat: int, events: list[Event] | None) -> Self:
        return self.apply(seat, self.legal_moves(seat)[0], events)

    def build_view(self, seat: int | None) -> View:
        own = None if seat is None else {"card": self.deal_[seat]}
        return {"seat": seat, "own": own, "common": self.common, "line": self.line}

    def to_json(self) -> dict[str, Any]:
        return {"setup": self.setup.to_json(), "deal": list(self.deal_), "line": self.line}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(None, cls.game.setup_from_json(data["setup"]), tuple(data["deal"]), data["line"])

    def resample(self, seat: int | None, rng: Rng) -> Self:
        deals = fitting(seat, HIDDEN if seat is None else self.deal_[seat], self.common)
        return self._replace(origin=None, deal_=rng.choice(deals))


@cache
def fitting(seat: int | None, card: int, common: int) -> tuple[Deal, ...]:
    """The deals that fit what a seat (None: a spectator) sees."""
    return tuple(deal for deal in DEALS if (seat is None or deal[seat] == card) and common in (HIDDEN, deal[2]))


def share(deal: Deal, line: str) -> float:
    """The first player's share of the win at the end of a line of moves."""
    folded = place_of(line).folded
    if folded is not None:
        return float(folded)
    first, second = (4 if card == deal[2] else card for card in deal[:2])
    return 0.5 if first == second else float(first > second)


def chips(deal: Deal, line: str) -> float:
    """What the first player wins at the end of a line of moves, in chips."""
    return (2 * share(deal, line) - 1) * min(place_of(line).paid)


def level(card: int, common: int, line: str) -> dict[str, float]:
    """A plan that makes every legal move equally often."""
    moves = place_of(line).moves
    return dict.fromkeys(moves, 1 / len(moves))


@cache
def by_strength(card: int, common: int, line: str) -> dict[str, float]:
    """A plan that raises strong cards and folds weak ones more often, and makes every legal move sometimes."""
    strength = 4 if card == common else card
    weights = {FOLD[0]: 5 - strength, CALL[0]: 3, RAISE[0]: strength}
    moves = place_of(line).moves
    return {move: weights[move] / sum(weights[other] for other in moves) for move in moves}


def chance(plan: Plan, deal: Deal, line: str, move: str) -> float:
    """The probability of a move."""
    seat = place_of(line).seat
    assert seat is not None, "nobody moves after the end"
    return plan(deal[seat], deal[2] if "/" in line else HIDDEN, line)[move]


@cache
def reach(plan: Plan, deal: Deal, line: str, without: int | None) -> float:
    """The probability that the moves of a line are made, those of one seat left out."""
    found, before = 1.0, ""
    for move in line.replace("/", ""):
        if place_of(before).seat != without:
            found *= chance(plan, deal, before, move)
        before = after(before, move)
    return found


@cache
def value(plan: Plan, deal: Deal, line: str, worth: Callable[[Deal, str], float] = share) -> float:
    """What the first player expects of a deal when both follow the plan: its share of the win, or its chips."""
    place = place_of(line)
    if place.seat is None:
        return worth(deal, line)
    return sum(chance(plan, deal, line, move) * value(plan, deal, after(line, move), worth) for move in place.moves)


@cache
def exact(plan: Plan, card: int, common: int, line: str, move: str) -> float:
    """The share of the win that a move brings, from what its player knows, by enumeration of all deals."""
    seat = place_of(line).seat
    deals = fitting(seat, card, common)
    weights = [reach(plan, deal, line, seat) for deal in deals]
    values = [value(plan, deal, after(line, move[0])) for deal in deals]
    first = sum(weight * one for weight, one in zip(weights, values, strict=True)) / sum(weights)
    return 1 - first if seat else first


def playing(plan: Plan) -> Policy:
    """The policy that follows a plan."""

    def choose(state: Any, seat: int, rng: Rng) -> Action:
        number, chosen = rng.random(), ""
        for move, probability in plan(state.deal_[seat], state.common, state.line).items():
            number, chosen = number - probability, move
            if number < 0:
                break
        return Action(state, seat, NAMES[chosen])

    return choose


def likelihood_of(plan: Plan) -> Callable[[Any, int | None], Callable[[Any], float]]:
    """How likely the other player's moves so far are in a world, in relation to the likeliest one, if the plan is followed."""

    def likelihood(state: State, seat: int | None) -> Callable[[State], float]:
        deals = fitting(seat, HIDDEN if seat is None else state.deal_[seat], state.common)
        most = max(reach(plan, deal, state.line, seat) for deal in deals)
        return lambda world: reach(plan, world.deal_, world.line, seat) / most

    return likelihood


def state_of(plan: Plan, card: int, common: int, line: str) -> State:
    """A state in which a player of a plan is to move and knows this."""
    return State(None, game(plan).set_up(2, 0, None, {}), fitting(place_of(line).seat, card, common)[0], line)


def game(plan: Plan) -> Game:
    """Leduc poker between players of a plan."""
    return Game(
        name="leduc",
        title="Leduc poker",
        summary="",
        players=range(2, 3),
        default_players=2,
        phases=PHASES,
        roles={},
        options_type=LeducOptions,
        presets={"leduc": {}},
        rules_version="1",
        state_type=State,
        bots={"steady": playing(plan)},
        likelihood=likelihood_of(plan),
    )
