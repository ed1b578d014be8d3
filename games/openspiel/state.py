"""The state of a match of an OpenSpiel game: the line that was played, and the word that chance draws from."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from games.core import (
    CALLS,
    OPENING,
    PENALTY,
    PHASE,
    STRIKE_OUT,
    Answer,
    Edge,
    Event,
    Phase,
    Phases,
    Question,
    Rng,
    Sentence,
    Setup,
    Step,
    Steps,
    View,
    Who,
    answer_schema,
    chosen,
    does,
    fields,
    one_of,
    seat_names,
)
from games.core import State as CoreState
from games.openspiel.lines import Known, Line, SpielGame

PLAY, END = 1, 2
PHASES = Phases(
    (
        Phase(
            PLAY,
            "Play",
            "The player to move makes a move; what chance brings follows at once.",
            "the player to move",
            (Edge(PLAY, "the rules ask for another move"), Edge(END, "the rules end it")),
        ),
        Phase(END, "Game Over", "The match has ended.", "", ()),
    )
)


class Position(NamedTuple):
    """The fields of a state. `moves` has every move so far: its seat and its name."""

    origin: Any
    setup: Any
    line: Any
    word: int
    moves: tuple[tuple[int, str], ...]


class SpielState(CoreState, Position):
    """A match of a game of OpenSpiel, which each subclass names."""

    __slots__ = ()
    spiel: SpielGame

    @property
    def pending(self) -> tuple[int, ...]:
        """The player to move."""
        return () if self.line.actor is None else (self.line.actor,)

    @property
    def phase_id(self) -> int:
        """Play, until the match is over."""
        return END if self.line.actor is None else PLAY

    @property
    def round(self) -> int:
        """One for as many moves as there are players."""
        players: int = self.setup.players
        return 1 + max(0, len(self.moves) - self.has_ended) // players

    @property
    def scores(self) -> tuple[int, ...]:
        """The returns of OpenSpiel; before the end only where nothing is hidden, since they may tell it."""
        if not self._is_open:
            return tuple(0 for _ in range(self.setup.players))
        returns: tuple[float, ...] = self.line.returns
        return tuple(round(value * self.spiel.parts) for value in returns)

    @property
    def _is_open(self) -> bool:
        return self.spiel.is_perfect or self.has_ended

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest return."""
        returns = self.line.returns
        return () if self.pending else tuple(seat for seat, value in enumerate(returns) if value == max(returns))

    @property
    def ending(self) -> tuple[str, ...]:
        """That the rules of OpenSpiel end the match."""
        return () if self.pending else ("the game is over",)

    def legal_moves(self, seat: int) -> tuple[int, ...]:
        """OpenSpiel's numbers of the legal moves."""
        found: tuple[int, ...] = self.line.moves
        return found

    def answer_of(self, seat: int, move: int) -> Answer:
        """The move by its name."""
        return {"action": self.line.name_of(seat, move)}

    def describe_move(self, seat: int, move: int) -> Steps:
        """The move by its name."""
        return (Step("action", self.line.name_of(seat, move)),)

    def build_question(self, seat: int) -> Question:
        """Which move the seat plays."""
        action = one_of(self._names(seat), "the move you play")
        return Question(Sentence(Who(seat, CALLS), "which move do you play?"), answer_schema(action=action), "player")

    def parse_answer(self, seat: int, data: Any) -> int:
        """The move of that name. IllegalAction when there is none."""
        (name,) = fields(data, "action")
        names = self._names(seat)
        move: int = self.line.moves[names.index(chosen("action", name, names))]
        return move

    def _names(self, seat: int) -> list[str]:
        return [self.line.name_of(seat, move) for move in self.line.moves]

    @classmethod
    def deal(cls, setup: Setup, events: list[Event] | None) -> Self:
        """The line before the first decision."""
        rng = Rng.of(cls.spiel.name, setup.seed)
        line = _first(cls.spiel, setup).after_chance(rng)
        _tell(events, Event(PHASE, "Phase: Play.", {"to": PLAY}))
        return cls(OPENING, setup, line, rng.word, ())

    def apply(self, seat: int, move: int, events: list[Event] | None) -> Self:
        """The state after a move and what chance brings. Where something is hidden, others are told only that it was made."""
        rng, name = Rng(self.word), self.line.name_of(seat, move)
        line = self.line.play(move).after_chance(rng)
        audience = None if self.spiel.is_perfect else (seat,)
        if audience:
            _tell(events, Event("moved", does(seat, "have moved."), {"seat": seat}))
        _tell(events, Event("move", does(seat, f"play {name}."), {"seat": seat, "action": name}, audience))
        after = self._replace(origin=(self, seat, move), line=line, word=rng.word, moves=(*self.moves, (seat, name)))
        if after.has_ended:
            _tell(events, Event(PHASE, "Phase: Game Over.", {"to": END}))
            said = f"The highest return is that of {seat_names(after.winners)}."
            _tell(events, Event("result", said, {"winners": list(after.winners)}))
        return after

    def apply_strike_out(self, seat: int, events: list[Event] | None) -> Self:
        """After too many invalid answers a random legal move is played."""
        _tell(events, Event(PENALTY, does(seat, "be struck out: a random move is played."), {"seat": seat}))
        move = Rng.of("strike-out", self.word, len(self.moves)).choice(self.line.moves)
        return self.apply(seat, move, events)._replace(origin=(self, seat, STRIKE_OUT))

    def build_view(self, seat: int | None) -> View:
        """What OpenSpiel shows to everybody, and to the seat; at the end all is turned up."""
        is_open = self._is_open
        own = {
            "position": "" if is_open or seat is None else self.line.known_to(seat),
            "moves": [] if is_open else [name for mover, name in self.moves if mover == seat],
        }
        return {
            "game": self.game.name,
            "seat": seat,
            "phase": {"id": self.phase_id, "name": self.phase.name},
            "title": self.game.title,
            "players": self.setup.players,
            "move": len(self.moves) + 1,
            "to_move": self.actor,
            "position": self.line.table if is_open else "",
            "moves": [[mover, name if is_open else ""] for mover, name in self.moves],
            "scores": list(self.scores),
            "winners": list(self.winners),
            "own": None if seat is None else own,
        }

    def resample(self, seat: int | None, rng: Rng) -> Self:
        """A world as OpenSpiel draws it; what the seat knows alone, where it draws none."""
        word = rng.next()
        if self._is_open:
            return self._replace(word=word)
        moves = tuple((mover, name if mover == seat else "") for mover, name in self.moves)
        draws = seat is not None and self.spiel.has_worlds
        line = self.line.world(seat, rng) if draws else Known(self.line, seat)
        return self._replace(line=line, word=word, moves=moves)

    def to_json(self) -> dict[str, Any]:
        """The moves and the outcomes of chance, which lead to the same line again."""
        return {"setup": self.setup.to_json(), "history": self.line.history, "word": self.word}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The state that `to_json` wrote. OptionError for a history that the rules do not allow."""
        setup, history = cls.game.setup_from_json(data["setup"]), data["history"]
        lines = cls.spiel.replayed(_first(cls.spiel, setup), history)
        decided = [(line, move) for line, move in zip(lines, history, strict=False) if not line.state.is_chance_node()]
        moves = tuple((line.actor or 0, line.name_of(line.actor or 0, move)) for line, move in decided)
        return cls(None, setup, lines[-1], data["word"], moves)


def _first(spiel: SpielGame, setup: Setup) -> Line:
    return spiel.begin(setup.options.to_json(), setup.players)


def _tell(events: list[Event] | None, event: Event) -> None:
    if events is not None:
        events.append(event)
