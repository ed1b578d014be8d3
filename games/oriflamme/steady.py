"""What `bot:steady` considers when it places a card and when it keeps or reveals one: the moves, and what speaks for each.

These are the decisions by which a player gives away its cards, so they are mixed: `decks/oriflamme_steady.json` has what each
feature weighs. All that a decision depends on is in its key: first the kind of the decision, then small numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from games.core.softmax import Features, Further, Menu
from games.oriflamme.actions import KEEP, REVEAL
from games.oriflamme.cards import NAMES, NUMBERS, kinds_of
from games.oriflamme.phases import PLACEMENT, RESOLUTION
from games.oriflamme.position import ROUNDS, Position
from games.oriflamme.prospects import loss
from games.oriflamme.stack import (
    BACK,
    FAMILY,
    FRONT,
    KIND,
    OWNER,
    OWNER_AT,
    POINTS,
    POINTS_AT,
    REVEALED,
    TOKENS,
    TOKENS_AT,
    neighbours,
)

Entries = Iterator[tuple[Any, Features]]
Key = tuple[Any, ...]


def ask(position: Position, seat: int) -> Key | None:
    """The key of a decision to place, or to keep or reveal; None for one of what an ability acts on."""
    if position[3] == PLACEMENT:
        return "place", position[8][seat], position[2]
    if position[3] != RESOLUTION:
        return None
    card = position[6][position[5]]
    kind, tokens = card & KIND, card >> TOKENS_AT & TOKENS
    found = _VALUES.get(kind)
    value = found(position, seat) if found is not None else 0
    return "resolve", kind, position[2], tokens if tokens < MOST_TOKENS else MOST_TOKENS, value


def menu(key: Key) -> Menu:
    """The moves that a key stands for, and the features of each."""
    return list(_MENUS[key[0]](*key[1:]))


MOST_TOKENS = 5


# -- placing -------------------------------------------------------------------------------------------------------------


def _placing_menu(hand: int, round: int) -> Entries:
    for kind in kinds_of(hand):
        yield _CARDS[kind], {("place", NAMES[kind], round): 1.0}


def _ask_end(kind: int, position: Position, seat: int) -> Key:
    queue, family = position[6], seat << OWNER_AT
    if not queue:
        return "first", kind
    return "end", kind, queue[0] & FAMILY == family, queue[-1] & FAMILY == family, position[2] == ROUNDS


def _end_menu(kind: int, front: bool, back: bool, is_last: bool) -> Entries:
    for place, is_own in ((FRONT, front), (BACK, back)):
        yield (kind, place), {("end", NAMES[kind], place == BACK): 1.0, ("beside own", NAMES[kind], is_own, is_last): 1.0}


_CARDS = [Further(name, partial(_ask_end, kind)) for kind, name in enumerate(NAMES)]


# -- resolving: what an ability brings the card that is resolved now, in half points, at least 0 -------------------------


def _resolving_menu(kind: int, round: int, tokens: int, value: int) -> Entries:
    name = NAMES[kind]
    yield KEEP, {}
    yield (
        REVEAL,
        {
            ("reveal", name, round): 1.0,
            ("reveal, tokens", name, tokens): 1.0,
            ("reveal, value", name, value): 1.0,
            ("reveal, value late", value, round): 1.0,
        },
    )


def _heir(position: Position, seat: int) -> int:
    queue, at = position[6], position[5]
    name = queue[at] & KIND | REVEALED
    for index, stack in enumerate(queue):
        if stack & _NAME == name and index != at:
            return 0
    return 4


def _lord(position: Position, seat: int) -> int:
    queue, family, found = position[6], seat << OWNER_AT, 2
    for index in neighbours(queue, position[5]):
        if queue[index] & FAMILY == family:
            found += 2
    return found


def _spy(position: Position, seat: int) -> int:
    queue, points = position[6], position[7]
    for index in neighbours(queue, position[5]):
        owner = queue[index] >> OWNER_AT & OWNER
        if owner != seat and points >> POINTS_AT * owner & POINTS:
            return 3
    return 0


def _shapeshifter(position: Position, seat: int) -> int:
    queue = position[6]
    models = [queue[index] & KIND for index in neighbours(queue, position[5]) if queue[index] & REVEALED]
    return max([copied(position, seat, model) for model in models], default=0)


def copied(position: Position, seat: int, model: int) -> int:
    """What copying a card of that kind brings, in half points."""
    found = None if model == _SHAPESHIFTER else _VALUES.get(model)
    return found(position, seat) if found is not None else 0


def _archer(position: Position, seat: int) -> int:
    last = len(position[6]) - 1
    first = loss(position, seat, 0)
    return _in_steps(max(first, loss(position, seat, last)) if last else first)


def _soldier(position: Position, seat: int) -> int:
    beside = [loss(position, seat, index) for index in neighbours(position[6], position[5])]
    return _in_steps(max(beside)) if beside else 0


def _assassination(position: Position, seat: int) -> int:
    found = [loss(position, seat, index) for index in range(len(position[6])) if index != position[5]]
    return _in_steps(max(found)) if found else 0


def _in_steps(loss: float) -> int:
    """The point for an elimination, and what its victim loses."""
    return 0 if loss <= -1.0 else _MOST_VALUE if loss >= _MOST_VALUE / 2 - 1 else int(2.5 + 2 * loss)


_NAME, _SHAPESHIFTER = KIND | REVEALED, NUMBERS["Shapeshifter"]
_MOST_VALUE = 12
USUAL_VALUES: Mapping[str, Sequence[int]] = {
    "Heir": (0, 4),
    "Lord": (2, 4),
    "Spy": (0, 3),
    **dict.fromkeys(("Archer", "Soldier", "Assassination", "Shapeshifter"), range(2, 8)),
}
"""What abilities mostly bring, in half points."""

_VALUES: dict[int, Callable[[Position, int], int]] = {
    NUMBERS["Heir"]: _heir,
    NUMBERS["Lord"]: _lord,
    NUMBERS["Spy"]: _spy,
    NUMBERS["Shapeshifter"]: _shapeshifter,
    NUMBERS["Archer"]: _archer,
    NUMBERS["Soldier"]: _soldier,
    NUMBERS["Assassination"]: _assassination,
}

_MENUS: dict[str, Callable[..., Entries]] = {
    "place": _placing_menu,
    "first": lambda kind: iter([((kind, FRONT), {})]),
    "end": _end_menu,
    "resolve": _resolving_menu,
}
