"""Kuhn poker as a game, and the exact value of each of its moves under a policy.

The player wins a lottery at the end: with (2 + chips won) / 4. So the expected share of the win is the expected payoff, scaled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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

CARDS = (1, 2, 3)
PASS, BET = "pass", "bet"
LATER = {"": 0, PASS[0]: 1, BET[0]: 1, PASS[0] + BET[0]: 0}
"""By the moves so far, the seat to move. Any other line of moves is the end."""

Plan = Mapping[tuple[int, str], float]
"""By the own card and the moves so far, the probability of a bet."""

PHASES = Phases([Phase(0, "Betting", "", "a player", (Edge(99, ""),)), Phase(99, "Over", "", "", ())])


@dataclass(frozen=True, slots=True)
class KuhnOptions(Options):
    """None."""


class Fields(NamedTuple):
    """What a state consists of: `deal` has each seat's card, `line` the first letters of the moves."""

    origin: Any
    setup: Setup
    deal_: tuple[int, int]
    line: str
    word: int


class State(CoreState, Fields):
    """A match."""

    __slots__ = ()

    @property
    def pending(self) -> tuple[int, ...]:
        return (LATER[self.line],) if self.line in LATER else ()

    @property
    def phase_id(self) -> int:
        return 0 if self.line in LATER else 99

    @property
    def round(self) -> int:
        return 1

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(int(seat in self.winners) for seat in (0, 1))

    @property
    def ending(self) -> tuple[str, ...]:
        return ("somebody has won",) if self.winners else ()

    @property
    def winners(self) -> tuple[int, ...]:
        if self.line in LATER:
            return ()
        return (0,) if Rng(self.word).random() < (2 + chips(self.deal_, self.line)) / 4 else (1,)

    def legal_moves(self, seat: int) -> Sequence[str]:
        return (PASS, BET)

    def answer_of(self, seat: int, move: str) -> dict[str, Any]:
        return {"move": move}

    def build_question(self, seat: int) -> Question:
        return Question("Bet or pass.", {}, "player")

    def parse_answer(self, seat: int, data: Any) -> str:
        if data not in ({"move": PASS}, {"move": BET}):
            raise IllegalAction("It has to be a bet or a pass.")
        return str(data["move"])

    @classmethod
    def deal(cls, setup: Setup, events: list[Event] | None) -> Self:
        rng = Rng(setup.seed)
        first, second, _ = rng.shuffled(CARDS)
        return cls(OPENING, setup, (first, second), "", rng.next())

    def apply(self, seat: int, move: str, events: list[Event] | None) -> Self:
        return self._replace(origin=(self, seat, move), line=self.line + move[0])

    def apply_strike_out(self, seat: int, events: list[Event] | None) -> Self:
        return self.apply(seat, PASS, events)

    def build_view(self, seat: int | None) -> View:
        return {"seat": seat, "own": None if seat is None else {"card": self.deal_[seat]}, "line": self.line}

    def to_json(self) -> dict[str, Any]:
        return {"setup": self.setup.to_json(), "deal": list(self.deal_), "line": self.line, "word": self.word}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(None, cls.game.setup_from_json(data["setup"]), tuple(data["deal"]), data["line"], data["word"])

    def resample(self, seat: int | None, rng: Rng) -> Self:
        deals = [deal for deal in permutations(CARDS, 2) if seat is None or deal[seat] == self.deal_[seat]]
        return self._replace(origin=None, deal_=rng.choice(deals), word=rng.next())


def chips(deal: tuple[int, int], line: str) -> int:
    """What the first player wins at the end of a line of moves."""
    if line in ("bp", "pbp"):
        return 1 if line == "bp" else -1
    stake = 2 if line.endswith("bb") else 1
    return stake if deal[0] > deal[1] else -stake


def playing(plan: Plan) -> Policy:
    """The policy that follows a plan."""

    def choose(state: Any, seat: int, rng: Rng) -> Action:
        return Action(state, seat, BET if rng.random() < plan[state.deal_[seat], state.line] else PASS)

    return choose


def likelihood_of(plan: Plan) -> Callable[[Any, int | None], Callable[[Any], float]]:
    """How likely the other player's moves so far are with a card, if the plan is followed."""

    def likelihood(state: State, seat: int | None) -> Callable[[State], float]:
        return lambda world: reach(plan, world.deal_, world.line, seat)

    return likelihood


def reach(plan: Plan, deal: tuple[int, int], line: str, without: int | None) -> float:
    """The probability that the moves of a line are made, those of one seat left out."""
    found = 1.0
    for place, move in enumerate(line):
        if LATER[line[:place]] != without:
            found *= chance(plan, deal, line[:place], move)
    return found


def chance(plan: Plan, deal: tuple[int, int], line: str, move: str) -> float:
    """The probability of a move."""
    bet = plan[deal[LATER[line]], line]
    return bet if move == BET[0] else 1 - bet


def value(plan: Plan, deal: tuple[int, int], line: str) -> float:
    """The first player's expected share of the win when both follow the plan."""
    if line not in LATER:
        return (2 + chips(deal, line)) / 4
    return sum(chance(plan, deal, line, move) * value(plan, deal, line + move) for move in "pb")


def exact(plan: Plan, card: int, line: str, move: str) -> float:
    """The share of the win that a move brings, from what its player knows, by enumeration."""
    seat = LATER[line]
    deals = [deal for deal in permutations(CARDS, 2) if deal[seat] == card]
    weights = [reach(plan, deal, line, seat) for deal in deals]
    first = sum(weight * value(plan, deal, line + move[0]) for weight, deal in zip(weights, deals, strict=True)) / sum(weights)
    return 1 - first if seat else first


def state_of(plan: Plan, card: int, line: str) -> State:
    """A state in which a player of a plan has a card after a line of moves."""
    other = card % 3 + 1
    return State(None, game(plan).set_up(2, 0, None, {}), (other, card) if LATER[line] else (card, other), line, 0)


def game(plan: Plan) -> Game:
    """Kuhn poker between players of a plan."""
    return Game(
        name="kuhn",
        title="Kuhn poker",
        summary="",
        players=range(2, 3),
        default_players=2,
        phases=PHASES,
        roles={},
        options_type=KuhnOptions,
        presets={"kuhn": {}},
        rules_version="1",
        state_type=State,
        bots={"steady": playing(plan)},
        likelihood=likelihood_of(plan),
    )
