"""Transitions: what a move does, and the walk along the queue to where the next decision is.

A transition takes the origin of the state to come, (state, seat, move), and the list of events told (None: nobody asks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Event, Origin, seat_name
from games.oriflamme import tell
from games.oriflamme.cards import TYPES
from games.oriflamme.phase_ids import CHOICE_PHASES, GAME_OVER, PLACEMENT, RESOLUTION, ROUND_END
from games.oriflamme.places import FRONT, NOWHERE, ON
from games.oriflamme.stack import (
    BARE,
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

ROUNDS = 6

_NO_KIND = -1
_new = tuple.__new__

# What the walk asks of a type of card at every step, by kind.
_PAYOUT = [card_type.payout for card_type in TYPES]
_IS_CHARACTER = [card_type.is_character for card_type in TYPES]
_GAIN = [None if card_type.decides else card_type.gain for card_type in TYPES]
_CAN_CHOOSE = [card_type.can_choose for card_type in TYPES]


def place(origin: Origin, told: list[Event] | None = None) -> State:
    """The seat places a card (rule 7)."""
    state: State
    state, seat, (kind, where) = origin
    _, setup, round, _, _, _, queue, points, hands, removed, word, _ = state
    card = kind | seat << OWNER_AT | PRESENT
    if where >= ON:
        stacks = [*queue]
        stacks[where - ON] = card | stacks[where - ON] << CARD_BITS
        queue = tuple(stacks)
    else:
        alone = (card,)
        queue = alone + queue if where == FRONT else queue + alone
    left = [*hands]
    left[seat] ^= 1 << kind
    if told is not None:
        tell.placed(told, seat, kind, where)
    players = setup[0]
    following = (seat + 1) % players
    if following == (round - 1) % players:
        return _walk(origin, state, tuple(left), queue, points, 0, told)
    if told is not None:
        tell.phase(told, PLACEMENT, PLACEMENT, f"{seat_name(following)} is next to place a card.")
    return _new(
        state.__class__,
        (origin, setup, round, PLACEMENT, following, NOWHERE, queue, points, tuple(left), removed, word, False),
    )


def keep(origin: Origin, told: list[Event] | None = None) -> State:
    """The owner of a hidden card keeps it so, for a token (rule 11)."""
    state: State = origin[0]
    _, setup, round, _, _, at, queue, points, hands, removed, word, _ = state
    stacks = [*queue]
    if told is not None:
        tell.kept(told, card_of(stacks[at]), at)
    stacks[at] += TOKEN
    at += 1
    if told is None and at < len(stacks) and not stacks[at] & REVEALED:
        # Another hidden card: what the walk would come to, in short.
        seat = stacks[at] >> OWNER_AT & OWNER
        return _new(
            state.__class__,
            (origin, setup, round, RESOLUTION, seat, at, tuple(stacks), points, hands, removed, word, False),
        )
    return _walk(origin, state, hands, tuple(stacks), points, at, told)


def reveal(origin: Origin, told: list[Event] | None = None) -> State:
    """The owner of a hidden card reveals it, takes its tokens and performs its ability (rules 11 and 12)."""
    state = origin[0]
    at = state.pointer
    stacks = [*state.queue]
    stack = stacks[at]
    kind = stack & KIND
    paid = (stack >> TOKENS_AT & TOKENS) * _PAYOUT[kind]
    if told is not None:
        tell.revealed(told, card_of(stack), at, paid)
    stacks[at] = stack & BARE | REVEALED
    points = state.points + (paid << POINTS_AT * (stack >> OWNER_AT & OWNER))
    return _walk(origin, state, state.hands, tuple(stacks), points, at, told, kind)


def choose(origin: Origin, told: list[Event] | None = None) -> State:
    """The owner of the card being resolved has chosen what its ability acts on."""
    state, _, move = origin
    ability = TYPES[state.phase_id - CHOICE_PHASES]
    queue, points, at = ability.apply(state.queue, state.points, state.pointer, move, state.setup.options, told)
    return _walk(origin, state, state.hands, queue, points, at, told)


def copy(origin: Origin, told: list[Event] | None = None) -> State:
    """A Shapeshifter has chosen whom to copy (rule 25)."""
    state, _, move = origin
    queue, at = state.queue, state.pointer
    if told is not None:
        tell.copied(told, card_of(queue[at]), card_of(queue[move]), move)
    model = queue[move] & KIND
    if TYPES[model].copies:
        return _walk(origin, state, state.hands, queue, state.points, at + 1, told)
    return _walk(origin, state, state.hands, queue, state.points, at, told, model)


def _walk(
    origin: Origin,
    state: State,
    hands: tuple[int, ...],
    queue: tuple[int, ...],
    points: int,
    at: int,
    told: list[Event] | None,
    ability: int = _NO_KIND,
) -> State:
    """Resolve the cards from `at` on, until an owner has to decide or the round ends (rules 10 to 14).

    With an `ability`, a kind, the card at `at` is in the middle of its resolution: it was revealed, or copies that ability.
    """
    _, setup, round, before, _, _, _, _, _, removed, word, _ = state
    size = len(queue)
    while at < size:
        stack = queue[at]
        if ability == _NO_KIND:
            if told is not None:
                tell.reached(told, before, card_of(stack), at)
            if not stack & REVEALED:
                phase = RESOLUTION
                break
            ability = stack & KIND
        if (gain_of := _GAIN[ability]) is not None:
            gain = gain_of(queue, at, setup.options)
            points += gain << POINTS_AT * (stack >> OWNER_AT & OWNER)
            if told is not None:
                tell.gained(told, card_of(stack), TYPES[ability], gain)
        elif _CAN_CHOOSE[ability](queue, at, setup.options):
            if told is not None:
                tell.choosing(told, before, card_of(stack), TYPES[ability])
            phase = CHOICE_PHASES + ability
            break
        elif told is not None:
            tell.idle(told, card_of(stack), TYPES[ability])
        if _IS_CHARACTER[ability]:
            at += 1
        else:
            if told is not None:
                tell.discarded(told, card_of(stack))
            queue = lifted(queue, at)  # rule 14: what lay under it is current, or what followed it
            size = len(queue)
        ability = _NO_KIND
    else:
        return _end_round(origin, state, hands, queue, points, told)
    seat = stack >> OWNER_AT & OWNER
    return _new(state.__class__, (origin, setup, round, phase, seat, at, queue, points, hands, removed, word, False))


def _end_round(
    origin: Origin, state: State, hands: tuple[int, ...], queue: tuple[int, ...], points: int, told: list[Event] | None
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
