"""The smallest game there is, of any length: two seats say numbers in turn. It exists to make long logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from games.core import (
    OPENING,
    PHASE,
    STRIKE_OUT,
    Answer,
    Edge,
    Event,
    Game,
    Options,
    Phase,
    Phases,
    Question,
    Rng,
    Setup,
    View,
    answer_schema,
    one_of,
    option,
    random_policy,
)
from games.core import State as CoreState
from games.core.scene import Owns, Scene, Steps

NUMBERS = (0, 1, 2)
PHASES = Phases(
    (
        Phase(0, "Start", "The match begins.", "", (Edge(1, "at once"),)),
        Phase(1, "Say", "A number is said.", "the next seat", (Edge(1, "a number is said"), Edge(99, "enough are said"))),
        Phase(99, "Over", "The match is over.", "", ()),
    )
)


@dataclass(frozen=True, slots=True)
class ToyOptions(Options):
    """How long it takes."""

    length: int = option(10, "decisions of the match", minimum=1)


class Fields(NamedTuple):
    """What a state consists of."""

    origin: Any
    setup: Setup
    phase_id: int
    said: int
    scores: tuple[int, ...]


class State(CoreState, Fields):
    """A match."""

    __slots__ = ()

    @property
    def pending(self) -> tuple[int, ...]:
        return () if self.phase_id == 99 else (self.said % 2,)

    @property
    def round(self) -> int:
        return self.said // 8 + 1

    @property
    def ending(self) -> tuple[str, ...]:
        return ("enough is said",) if self.phase_id == 99 else ()

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(s for s, score in enumerate(self.scores) if score == max(self.scores)) if self.phase_id == 99 else ()

    def legal_moves(self, seat: int) -> Sequence[Any]:
        return NUMBERS

    def answer_of(self, seat: int, move: Any) -> Answer:
        return {"number": move}

    def build_question(self, seat: int) -> Question:
        return Question("Say a number.", answer_schema(number=one_of(NUMBERS, "the number")), "sayer")

    def parse_answer(self, seat: int, data: Any) -> Any:
        return data["number"]

    @classmethod
    def deal(cls, setup: Setup, told: list[Event] | None) -> Self:
        if told is not None:
            told.append(Event(PHASE, "Phase: Say.", {"to": 1, "from": 0}))
        return cls(OPENING, setup, 1, 0, (0,) * setup.players)

    def apply(self, seat: int, move: Any, told: list[Event] | None) -> Self:
        scores = (*self.scores[:seat], self.scores[seat] + move, *self.scores[seat + 1 :])
        over = self.said + 1 >= self.setup.options.length
        if told is not None:
            told.append(Event("say", f"P-{seat} says {move}.", {"seat": seat, "number": move}))
            if over:
                told.append(Event(PHASE, "Phase: Over.", {"to": 99, "from": 1}))
        return self._replace(origin=(self, seat, move), said=self.said + 1, scores=scores, phase_id=99 if over else 1)

    def apply_strike_out(self, seat: int, told: list[Event] | None) -> Self:
        return self.apply(seat, 0, told)._replace(origin=(self, seat, STRIKE_OUT))

    def build_view(self, seat: int | None) -> View:
        own: View | None = None if seat is None else {}
        return {"game": "toy", "seat": seat, "own": own, "said": self.said, "scores": list(self.scores)}

    def resample(self, seat: int | None, rng: Rng) -> Self:
        return self._replace(origin=None)

    def to_json(self) -> dict[str, Any]:
        return {"setup": self.setup.to_json(), "phase_id": self.phase_id, "said": self.said, "scores": list(self.scores)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        setup = cls.game.setup_from_json(data["setup"])
        return cls(None, setup, data["phase_id"], data["said"], tuple(data["scores"]))


def table(view: View, own: Owns, names: tuple[str, ...]) -> Scene:
    """The scores."""
    return Scene(names, (Steps((("", (" ".join(map(str, view["scores"])),)),)),))


GAME = Game(
    name="toy",
    title="Toy",
    summary="Say numbers.",
    players=range(2, 3),
    default_players=2,
    phases=PHASES,
    roles={"sayer": "says a number"},
    options_type=ToyOptions,
    presets={"toy": {}},
    rules_version="1",
    state_type=State,
    bots={"random": random_policy},
    table="tools.bench.toy",
)
