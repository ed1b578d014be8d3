"""A position as numbers for learning algorithms, from one seat's own information alone.

An observation is a flat tuple of `SIZE` whole numbers; `LEGEND` says what stands where and in which shape. Seats are
counted from the observer: 0 is itself, 1 the next clockwise. Cards are counted by their slot in `card_types`, 0 to 9.

Every action has an id in range(ACTIONS) that depends on nothing but what the action is:

    320  place: 32 * slot + place, place being 0 front, 1 back, 2 + i on position i
      2  keep, reveal
     30  a target at position i (Archer, Soldier, Assassination, Shapeshifter)
      5  a Spy's victim, by seat
   1830  Royal Decree: 61 * i + to for the card at position i, `to` being 0 front, g before position g, 30 back, 31 + j on j

Positions count from 0 here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from games.core import Action, View
from games.oriflamme.action import CHOICES
from games.oriflamme.cards import TYPES
from games.oriflamme.phase_ids import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.places import BACK, ON
from games.oriflamme.state import State

SEATS = 5
SLOTS = 10
POSITIONS = 30
DEPTH = 6


class Segment(NamedTuple):
    """A part of an observation: from `start` on, of a shape, row by row."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str


def _legend() -> tuple[Segment, ...]:
    parts: tuple[tuple[str, tuple[int, ...], str], ...] = (
        ("players", (1,), "how many seats play"),
        ("round", (1,), "1 to 6"),
        ("phase", (SLOTS + 3,), "one-hot: placement, resolution, the choice of each card slot, game over"),
        ("actor", (SEATS,), "one-hot: who decides; all 0 at the end"),
        ("first_player", (SEATS,), "one-hot"),
        ("pointer", (1,), "1 plus the position being resolved, or 0"),
        ("points", (SEATS,), "by seat"),
        ("hand_sizes", (SEATS,), "by seat"),
        ("hand", (SLOTS,), "1 for each own card in hand"),
        ("removed", (SLOTS,), "1 for each own card removed"),
        ("discarded", (SEATS, SLOTS), "1 for each card face up before a seat"),
        (
            "queue",
            (POSITIONS, DEPTH, 4),
            "by position and depth, top first: 1 plus the owner (0: no card), 1 plus the slot (0: unknown), revealed, tokens",
        ),
    )
    legend, start = [], 0
    for name, shape, meaning in parts:
        legend.append(Segment(name, start, shape, meaning))
        start += _product(shape)
    return tuple(legend)


def _product(shape: tuple[int, ...]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size


LEGEND = _legend()
SIZE = LEGEND[-1].start + _product(LEGEND[-1].shape)


def observation(state: State, seat: int) -> tuple[int, ...]:
    """What the seat observes: `SIZE` whole numbers."""
    view = state.view(seat)
    slots = {name: slot for slot, name in enumerate(view["rules"]["card_types"])}
    players = view["players"]

    def relative(other: int | None) -> int | None:
        return None if other is None else (other - seat) % players

    own = view["own"]
    numbers = [players, view["round"]]
    numbers += _one_hot(SLOTS + 3, _phase_slot(view, slots))
    numbers += _one_hot(SEATS, relative(view["actor"]))
    numbers += _one_hot(SEATS, relative(view["first_player"]))
    numbers.append(view["pointer"] or 0)
    numbers += _from(seat, view["points"]) + _from(seat, view["hand_sizes"])
    numbers += _flags(own["hand"], slots) + _flags(own["removed"], slots)
    around = view["discarded"][seat:] + view["discarded"][:seat]
    for turn in range(SEATS):
        numbers += _flags(around[turn] if turn < players else [], slots)
    for stack in view["queue"]:
        for card in stack:
            slot = slots[card["card"]] + 1 if card["card"] else 0
            numbers += [(card["owner"] - seat) % players + 1, slot, int(card["revealed"]), card["tokens"]]
        numbers += [0] * (4 * (DEPTH - len(stack)))
    return (*numbers, *[0] * (SIZE - len(numbers)))


def _phase_slot(view: View, slots: dict[str, int]) -> int:
    if view["ability"]:
        return 2 + slots[view["ability"]]
    if view["actor"] is None:
        return SLOTS + 2
    return 0 if view["phase"]["id"] == PLACEMENT else 1


def _one_hot(size: int, index: int | None) -> list[int]:
    return [int(place == index) for place in range(size)]


def _from(seat: int, numbers: list[int]) -> list[int]:
    return numbers[seat:] + numbers[:seat] + [0] * (SEATS - len(numbers))


def _flags(names: list[str], slots: dict[str, int]) -> list[int]:
    flags = [0] * SLOTS
    for name in names:
        flags[slots[name]] = 1
    return flags


# -- actions -------------------------------------------------------------------------------------------------------------

_PLACES = 2 + POSITIONS
_DESTINATIONS = 1 + 2 * POSITIONS
_CHOICE = SLOTS * _PLACES
_TARGET = _CHOICE + 2
_VICTIM = _TARGET + POSITIONS
_DECREE = _VICTIM + SEATS
ACTIONS = _DECREE + POSITIONS * _DESTINATIONS
"""Every action id is below this."""


def action_id(action: Action) -> int:
    """The id of an action."""
    state = action.state
    assert isinstance(state, State)
    return _id_of(state, action.move)


def action_of(state: State, number: int) -> Action:
    """The legal action with that id. ValueError when there is none."""
    for action in state.actions:
        if _id_of(state, action.move) == number:
            return action
    raise ValueError(f"{number} is the id of no legal action here")


def legal_mask(state: State) -> tuple[bool, ...]:
    """For each id in range(ACTIONS) whether that action is legal; all False at the end."""
    mask = [False] * ACTIONS
    if state.actor is not None:
        for move in state.legal_moves(state.actor):
            mask[_id_of(state, move)] = True
    return tuple(mask)


def _id_of(state: State, move: Any) -> int:
    phase = state.phase_id
    if phase == PLACEMENT:
        kind, place = int(move[0]), int(move[1])
        return _slots(state.rules.card_types)[kind] * _PLACES + _placement_index(place)
    if phase == RESOLUTION:
        return _CHOICE + CHOICES.index(move)
    if isinstance(move, tuple):
        card, place = int(move[0]), int(move[1])
        return _DECREE + card * _DESTINATIONS + _destination_index(place)
    return (_VICTIM if TYPES[phase - CHOICE_PHASES].chooses_seats else _TARGET) + int(move)


@lru_cache(maxsize=64)
def _slots(card_types: tuple[str, ...]) -> dict[int, int]:
    """The slot of each kind in a card set."""
    return {card_type.number: card_types.index(card_type.name) for card_type in TYPES if card_type.name in card_types}


def _placement_index(place: int) -> int:
    return place - ON + 2 if place >= ON else int(place == BACK)


def _destination_index(place: int) -> int:
    if place >= ON:
        return POSITIONS + 1 + place - ON
    return POSITIONS if place == BACK else place
