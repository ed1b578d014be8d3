"""The bots: policies that read the position as their seat knows it.

`steady` follows rules of thumb: spare the own cards, let tokens grow on a Conspiracy, reveal what pays, eliminate what costs
rivals most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from games.core import Policy, Rng, policy, random_policy
from games.oriflamme.actions import KEEP, REVEAL, legal_actions
from games.oriflamme.cards import CHOOSERS, TYPES, kinds_of
from games.oriflamme.cards.choosing import ChoosingType
from games.oriflamme.phases import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.position import ROUNDS, Position
from games.oriflamme.prospects import QueuePlan
from games.oriflamme.stack import BACK, FRONT, KIND, ON, OWNER, OWNER_AT, REVEALED, neighbours

_WAITING = {"Conspiracy": 1.6, "Ambush": 1.3}
"""What waiting hidden for another round is worth to these; to others it is the token and little more, _TOKEN."""
_TOKEN = 0.6

_EARLY = {
    "Archer": 4.0,
    "Soldier": 3.8,
    "Heir": 3.5,
    "Lord": 3.4,
    "Spy": 3.2,
    "Ambush": 3.0,
    "Shapeshifter": 2.8,
    "Conspiracy": 2.5,
}
_LATE = {"Heir": 2.0, "Archer": 2.0, "Assassination": 2.0, "Lord": 1.5, "Soldier": 1.5, "Spy": 1.2, "Ambush": 1.0}


@policy
def steady(position: Position, seat: int, rng: Rng) -> Any:
    """A move of the highest value; a random one if there are several."""
    phase = position[3]
    if phase == RESOLUTION:
        return _keep_or_reveal(QueuePlan(position, seat), rng)
    if phase == PLACEMENT:
        return _place(position, seat, rng)
    moves = legal_actions(position, seat)
    return moves[0] if len(moves) == 1 else _choose(QueuePlan(position, seat), CHOOSERS[phase - CHOICE_PHASES], moves, rng)


BOTS: Mapping[str, Policy] = {"random": random_policy, "steady": steady}


def _best(moves: Sequence[Any], worth: Callable[[Any], float], rng: Rng) -> Any:
    values = [worth(move) for move in moves]
    best = max(values) - 1e-9
    found = [move for move, value in zip(moves, values, strict=True) if value > best]
    return found[0] if len(found) == 1 else rng.choice(found)


# -- placing -------------------------------------------------------------------------------------------------------------


def _place(position: Position, seat: int, rng: Rng) -> tuple[int, int]:
    """Characters go early, as they act in every later round; no card covers an own one, which costs its worth."""
    queue = position[6]
    ends = (queue[0] >> OWNER_AT & OWNER == seat, queue[-1] >> OWNER_AT & OWNER == seat) if queue else None
    found = _placings(position[8][seat], ROUNDS - position[2] >= 2, ends)
    return found[0] if len(found) == 1 else rng.choice(found)


@cache
def _placings(hand: int, is_early: bool, ends: tuple[bool, bool] | None) -> tuple[tuple[int, int], ...]:
    """The best placings; `ends` says whether the first and the last card are the player's own, None for an empty queue."""
    sides = ((FRONT, False),) if ends is None else ((FRONT, ends[0]), (BACK, ends[1]))
    values = {
        (kind, side): (_EARLY if is_early else _LATE).get(TYPES[kind].name, 0.5) + _beside(TYPES[kind].name, side, is_own)
        for side, is_own in sides
        for kind in kinds_of(hand)
    }
    return tuple(placing for placing, value in values.items() if value == max(values.values()))


def _beside(name: str, side: int, is_own: bool) -> float:
    """What the card at that end adds."""
    if name in ("Soldier", "Spy"):
        return -1.0 * is_own
    if name == "Lord":
        return 1.0 * is_own
    return 0.3 if side == BACK and name == "Conspiracy" else 0.0


# -- resolving -----------------------------------------------------------------------------------------------------------


def _keep_or_reveal(table: QueuePlan, rng: Rng) -> str:
    keep, reveal = _value_of_keep(table), _value_of_reveal(table)
    if abs(keep - reveal) < 1e-9:
        return rng.choice((KEEP, REVEAL))
    return KEEP if keep > reveal else REVEAL


