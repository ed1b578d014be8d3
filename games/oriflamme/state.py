"""A position of Oriflamme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from games import core
from games.core import Action, Actions, Event, Question, Rng, Steps, View
from games.oriflamme import answers, choices, data, deal, tell, views, walk
from games.oriflamme.action import CHOICES, KEEP, REVEAL, Choose, Copy, Keep, Placings, Reveal
from games.oriflamme.cards import TYPES
from games.oriflamme.cards.base import Queue
from games.oriflamme.phase_ids import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.placement import placements
from games.oriflamme.places import NOWHERE
from games.oriflamme.stack import POINTS, POINTS_AT, cards_of, points_of, scores_of
from games.oriflamme.words import seats_named

if TYPE_CHECKING:
    from games.oriflamme.options import Rules


_FIRST_POINTS = {players: points_of([1] * players) for players in range(3, 6)}  # rule 4


class Fields(NamedTuple):
    """What a position consists of. `games.oriflamme.stack` says how the queue and the points are written.

    `hands` and `removed` hold a set of kinds a seat, bit k for the kind k. What is neither there nor in the queue lies
    face up before its owner. `pointer` is the index of the card being resolved; `word` is the state of chance.
    """

    origin: Any
    setup: core.Setup
    round: int
    phase_id: int
    actor: int | None
    pointer: int
    queue: Queue
    points: int
    hands: tuple[int, ...]
    removed: tuple[int, ...]
    word: int
    has_ended: bool


class State(core.State, Fields):
    """An immutable position: who decides, what is legal, what each seat may know."""

    __slots__ = ()
    # The properties of the base class are fields here.
    round = Fields.round
    phase_id = Fields.phase_id
    actor = Fields.actor
    has_ended = Fields.has_ended

    @property
    def rules(self) -> Rules:
        """The options of the match."""
        options: Rules = self.setup.options
        return options

    @property
    def pending(self) -> tuple[int, ...]:
        return () if self.actor is None else (self.actor,)

    # -- legality ----------------------------------------------------------------------------------------------------

    @property
    def actions(self) -> Sequence[Action]:
        seat, phase = self.actor, self.phase_id
        if phase == RESOLUTION:
            return _new(Keep, (self, seat, KEEP)), _new(Reveal, (self, seat, REVEAL))
        if seat is None:
            return ()
        if phase == PLACEMENT:
            return Placings(self, seat)
        card_type = TYPES[phase - CHOICE_PHASES]
        moves = card_type.moves(self.queue, self.pointer, self.setup.options)
        action, many = Copy if card_type.copies else Choose, len(moves)
        if many == 1:
            return (_new(action, (self, seat, moves[0])),)
        if many == 2:
            return _new(action, (self, seat, moves[0])), _new(action, (self, seat, moves[1]))
        return Actions(self, seat, moves)

    def legal_moves(self, seat: int) -> Sequence[Any]:
        phase = self.phase_id
        if phase == PLACEMENT:
            return placements(self.hands[seat], self.queue, seat)
        if phase == RESOLUTION:
            return CHOICES
        return TYPES[phase - CHOICE_PHASES].moves(self.queue, self.pointer, self.setup.options)

    def answer_of(self, seat: int, move: Any) -> dict[str, Any]:
        return answers.answer(self, move)

    def describe_move(self, seat: int, move: Any) -> Steps:
        return choices.steps(self, seat, move)

    def build_question(self, seat: int) -> Question:
        return answers.question(self, seat)

    def parse_answer(self, seat: int, data: Any) -> Any:
        return answers.read(self, seat, data)

    # -- transitions -------------------------------------------------------------------------------------------------

    @classmethod
    def deal(cls, setup: core.Setup, told: list[Event] | None) -> Self:
        hands, removed, word = deal.deal(setup)
        if told is not None:
            deal.tell_deal(hands, removed, told)
        points = _FIRST_POINTS[setup.players]
        return _new(cls, (core.OPENING, setup, 1, PLACEMENT, 0, NOWHERE, (), points, hands, removed, word, False))

    def apply(self, seat: int, move: Any, told: list[Event] | None) -> State:
        phase = self.phase_id
        if phase == PLACEMENT:
            transition = walk.place
        elif phase == RESOLUTION:
            transition = walk.keep if move == KEEP else walk.reveal
        else:
            transition = walk.copy if TYPES[phase - CHOICE_PHASES].copies else walk.choose
        return transition((self, seat, move), told)

    def apply_strike_out(self, seat: int, told: list[Event] | None) -> State:
        rng = Rng(self.word)
        move = rng.choice(self.legal_moves(seat))
        lost = 1 if self.points >> POINTS_AT * seat & POINTS else 0
        if told is not None:
            tell.penalty(told, seat, lost)
        fined = self._replace(points=self.points - (lost << POINTS_AT * seat), word=rng.word)
        return fined.apply(seat, move, told)._replace(origin=(self, seat, core.STRIKE_OUT))

    # -- information -------------------------------------------------------------------------------------------------

    def build_view(self, seat: int | None) -> View:
        return views.view(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> Self:
        hands, removed, queue = deal.redeal(self, seat, rng)
        return self._replace(origin=None, hands=hands, removed=removed, queue=queue, word=rng.next())

    @property
    def gone(self) -> tuple[int, ...]:
        """The sets of kinds that lie face up before their owners, eliminated or discarded."""
        whole = deal.whole_set(self.rules.card_types)
        left = [whole ^ hand ^ removed for hand, removed in zip(self.hands, self.removed, strict=True)]
        for stack in self.queue:
            for card in cards_of(stack):
                left[card.owner] ^= 1 << card.kind
        return tuple(left)

    # -- results -----------------------------------------------------------------------------------------------------

    @property
    def scores(self) -> tuple[int, ...]:
        return scores_of(self.points, self.setup.players)

    @property
    def in_queue(self) -> tuple[int, ...]:
        """How many cards each seat has in the queue, hidden and covered ones included (rule 31)."""
        owners = [card.owner for stack in self.queue for card in cards_of(stack)]
        return tuple(owners.count(seat) for seat in range(self.setup.players))

    @property
    def winners(self) -> tuple[int, ...]:
        if not self.has_ended:
            return ()
        ranks = list(zip(self.scores, self.in_queue, strict=True))
        return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))

    @property
    def ending(self) -> tuple[str, ...]:
        if not self.has_ended:
            return ()
        best = max(self.scores)
        leaders = [seat for seat, score in enumerate(self.scores) if score == best]
        words = [f"round {self.round} of {walk.ROUNDS} is over"]
        if len(leaders) == 1:
            words.append(f"{seats_named(leaders)} has the most points, {best}")
        else:
            have = "has" if len(self.winners) == 1 else "have"
            most = f"{seats_named(self.winners)} {have} the most cards in the queue"
            words.append(f"{seats_named(leaders)} tie at {best} points, of them {most}")
        return tuple(words)

    # -- as data -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        return data.to_json(self)

    @classmethod
    def from_json(cls, written: dict[str, Any]) -> Self:
        return _new(cls, data.fields_of(cls.game, written))


_new = tuple.__new__
