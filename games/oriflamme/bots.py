"""The bots: policies that read the position as their seat knows it.

`steady` places, keeps and reveals by the weights of `steady`, and chooses what an ability acts on by rules of thumb: spare
the own cards, eliminate what costs rivals most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core import Policy, Rng, policy, random_policy
from games.core.softmax import Softmax, stored_weights
from games.oriflamme.actions import legal_actions
from games.oriflamme.cards import CHOOSERS
from games.oriflamme.cards.choosing import ChoosingType
from games.oriflamme.phases import CHOICE_PHASES
from games.oriflamme.position import ROUNDS, Position
from games.oriflamme.prospects import loss, worth
from games.oriflamme.stack import KIND, ON, OWNER, OWNER_AT, POINTS, POINTS_AT, REVEALED
from games.oriflamme.steady import ask, copied, menu


def playing(softmax: Softmax) -> Policy:
    """The policy that places, keeps and reveals by a softmax; of what an ability may act on it chooses the best."""

    @policy
    def steady(position: Position, seat: int, rng: Rng) -> Any:
        """Moves drawn by what speaks for them; of what an ability may act on the best, a random one if there are several."""
        phase = position[3]
        if phase < CHOICE_PHASES:
            return softmax.choose(position, seat, rng)
        moves = legal_actions(position, seat)
        return moves[0] if len(moves) == 1 else choose(position, seat, CHOOSERS[phase - CHOICE_PHASES], moves, rng)

    return steady


SOFTMAX = Softmax(ask, menu, stored_weights("oriflamme_steady"))
BOTS: Mapping[str, Policy] = {"random": random_policy, "steady": playing(SOFTMAX)}


def choose(position: Position, seat: int, ability: ChoosingType, moves: Sequence[Any], rng: Rng) -> Any:
    """What an ability acts on."""
    queue, points = position[6], position[7]
    if ability.chooses_seats:
        values = [-1.0 if victim == seat else points >> POINTS_AT * victim & POINTS for victim in moves]
    elif ability.copies:
        values = [copied(position, seat, queue[index] & KIND) for index in moves]
    elif isinstance(moves[0], tuple):
        worths = [worth(position, seat, index) for index in range(len(queue))]
        values = [_value_of_move(position, seat, worths, move) for move in moves]
    else:
        values = [loss(position, seat, index) for index in moves]
    best = max(values) - 1e-9
    found = [move for move, value in zip(moves, values, strict=True) if value > best]
    return found[0] if len(found) == 1 else rng.choice(found)


def _value_of_move(position: Position, seat: int, worths: Sequence[float], move: tuple[int, int]) -> float:
    """Bring own revealed cards behind the pointer to be resolved again, and others' ahead of it, where they are passed by."""
    index, place = move
    queue, at = position[6], position[5]
    if place >= ON:
        covered = place - ON
        cost = worths[covered] if covered != at else 0.0
        return -cost if queue[covered] >> OWNER_AT & OWNER == seat else cost
    gained = (place > at) - (index > at)
    if not gained:
        return 0.0
    worth = worths[index] / (ROUNDS - position[2] + 1) if queue[index] & REVEALED else 0.3
    return gained * (worth if queue[index] >> OWNER_AT & OWNER == seat else -worth)