def _value_of_keep(table: QueuePlan) -> float:
    """A token now and the ability later, if there are later rounds."""
    if not table.rounds_left:
        return 0.0
    name = TYPES[table.current & KIND].name
    return _WAITING.get(name, _TOKEN) + (0.3 * table.tokens if name == "Conspiracy" else 0.0)


def _value_of_reveal(table: QueuePlan) -> float:
    """The tokens and the gain of the ability now; a character gains the same again in later rounds."""
    name, tokens = TYPES[table.current & KIND].name, table.tokens
    if name == "Conspiracy":
        return 0.5 * tokens if table.rounds_left else 2.0 * tokens
    if name == "Ambush":
        return 1.0
    return (0.5 * tokens if table.rounds_left else tokens + 0.1) + _value_of_ability(table, name)


def _value_of_ability(table: QueuePlan, name: str) -> float:
    """What an ability brings if the card performs it now."""
    value = _ABILITIES.get(name)
    return value(table) if value is not None else 0.0


def _heir(table: QueuePlan) -> float:
    kind = table.current & KIND | REVEALED
    return 0.0 if any(stack & _NAME == kind for at, stack in enumerate(table.queue) if at != table.at) else 2.0


def _lord(table: QueuePlan) -> float:
    return 1.0 + sum(table.owner(index) == table.seat for index in neighbours(table.queue, table.at))


def _spy(table: QueuePlan) -> float:
    victims = (table.owner(index) for index in neighbours(table.queue, table.at))
    return 1.5 * any(victim != table.seat and table.points(victim) for victim in victims)


def _shapeshifter(table: QueuePlan) -> float:
    revealed = [index for index in neighbours(table.queue, table.at) if table.queue[index] & REVEALED]
    return max((_value_of_copy(table, index) for index in revealed), default=0.0)


def _royal_decree(table: QueuePlan) -> float:
    return 0.4


def _archer(table: QueuePlan) -> float:
    return 1.0 + max(table.loss(0), table.loss(len(table.queue) - 1))


def _soldier(table: QueuePlan) -> float:
    return 1.0 + max(map(table.loss, neighbours(table.queue, table.at)), default=-1.0)


def _assassination(table: QueuePlan) -> float:
    return 1.0 + max((table.loss(index) for index in range(len(table.queue)) if index != table.at), default=-1.0)


_NAME = KIND | REVEALED
_ABILITIES: dict[str, Callable[[QueuePlan], float]] = {
    "Heir": _heir,
    "Lord": _lord,
    "Spy": _spy,
    "Shapeshifter": _shapeshifter,
    "Royal Decree": _royal_decree,
    "Archer": _archer,
    "Soldier": _soldier,
    "Assassination": _assassination,
}


# -- choosing ------------------------------------------------------------------------------------------------------------


def _choose(table: QueuePlan, ability: ChoosingType, moves: Sequence[Any], rng: Rng) -> Any:
    """What an ability acts on."""
    if ability.chooses_seats:
        return _best(moves, lambda victim: -1.0 if victim == table.seat else float(table.points(victim)), rng)
    if ability.copies:
        return _best(moves, lambda index: _value_of_copy(table, index), rng)
    if isinstance(moves[0], tuple):
        return _best(moves, partial(_value_of_move, table, [table.worth(index) for index in range(len(table.queue))]), rng)
    return _best(moves, table.loss, rng)


def _value_of_copy(table: QueuePlan, index: int) -> float:
    name = TYPES[table.queue[index] & KIND].name
    return 0.0 if name == "Shapeshifter" else _value_of_ability(table, name)


def _value_of_move(table: QueuePlan, worths: Sequence[float], move: tuple[int, int]) -> float:
    """Bring own revealed cards behind the pointer to be resolved again, and others' ahead of it, where they are passed by."""
    index, place = move
    if place >= ON:
        covered = place - ON
        cost = worths[covered] if covered != table.at else 0.0
        return -cost if table.owner(covered) == table.seat else cost
    gained = (place > table.at) - (index > table.at)
    if not gained:
        return 0.0
    worth = worths[index] / (table.rounds_left + 1) if table.queue[index] & REVEALED else 0.3
    return gained * (worth if table.owner(index) == table.seat else -worth)
