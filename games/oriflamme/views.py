"""What a seat may know, as JSON data. Whatever is not public or the seat's own is left out here and nowhere else."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from games.core import View
from games.oriflamme.cards import NUMBERS, STANDARD_SET, TYPES
from games.oriflamme.data import names_of
from games.oriflamme.phase_ids import CHOICE_PHASES, PLACEMENT
from games.oriflamme.places import NOWHERE
from games.oriflamme.stack import Card, cards_of
from games.oriflamme.walk import ROUNDS

if TYPE_CHECKING:
    from games.oriflamme.options import Rules
    from games.oriflamme.state import State


def view(state: State, seat: int | None) -> View:
    """All that a seat (None: a spectator) may know. Seats are numbers and positions count from 1."""
    players = state.setup.players
    return {
        "game": "oriflamme",
        "seat": seat,
        "phase": {"id": state.phase_id, "name": state.phase.name},
        "players": players,
        "rules": dict(_rules(state.rules)),
        "extra_types": _extra_types(state.rules.card_types),
        "round": state.round,
        "rounds": ROUNDS,
        "first_player": (state.round - 1) % players,
        "points": list(state.scores),
        "queue": [[_shown(card, seat) for card in cards_of(stack)] for stack in state.queue],
        "pointer": None if state.pointer == NOWHERE else state.pointer + 1,
        "actor": state.actor,
        "ability": TYPES[state.phase_id - CHOICE_PHASES].name if state.phase_id >= CHOICE_PHASES else None,
        "still_to_place": _still_to_place(state),
        "discarded": [names_of(cards) for cards in state.gone],
        "hand_sizes": [hand.bit_count() for hand in state.hands],
        "removed_sizes": [cards.bit_count() for cards in state.removed],
        "winners": list(state.winners),
        "ending": list(state.ending),
        "own": None if seat is None else _own(state, seat),
    }


@lru_cache(maxsize=64)
def _rules(rules: Rules) -> dict[str, Any]:
    return rules.to_json()


def _extra_types(card_types: tuple[str, ...]) -> list[dict[str, Any]]:
    """What the types in play beyond the standard ones are and do: nobody has these by heart."""
    extra = [TYPES[NUMBERS[name]] for name in card_types if name not in STANDARD_SET]
    return [{"name": kind.name, "is_character": kind.is_character, "text": kind.text} for kind in extra]


def _shown(card: Card, seat: int | None) -> dict[str, Any]:
    known = card.revealed or card.owner == seat
    return {
        "owner": card.owner,
        "card": TYPES[card.kind].name if known else None,
        "revealed": card.revealed,
        "tokens": card.tokens,
    }


def _still_to_place(state: State) -> list[int]:
    """The seats that have yet to place a card this round, the next one first."""
    if state.actor is None or state.phase_id != PLACEMENT:
        return []
    players = state.setup.players
    number = (state.round - 1 - state.actor) % players or players
    return [(state.actor + turn) % players for turn in range(number)]


def _own(state: State, seat: int) -> dict[str, Any]:
    hidden = [
        {"position": at + 1, "card": TYPES[card.kind].name, "tokens": card.tokens, "covered": depth > 0}
        for at, stack in enumerate(state.queue)
        for depth, card in enumerate(cards_of(stack))
        if card.owner == seat and not card.revealed
    ]
    return {"hand": names_of(state.hands[seat]), "removed": names_of(state.removed[seat]), "hidden": hidden}
