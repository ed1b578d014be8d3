"""Transitions: what a move does, and the walk along the queue to where the next decision is.

A transition takes the state, the move, the origin of the state to come, and the list of events told (None: nobody asks).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from games.core import Event, Origin, seat_name
from games.oriflamme import tell
from games.oriflamme.cards import TYPES, CardType
from games.oriflamme.phase_ids import CHOICE_PHASES, GAME_OVER, PLACEMENT, RESOLUTION, ROUND_END
from games.oriflamme.places import BACK, NOWHERE, ON
from games.oriflamme.stack import (
    CARD_BITS,
    KIND,
    OWNER,
    OWNER_AT,
    POINTS_AT,
    PRESENT,
    REVEALED,
    TOKEN,
    TOKENS,
    TOKENS_AT,
    card_of,
    lifted,
)

if TYPE_CHECKING:
    from games.oriflamme.state import State

KEEP = "keep"
REVEAL = "reveal"
CHOICES = (KEEP, REVEAL)
ROUNDS = 6

_BARE = ~(TOKENS << TOKENS_AT)
_new = tuple.__new__


def place(state: State, move: tuple[int, int], origin: Origin, told: list[Event] | None) -> State:
    """The seat places a card (rule 7)."""
    _, setup, round, _, seat, at, queue, points, hands, removed, word, _ = state
    kind, where = move
    card = kind | seat << OWNER_AT | PRESENT
    if where == BACK:
        queue = (*queue, card)
    elif where >= ON:
        under = where - ON
        queue = (*queue[:under], card | queue[under] << CARD_BITS, *queue[under + 1 :])
    else:
        queue = (card, *queue)
    hands = (*hands[:seat], hands[seat] ^ 1 << kind, *hands[seat + 1 :])
    if told is not None:
        tell.placed(told, seat, kind, where)
    players = setup[0]
    following = (seat + 1) % players
    if following == (round - 1) % players:
        return _walk(state, origin, hands, queue, points, 0, told)
    if told is not None:
        tell.phase(told, PLACEMENT, PLACEMENT, f"{seat_name(following)} places a card.")
    return _new(
        state.__class__,
        (origin, setup, round, PLACEMENT, following, at, queue, points, hands, removed, word, False),
    )


def resolve(state: State, move: str, origin: Origin, told: list[Event] | None) -> State:
    """The owner of a hidden card keeps it so or reveals it (rule 11)."""
    at, points = state.pointer, state.points
    queue = [*state.queue]
    stack = queue[at]
    if move == KEEP:
        if told is not None:
            tell.kept(told, card_of(stack), at)
        queue[at] = stack + TOKEN
        return _walk(state, origin, state.hands, tuple(queue), points, at + 1, told)
    card_type = TYPES[stack & KIND]
    paid = (stack >> TOKENS_AT & TOKENS) * card_type.payout  # rule 12
    if told is not None:
        tell.revealed(told, card_of(stack), at, paid)
    points += paid << POINTS_AT * (stack >> OWNER_AT & OWNER)
    queue[at] = stack & _BARE | REVEALED
    return _walk(state, origin, state.hands, tuple(queue), points, at, told, card_type)


def choose(state: State, move: Any, origin: Origin, told: list[Event] | None) -> State:
    """The owner of the card being resolved has chosen what its ability acts on."""
    _, setup, _, phase, _, at, queue, points, hands, _, _, _ = state
    queue, points, at = TYPES[phase - CHOICE_PHASES].apply(queue, points, at, move, setup.options, told)
    return _walk(state, origin, hands, queue, points, at, told)


def copy(state: State, move: int, origin: Origin, told: list[Event] | None) -> State:
    """A Shapeshifter has chosen whom to copy (rule 25)."""
    queue, at = state.queue, state.pointer
    if told is not None:
        tell.copied(told, card_of(queue[at]), card_of(queue[move]), move)
    model = TYPES[queue[move] & KIND]
    if model.copies:
        return _walk(state, origin, state.hands, queue, state.points, at + 1, told)
    return _walk(state, origin, state.hands, queue, state.points, at, told, model)


def _walk(
    state: State,
    origin: Origin,
    hands: tuple[int, ...],
    queue: tuple[int, ...],
    points: int,
    at: int,
    told: list[Event] | None,
    ability: CardType | None = None,
) -> State:
    """Resolve the cards from `at` on, until an owner has to decide or the round ends (rules 10 to 14).

    With an `ability`, the card at `at` is in the middle of its resolution: it was revealed, or copies that ability.
    """
    while at < len(queue):
        stack = queue[at]
        if ability is None:
            if told is not None:
                tell.reached(told, state.phase_id, card_of(stack), at)
            if not stack & REVEALED:
                return _rest(state, origin, RESOLUTION, hands, queue, points, at)
            ability = TYPES[stack & KIND]
        if not ability.decides:
            gain = ability.gain(queue, at, state.setup.options)
            points += gain << POINTS_AT * (stack >> OWNER_AT & OWNER)
            if told is not None:
                tell.gained(told, card_of(stack), ability, gain)
        elif ability.can_choose(queue, at, state.setup.options):
            if told is not None:
                tell.choosing(told, state.phase_id, card_of(stack), ability)
            return _rest(state, origin, ability.phase_id, hands, queue, points, at)
        elif told is not None:
            tell.idle(told, card_of(stack), ability)
        if ability.is_character:
            at += 1
        else:
            if told is not None:
                tell.discarded(told, card_of(stack))
            queue = lifted(queue, at)  # rule 14: what lay under it is current, or what followed it
        ability = None
    return _end_round(state, origin, hands, queue, points, told)


def _rest(
    state: State, origin: Origin, phase: int, hands: tuple[int, ...], queue: tuple[int, ...], points: int, at: int
) -> State:
    """The owner of the card at `at` has to decide."""
    _, setup, round, _, _, _, _, _, _, removed, word, _ = state
    seat = queue[at] >> OWNER_AT & OWNER
    return _new(state.__class__, (origin, setup, round, phase, seat, at, queue, points, hands, removed, word, False))


def _end_round(
    state: State, origin: Origin, hands: tuple[int, ...], queue: tuple[int, ...], points: int, told: list[Event] | None
) -> State:
    """The first player marker passes on (rule 16), or the match is over (rule 17)."""
    _, setup, round, _, _, _, _, _, _, removed, word, _ = state
    if told is not None:
        tell.phase(told, state.phase_id, ROUND_END, f"Round {round} ends.")
    if round == ROUNDS:
        phase, seat = GAME_OVER, None
        if told is not None:
            tell.phase(told, state.phase_id, GAME_OVER, "The match is over.")
    else:
        phase, seat = PLACEMENT, round % setup.players
        round += 1
        if told is not None:
            tell.phase(told, state.phase_id, PLACEMENT, f"Round {round} begins: {seat_name(seat)} places first.")
    return _new(
        state.__class__,
        (origin, setup, round, phase, seat, NOWHERE, queue, points, hands, removed, word, seat is None),
    )


Transition = Callable[["State", Any, Origin, "list[Event] | None"], "State"]
TRANSITIONS: dict[int, Transition] = {
    PLACEMENT: place,
    RESOLUTION: resolve,
    **{card_type.phase_id: copy if card_type.copies else choose for card_type in TYPES if card_type.decides},
}
"""The transition of each phase in which somebody decides."""
