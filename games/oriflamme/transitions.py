"""Transitions: the deal, what a move does, the resolution of the queue up to the next decision, and the strike-out.

Each transition takes the origin of the position to come, (position, seat, move), and the list for its events (None: nobody
wants them).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

from games.core import OPENING, STRIKE_OUT, Event, Rng, Setup, seat_name
from games.oriflamme import events as told
from games.oriflamme.actions import KEEP, legal_actions
from games.oriflamme.cards import CHOOSERS, TYPES, set_of
from games.oriflamme.cards.base import discarded
from games.oriflamme.phases import CHOICE_PHASES, GAME_OVER, PLACEMENT, RESOLUTION, ROUND_END
from games.oriflamme.position import NOWHERE, ROUNDS, P, Sets
from games.oriflamme.stack import (
    BARE,
    CARD_BITS,
    FRONT,
    KIND,
    ON,
    OWNER,
    OWNER_AT,
    PLACED_AT,
    POINTS,
    POINTS_AT,
    PRESENT,
    REVEALED,
    TOKEN,
    TOKENS,
    TOKENS_AT,
    Queue,
    card_of,
    points_of,
    without_top,
)

Events = list[Event] | None
Origin = tuple[P, int, Any]

REMOVED = 3

_NO_KIND = -1
_new = tuple.__new__

# What the resolution asks of a type of card at every step, by kind.
_PAYOUT = [card_type.payout for card_type in TYPES]
_IS_CHARACTER = [card_type.is_character for card_type in TYPES]
_GAIN = [None if card_type.number in CHOOSERS else card_type.gain for card_type in TYPES]
_CAN_CHOOSE = {number: chooser.can_choose for number, chooser in CHOOSERS.items()}

_FIRST_POINTS = {players: points_of([1] * players) for players in range(3, 6)}  # rule 4


def deal(kind: type[P], setup: Setup, events: Events) -> P:
    """The first position, of that class: hands and removed cards are drawn (rule 3)."""
    rng = Rng.of("oriflamme", setup.seed)
    family, ways = _removals(setup.options.card_types)
    drawn = rng.below(len(ways) ** setup.players)
    gone = []
    for _ in range(setup.players):
        drawn, way = divmod(drawn, len(ways))
        gone.append(ways[way])
    hands, removed = tuple([family ^ cards for cards in gone]), tuple(gone)
    if events is not None:
        for seat, (hand, cards) in enumerate(zip(hands, removed, strict=True)):
            events += told.dealt(seat, hand, cards)
        events += told.phase(events, None, PLACEMENT, "Round 1 begins: P-0 places first.")
    points = _FIRST_POINTS[setup.players]
    return _new(kind, (OPENING, setup, 1, PLACEMENT, 0, NOWHERE, (), points, hands, removed, rng.word, False))


@cache
def _removals(card_types: tuple[str, ...]) -> tuple[int, Sets]:
    """The set of kinds of a family, and every set of three that can be removed from it."""
    return set_of(card_types), tuple(set_of(names) for names in combinations(card_types, REMOVED))


def apply(position: P, seat: int, move: Any, events: Events) -> P:
    """The position after a legal move."""
    phase = position.phase_id
    origin = position, seat, move
    if phase == RESOLUTION:
        return keep(origin, events) if move == KEEP else reveal(origin, events)
    if phase == PLACEMENT:
        return place(origin, events)
    return copy(origin, events) if TYPES[phase - CHOICE_PHASES].copies else choose(origin, events)


def strike_out(position: P, seat: int, events: Events) -> P:
    """The position after too many invalid answers: a point is lost and a random legal move is played (rule 32)."""
    rng = Rng(position.word)
    move = rng.choice(legal_actions(position, seat))
    lost = 1 if position.points >> POINTS_AT * seat & POINTS else 0
    if events is not None:
        events += told.penalty(seat, lost)
    fined = position._replace(points=position.points - (lost << POINTS_AT * seat), word=rng.word)
    return apply(fined, seat, move, events)._replace(origin=(position, seat, STRIKE_OUT))


def place(origin: Origin[P], events: Events) -> P:
    """The seat places a card (rule 7)."""
    position, seat, (kind, where) = origin
    _, setup, round, _, _, _, queue, points, hands, removed, word, _ = position
    card = kind | seat << OWNER_AT | PRESENT | round << PLACED_AT
    if where >= ON:
        stacks = [*queue]
        stacks[where - ON] = card | stacks[where - ON] << CARD_BITS
        queue = tuple(stacks)
    else:
        alone = (card,)
        queue = alone + queue if where == FRONT else queue + alone
    left = [*hands]
    left[seat] ^= 1 << kind
    if events is not None:
        events += told.placed(seat, kind, where)
    players = setup[0]
    following = (seat + 1) % players
    if following == (round - 1) % players:
        return resolve(origin, position, tuple(left), queue, points, 0, events)
    if events is not None:
        events += told.phase(events, PLACEMENT, PLACEMENT, f"{seat_name(following)} is next to place a card.")
    return _new(
        position.__class__,
        (origin, setup, round, PLACEMENT, following, NOWHERE, queue, points, tuple(left), removed, word, False),
    )


def keep(origin: Origin[P], events: Events) -> P:
    """The owner of a hidden card keeps it so, for a token (rule 11)."""
    position = origin[0]
    _, setup, round, _, _, at, queue, points, hands, removed, word, _ = position
    stacks = [*queue]
    if events is not None:
        events += told.kept(card_of(stacks[at]), at)
    stacks[at] += TOKEN
    at += 1
    if events is None and at < len(stacks) and not stacks[at] & REVEALED:
        # Another hidden card: what `resolve` would come to, in short.
        seat = stacks[at] >> OWNER_AT & OWNER
        return _new(
            position.__class__,
            (origin, setup, round, RESOLUTION, seat, at, tuple(stacks), points, hands, removed, word, False),
        )
    return resolve(origin, position, hands, tuple(stacks), points, at, events)


def reveal(origin: Origin[P], events: Events) -> P:
    """The owner of a hidden card reveals it, takes its tokens and performs its ability (rules 11 and 12)."""
    position, seat, _ = origin
    _, setup, round, _, _, at, queue, points, hands, removed, word, _ = position
    stacks = [*queue]
    stack = stacks[at]
    kind = stack & KIND
    paid = (stack >> TOKENS_AT & TOKENS) * _PAYOUT[kind]
    if events is not None:
        events += told.revealed(card_of(stack), at, paid)
    stacks[at] = stack & BARE | REVEALED
    queue = tuple(stacks)
    points += paid << POINTS_AT * seat
    can_choose = _CAN_CHOOSE.get(kind)
    if events is None and can_choose is not None and can_choose(queue, at, setup.options):
        # The owner has to choose: what `resolve` would come to, in short.
        phase = CHOICE_PHASES + kind
        return _new(position.__class__, (origin, setup, round, phase, seat, at, queue, points, hands, removed, word, False))
    return resolve(origin, position, hands, queue, points, at, events, kind)


def choose(origin: Origin[P], events: Events) -> P:
    """The owner of the card being resolved has chosen what its ability acts on."""
    position, _, move = origin
    _, setup, _, phase, _, at, queue, points, hands, _, _, _ = position
    ability = CHOOSERS[phase - CHOICE_PHASES]
    queue, points, at = ability.apply(queue, points, at, move, setup.options, events)
    return resolve(origin, position, hands, queue, points, at, events)


def copy(origin: Origin[P], events: Events) -> P:
    """A Shapeshifter has chosen whom to copy (rule 25)."""
    position, _, move = origin
    hands, queue, points, at = position.hands, position.queue, position.points, position.pointer
    if events is not None:
        events += told.copied(card_of(queue[at]), card_of(queue[move]), move)
    model = queue[move] & KIND
    if TYPES[model].copies:
        return resolve(origin, position, hands, queue, points, at + 1, events)
    return resolve(origin, position, hands, queue, points, at, events, model)


def resolve(
    origin: Any, position: P, hands: Sets, queue: Queue, points: int, at: int, events: Events, ability: int = _NO_KIND
) -> P:
    """Resolve the cards from `at` on, until an owner has to decide or the round ends (rules 10 to 14).

    With an `ability`, a kind, the card at `at` is in the middle of its resolution: it was revealed, or copies that ability.
    """
    _, setup, round, before, _, _, _, _, _, removed, word, _ = position
    size = len(queue)
    while at < size:
        stack = queue[at]
        if ability == _NO_KIND:
            if events is not None:
                events += told.resolution(events, before, card_of(stack), at)
            if not stack & REVEALED:
                phase = RESOLUTION
                break
            ability = stack & KIND
        if (gain_of := _GAIN[ability]) is not None:
            gain = gain_of(queue, at, setup.options)
            points += gain << POINTS_AT * (stack >> OWNER_AT & OWNER)
            if events is not None:
                events += told.gained(card_of(stack), TYPES[ability], gain)
        elif _CAN_CHOOSE[ability](queue, at, setup.options):
            if events is not None:
                events += told.choice(events, before, card_of(stack), CHOOSERS[ability])
            phase = CHOICE_PHASES + ability
            break
        elif events is not None:
            events += told.idle(card_of(stack), TYPES[ability])
        if _IS_CHARACTER[ability]:
            at += 1
        else:
            if events is not None:
                events += discarded(card_of(stack))
            queue = without_top(queue, at)  # rule 14: what lay under it is current, or what followed it
            size = len(queue)
        ability = _NO_KIND
    else:
        return _end_round(origin, position, hands, queue, points, events)
    seat = stack >> OWNER_AT & OWNER
    return _new(position.__class__, (origin, setup, round, phase, seat, at, queue, points, hands, removed, word, False))


def _end_round(origin: Any, position: P, hands: Sets, queue: Queue, points: int, events: Events) -> P:
    """The first player marker passes on (rule 16), or the match is over (rule 17)."""
    _, setup, round, before, _, _, _, _, _, removed, word, _ = position
    is_over, following = round == ROUNDS, round % setup.players
    if events is not None:
        events += told.phase(events, before, ROUND_END, f"Round {round} ends.")
        if is_over:
            events += told.phase(events, before, GAME_OVER, "The match is over.")
        else:
            events += told.phase(events, before, PLACEMENT, f"Round {round + 1} begins: {seat_name(following)} places first.")
    phase, round, seat = (GAME_OVER, round, None) if is_over else (PLACEMENT, round + 1, following)
    made = _new(
        position.__class__,
        (origin, setup, round, phase, seat, NOWHERE, queue, points, hands, removed, word, is_over),
    )
    if is_over and events is not None:
        events += told.end(made)
    return made
