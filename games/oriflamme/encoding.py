"""Observations and action numbers for learners.

Seats are counted from the observer, or from the seat that acts: 0 is itself, 1 the next clockwise. Cards are counted by their
slot in `card_types`. Positions count from 0 here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from games import core
from games.core import Action, Encoding, State, View, lay_out
from games.oriflamme.actions import CHOICES
from games.oriflamme.cards import CHOOSERS, TYPES
from games.oriflamme.options import Options
from games.oriflamme.phases import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.position import ROUNDS
from games.oriflamme.stack import BACK, ON

_HEIGHT = ROUNDS
"""The most cards in a stack."""
_CARD = 4
"""Numbers for a card of the queue."""


class OriflammeEncoding(Encoding):
    """The numbers of Oriflamme for a number of players and options.

    Action numbers, with n positions at most (6 for each player): for each card slot the places front, back, and on position
    0 to n - 1; keep and reveal; the targets at position 0 to n - 1; the victims of a Spy by seat; and for each position whose
    card a Royal Decree moves the destinations front, before position 1 to n - 1, back, and on position 0 to n - 1.
    """

    def __init__(self, players: int, options: core.Options) -> None:
        assert isinstance(options, Options)
        self._players = players
        self._slots = {name: slot for slot, name in enumerate(options.card_types)}
        self._positions = positions = ROUNDS * players
        slots = len(self._slots)
        self._first_choice = slots * (2 + positions)
        self._first_target = self._first_choice + len(CHOICES)
        self._first_victim = self._first_target + positions
        self._first_decree = self._first_victim + players
        self._destinations = 1 + 2 * positions
        self.actions = self._first_decree + positions * self._destinations
        self.legend = lay_out(
            ("round", (1,), "the round being played, from 1"),
            ("phase", (slots + 3,), "one-hot: placement, resolution, the choice for each card slot, game over"),
            ("actor", (players,), "one-hot: the seat that decides; all 0 at the end"),
            ("first_player", (players,), "one-hot: the first player of the round"),
            ("pointer", (1,), "1 plus the position being resolved, or 0"),
            ("points", (players,), "by seat"),
            ("hand_sizes", (players,), "by seat"),
            ("hand", (slots,), "1 for each own card in hand"),
            ("removed", (slots,), "1 for each own card removed"),
            ("discarded", (players, slots), "1 for each card face up before a seat"),
            (
                "queue",
                (positions, _HEIGHT, _CARD),
                "by position and depth, top first: 1 + owner (0: no card), 1 + slot (0: hidden), revealed, tokens",
            ),
        )
        self.size = sum(segment.size for segment in self.legend)

    def observe(self, state: State, seat: int) -> tuple[int, ...]:
        view = state.view(seat)
        around = [(seat + turn) % self._players for turn in range(self._players)]
        known = [
            view["round"],
            *_one_hot(len(self._slots) + 3, self._phase(view)),
            *(int(other == view["actor"]) for other in around),
            *(int(other == view["first_player"]) for other in around),
            view["pointer"] or 0,
            *(view["points"][other] for other in around),
            *(view["hand_sizes"][other] for other in around),
            *self._flags(view["own"]["hand"]),
            *self._flags(view["own"]["removed"]),
            *chain.from_iterable(self._flags(view["discarded"][other]) for other in around),
            *chain.from_iterable(self._stack(stack, seat) for stack in view["queue"]),
        ]
        return (*known, *[0] * (self.size - len(known)))

    def _phase(self, view: View) -> int:
        if view["ability"]:
            return 2 + self._slots[view["ability"]]
        if view["actor"] is None:
            return 2 + len(self._slots)
        return 0 if view["phase"]["id"] == PLACEMENT else 1

    def _flags(self, names: Sequence[str]) -> Iterable[int]:
        return (int(name in names) for name in self._slots)

    def _stack(self, stack: list[dict[str, Any]], seat: int) -> list[int]:
        numbers = []
        for card in stack:
            slot = self._slots[card["card"]] + 1 if card["card"] else 0
            numbers += [(card["owner"] - seat) % self._players + 1, slot, int(card["revealed"]), card["tokens"]]
        return numbers + [0] * (_CARD * (_HEIGHT - len(stack)))

    def number(self, action: Action) -> int:
        phase, move = action.state.phase_id, action.move
        if phase == PLACEMENT:
            kind, place = move
            return self._slots[TYPES[kind].name] * (2 + self._positions) + _number_of_place(place)
        if phase == RESOLUTION:
            return self._first_choice + CHOICES.index(move)
        if CHOOSERS[phase - CHOICE_PHASES].chooses_seats:
            return self._first_victim + (int(move) - action.seat) % self._players
        if isinstance(move, tuple):
            card, place = move
            return self._first_decree + int(card) * self._destinations + self._number_of_destination(place)
        return self._first_target + int(move)

    def _number_of_destination(self, place: int) -> int:
        if place >= ON:
            return self._positions + 1 + place - ON
        return self._positions if place == BACK else place


def _number_of_place(place: int) -> int:
    return place - ON + 2 if place >= ON else int(place == BACK)


def _one_hot(size: int, index: int) -> Iterable[int]:
    return (int(at == index) for at in range(size))
