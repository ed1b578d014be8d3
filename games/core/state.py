"""The state of a game, an immutable value, and the actions that are legal in it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from copy import copy
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, cast, overload

from games.core.definition import Definition, View
from games.core.errors import IllegalAction
from games.core.event import PHASE, Event
from games.core.lenient_reading import exact_form
from games.core.phase import Phase
from games.core.question import Choice, Choices, Question, Step, Steps
from games.core.rng import Rng

Origin = tuple[Any, int, Any]


class _Mark(NamedTuple):
    name: str


OPENING: Origin = (None, -1, None)
STRIKE_OUT = _Mark("strike_out")


def values(state: object) -> tuple[Any, ...]:
    """The fields of a state, which is a NamedTuple too, without its origin."""
    return cast("tuple[Any, ...]", state)[1:]


class Transitions:
    """The part of a state that leads to the next one. `origin` is described at `State`, which derives from this."""

    __slots__ = ()
    origin: Any
    setup: Any

    if TYPE_CHECKING:

        @property
        def pending(self) -> tuple[int, ...]: ...

    def owes(self, seat: object) -> bool:
        """Whether this is a seat that owes a decision."""
        return isinstance(seat, int) and not isinstance(seat, bool) and seat in self.pending

    @classmethod
    @abstractmethod
    def deal(cls, setup: Any, events: list[Event] | None) -> Self:
        """Deal a match (origin OPENING). Events are appended to `events` unless it is None."""

    @abstractmethod
    def apply(self, seat: int, move: Any, events: list[Event] | None) -> Self:
        """The state after a legal move (origin: self, seat, move)."""

    @abstractmethod
    def apply_strike_out(self, seat: int, events: list[Event] | None) -> Self:
        """The state after the game's consequence of too many invalid answers (origin: self, seat, STRIKE_OUT)."""

    def strike_out(self, seat: int) -> Self:
        """The state after the game's consequence of too many invalid answers. ValueError for a seat that is not pending."""
        if not self.owes(seat):
            raise ValueError(f"seat {seat} owes no decision, so it cannot be struck out")
        return self.apply_strike_out(seat, None)

    def strike_out_with_events(self, seat: int) -> tuple[Self, tuple[Event, ...]]:
        """The state after a strike-out and its events, for the price of one transition. ValueError as for `strike_out`."""
        if not self.owes(seat):
            raise ValueError(f"seat {seat} owes no decision, so it cannot be struck out")
        events: list[Event] = []
        return self.apply_strike_out(seat, events), tuple(events)

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last transition did, in order; empty for a state read from JSON."""
        if self.origin is None:
            return ()
        before, seat, move = self.origin
        events: list[Event] = []
        if before is None:
            self.deal(self.setup, events)
        elif move is STRIKE_OUT:
            before.apply_strike_out(seat, events)
        else:
            before.apply(seat, move, events)
        return tuple(events)

    @property
    def path(self) -> tuple[int, ...]:
        """The ids of the phases the last transition entered, in order; empty when the phase went on."""
        return tuple(event.data["to"] for event in self.events if event.kind == PHASE)


class State(Transitions):
    """What all games share. A game's State derives from this and from a NamedTuple with its fields.

    The first two fields are `origin` and `setup`. `origin` is how the state came about: (state before, seat, move),
    with STRIKE_OUT as the move of a penalty, OPENING for a fresh match, None for a state read from JSON. It serves
    `events` alone, which are worked out when asked for, and takes no part in comparing, hashing or pickling.
    """

    __slots__ = ()
    game: ClassVar[Definition]

    def __init_subclass__(cls) -> None:
        """Every game's worlds get a seed of their own here, so that no game can forget it."""
        if draw := vars(cls).get("resample"):
            cast(Any, cls).resample = _with_own_seed(draw)

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
        return cls.deal(cls.game.set_up(players, seed, rules, options), None)

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
        if seat is None:
            return ()
        moves = self.legal_moves(seat)
        if (
            moves.__class__ is tuple and len(moves) == 2
        ):  # as in every window to pass or to act: two are made sooner than what makes them when asked
            return _new(Action, (self, seat, moves[0])), _new(Action, (self, seat, moves[1]))
        return Actions(self, seat, moves)

    def actions_of(self, seat: int) -> Actions:
        """The legal actions of a seat; none when it owes no decision."""
        return Actions(self, seat, self.legal_moves(seat) if seat in self.pending else ())

    @abstractmethod
    def legal_moves(self, seat: int) -> Sequence[Any]:
        """The legal moves of a pending seat, distinct: the one source of legality."""

    @abstractmethod
    def answer_of(self, seat: int, move: Any) -> dict[str, Any]:
        """The answer data for a move."""

    def describe_move(self, seat: int, move: Any) -> Steps:
        """A legal move in words, step by step. The names tell the moves of a seat apart, and tell nothing it may not know."""
        return tuple(Step(field, str(value)) for field, value in self.answer_of(seat, move).items())

    def question(self, seat: int) -> Question:
        """What a pending seat is asked, with its choices. ValueError when it owes no decision."""
        if not self.owes(seat):
            raise ValueError(f"seat {seat} owes no decision, so it is asked nothing")
        return self.build_question(seat)._replace(choices=Choices(lambda: self._choices_of(seat)))

    @abstractmethod
    def build_question(self, seat: int) -> Question:
        """What a pending seat is asked, without its choices."""

    def _choices_of(self, seat: int) -> tuple[Choice, ...]:
        return tuple(Choice(action.to_json(), action.steps) for action in self.actions_of(seat))

    def read(self, seat: int, data: Any) -> Action:
        """The action that a seat's answer data stands for. IllegalAction when it stands for no legal one, or for several.

        Data that is not written exactly is read leniently (`games.core.lenient_reading`).
        """
        if not self.owes(seat):
            raise IllegalAction("You owe no decision now.")
        with suppress(IllegalAction):
            return Action(self, seat, self.parse_answer(seat, data))
        return Action(self, seat, self.parse_answer(seat, self._exact_form(seat, data)))

    def _exact_form(self, seat: int, data: object) -> object:
        legal = [action.to_json() for action in self.actions_of(seat)]
        return exact_form(data, self.build_question(seat).schema, legal, self.known_values)

    @abstractmethod
    def parse_answer(self, seat: int, data: Any) -> Any:
        """The legal move that exact answer data stands for. IllegalAction when there is none."""

    def known_values(self, field: str) -> Collection[Any]:
        """Values that name something in a field of an answer, legal now or not. A spelling of one is never read as another."""
        return ()

    # -- information -------------------------------------------------------------------------------------------------

    def view(self, seat: int | None) -> View:
        """All that a seat (None: a spectator) may know, as JSON data. ValueError for a seat the match does not have.

        Every view has `seat`, and `own`: what that seat alone knows, None for a spectator. The rest is public.
        """
        if seat is not None and (type(seat) is not int or seat not in range(self.setup.players)):
            raise ValueError(f"there is no seat {seat} in a match of {self.setup.players}")
        return self.build_view(seat)

    @abstractmethod
    def build_view(self, seat: int | None) -> View:
        """The view of a seat that exists, or of a spectator."""

    @abstractmethod
    def resample(self, seat: int | None, rng: Rng) -> State:
        """A world: a state drawn from the information set of a seat (None: a spectator). What it cannot know is dealt again.

        The game deals; the world's seed, drawn from `rng` too, and its origin (None) are set for every game alike.
        """

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
        return type(other) is type(self) and values(self) == values(other)

    def __ne__(self, other: object) -> bool:  # a NamedTuple's own would compare the origin too
        return not self == other

    def __hash__(self) -> int:
        return hash(values(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return cast(Any, type(self))._make, ((None, *values(self)),)

    def __deepcopy__(self, memo: object) -> Self:
        return copy(self)  # an immutable value

    def __repr__(self) -> str:
        decides = "ended" if self.has_ended else f"P-{self.actor} decides"
        return f"<{self.game.name}: {self.phase.name}, {decides}>"


class Action(NamedTuple):
    """What one seat may do in one state. `move` is the game's own value for it."""

    state: State
    seat: int
    move: Any

    @property
    def next_state(self) -> State:
        """The state after the action; this action's own state stays as it is."""
        return self.state.apply(self.seat, self.move, None)

    def next_with_events(self) -> tuple[State, tuple[Event, ...]]:
        """The state after the action and its events, for the price of one transition."""
        events: list[Event] = []
        return self.state.apply(self.seat, self.move, events), tuple(events)

    def on(self, state: State) -> Action:
        """The same action in a later state in which the seat still owes the same decision (others answered meanwhile)."""
        return Action(state, self.seat, self.move)

    def to_json(self) -> dict[str, Any]:
        """The answer data that reads as this action."""
        return self.state.answer_of(self.seat, self.move)

    def is_exactly(self, data: object) -> bool:
        """Whether answer data is this action's own, with the same types of values, so that nothing was read leniently."""
        answer = self.to_json()
        return isinstance(data, dict) and data == answer and all(type(data[name]) is type(answer[name]) for name in answer)

    @property
    def steps(self) -> Steps:
        """The action in words for people who choose from a menu, step by step."""
        return self.state.describe_move(self.seat, self.move)

    def __repr__(self) -> str:
        return f"<{type(self.state).__module__} {self.to_json()} by P-{self.seat}>"


class Actions(Sequence[Action]):
    """The legal actions of a seat; an Action is made when it is looked at, so that a choice pays for one only."""

    __slots__ = ("_moves", "_seat", "_state")

    def __init__(self, state: State, seat: int, moves: Sequence[Any]) -> None:
        self._state = state
        self._seat = seat
        self._moves = moves

    def __len__(self) -> int:
        return len(self._moves)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if index.__class__ is slice:
            return tuple(Action(self._state, self._seat, move) for move in self._moves[index])
        return _new(Action, (self._state, self._seat, self._moves[index]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(list(self))


def _with_own_seed(draw: Callable[..., Any]) -> Callable[..., Any]:
    """`State.resample` of a game: what the game draws, under a seed that leads to nothing but this world."""

    @wraps(draw)
    def resample(state: Any, seat: int | None, rng: Rng, *more: Any) -> Any:
        before = rng.word
        world = draw(state, seat, rng, *more)
        if rng.word == before:  # nothing is hidden, and yet the next world has another seed
            rng.next()
        seed = Rng.of("world", rng.word).word >> 1
        return world._replace(origin=None, setup=world.setup._replace(seed=seed))

    return resample


_new = tuple.__new__
