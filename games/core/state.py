"""The state of a game: an immutable value that knows who decides, what is legal and what each seat may see."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from games.core.action import Action, Actions
from games.core.event import PHASE, Event
from games.core.step import Step, Steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.core.game import Game
    from games.core.phase import Phase
    from games.core.question import Question
    from games.core.rng import Rng

View = dict[str, Any]
Origin = tuple[Any, int, Any]


class _Mark(NamedTuple):
    name: str


OPENING: Origin = (None, -1, None)
STRIKE_OUT = _Mark("strike_out")


class Setup(NamedTuple):
    """What is fixed for a whole match: seats, seed, the preset's name and every option."""

    players: int
    seed: int
    rules: str
    options: Any

    def to_json(self) -> dict[str, Any]:
        """JSON data from which `Game.from_json` makes it again."""
        return {"players": self.players, "seed": self.seed, "rules": self.rules, "options": self.options.to_json()}


class State:
    """What all games share. A game's State derives from this and from a NamedTuple with its fields.

    The first two fields are `origin` and `setup`. `origin` is how the state came about: (state before, seat, move),
    with STRIKE_OUT as the move of a penalty, OPENING for a fresh match, None for a state read from JSON. It serves
    `events` alone, which are worked out when asked for, and takes no part in comparing, hashing or pickling.
    """

    __slots__ = ()
    game: ClassVar[Game]
    origin: Any
    setup: Any

    if TYPE_CHECKING:
        # A game gives each of these as a field of its NamedTuple or as a property; here they would hide the fields.

        @property
        def pending(self) -> tuple[int, ...]:
            """The seats that owe a decision now and may not see one another's, in the order their answers are applied."""

        @property
        def phase_id(self) -> int:
            """The id of the phase the match is in."""

        @property
        def round(self) -> int:
            """The number of the round being played, from 1; what a round is, is the game's to say."""

        @property
        def scores(self) -> tuple[int, ...]:
            """The score of each seat so far."""

        @property
        def ending(self) -> tuple[str, ...]:
            """Why the match ended, every reason that holds, in words; empty before the end."""

    @classmethod
    def begin(cls, players: int | None = None, seed: int = 0, rules: str | None = None, **options: Any) -> Self:
        """A fresh match, dealt from the seed. OptionError for a player count, preset or option the game does not have."""
        return cls._open(cls.game.set_up(players, seed, rules, options), None)

    # -- who decides -------------------------------------------------------------------------------------------------

    @property
    def actor(self) -> int | None:
        """The seat decided for next, None at the end."""
        pending = self.pending
        return pending[0] if pending else None

    @property
    def has_ended(self) -> bool:
        """Whether the match is over."""
        return not self.pending

    @property
    def phase(self) -> Phase:
        """The phase the match is in."""
        return self.game.phases.by_id(self.phase_id)

    # -- legality ----------------------------------------------------------------------------------------------------

    @property
    def actions(self) -> Sequence[Action]:
        """The legal actions of `actor`; none at the end."""
        seat = self.actor
        return Actions(self, -1, ()) if seat is None else Actions(self, seat, self._moves(seat))

    def actions_of(self, seat: int) -> Actions:
        """The legal actions of a seat; none when it owes no decision."""
        return Actions(self, seat, self._moves(seat) if seat in self.pending else ())

    @abstractmethod
    def _moves(self, seat: int) -> Sequence[Any]:
        """The legal moves of a pending seat, distinct: the one source of legality."""

    @abstractmethod
    def _answer(self, seat: int, move: Any) -> dict[str, Any]:
        """The answer data for a move."""

    def _steps(self, seat: int, move: Any) -> Steps:
        """A legal move in words, step by step. The names tell the moves of a seat apart, and tell nothing it may not know."""
        return tuple(Step(field, str(value)) for field, value in self._answer(seat, move).items())

    @abstractmethod
    def question(self, seat: int) -> Question:
        """What a pending seat is asked."""

    def read(self, seat: int, data: Any) -> Action:
        """The action that answer data of a pending seat stands for. IllegalAction when it stands for no legal one."""
        return Action(self, seat, self._read(seat, data))

    @abstractmethod
    def _read(self, seat: int, data: Any) -> Any:
        """The legal move that answer data stands for. IllegalAction when there is none."""

    # -- transitions -------------------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def _open(cls, setup: Any, told: list[Event] | None) -> Self:
        """Deal a match (origin OPENING). Events are appended to `told` unless it is None."""

    @abstractmethod
    def _play(self, seat: int, move: Any, told: list[Event] | None) -> Self:
        """The state after a legal move (origin: self, seat, move)."""

    @abstractmethod
    def _strike_out(self, seat: int, told: list[Event] | None) -> Self:
        """The state after the game's consequence of too many invalid answers (origin: self, seat, STRIKE_OUT)."""

    def strike_out(self, seat: int) -> Self:
        """The state after the game's consequence of too many invalid answers. ValueError for a seat that is not pending."""
        if seat not in self.pending:
            raise ValueError(f"seat {seat} owes no decision, so it cannot be struck out")
        return self._strike_out(seat, None)

    def strike_out_told(self, seat: int) -> tuple[Self, tuple[Event, ...]]:
        """The state after a strike-out and its events, for the price of one transition. ValueError as for `strike_out`."""
        if seat not in self.pending:
            raise ValueError(f"seat {seat} owes no decision, so it cannot be struck out")
        told: list[Event] = []
        return self._strike_out(seat, told), tuple(told)

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last transition did, in order; empty for a state read from JSON."""
        if self.origin is None:
            return ()
        before, seat, move = self.origin
        told: list[Event] = []
        if before is None:
            self._open(self.setup, told)
        elif move is STRIKE_OUT:
            before._strike_out(seat, told)
        else:
            before._play(seat, move, told)
        return tuple(told)

    @property
    def path(self) -> tuple[int, ...]:
        """The ids of the phases the last transition entered, in order; empty when the phase went on."""
        return tuple(event.data["to"] for event in self.events if event.kind == PHASE)

    # -- information -------------------------------------------------------------------------------------------------

    @abstractmethod
    def view(self, seat: int | None) -> View:
        """All that a seat (None: a spectator) may know, as JSON data.

        Every view has `seat`, and `own`: what that seat alone knows, None for a spectator. The rest is public.
        """

    @abstractmethod
    def resample(self, seat: int | None, rng: Rng) -> State:
        """A state drawn from the information set of a seat (None: a spectator): what it cannot know is dealt anew."""

    # -- results -----------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def winners(self) -> tuple[int, ...]:
        """Every seat that shares the win; empty before the end."""

    # -- as data -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The whole state, hidden parts included; under `setup` what is fixed for the match."""

    @classmethod
    @abstractmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The state that `to_json` wrote (origin None)."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self[1:] == other[1:]  # type: ignore[index]

    def __hash__(self) -> int:
        return hash(self[1:])  # type: ignore[index]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._make, ((None, *self[1:]),)  # type: ignore[attr-defined, index]

    def __repr__(self) -> str:
        decides = "ended" if self.has_ended else f"P-{self.actor} decides"
        return f"<{self.game.name}: {self.phase.name}, {decides}>"
