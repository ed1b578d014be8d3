"""What a seat may know, as JSON data. Everything that is neither public nor the seat's own is left out here."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from games.core import View
from games.oriflamme.cards import NUMBERS, STANDARD_SET, TYPES, names_of
from games.oriflamme.phases import CHOICE_PHASES, PHASES, PLACEMENT
from games.oriflamme.position import NOWHERE, ROUNDS, Position
from games.oriflamme.scoring import ending, winners
from games.oriflamme.stack import QueueCard, cards_of

if TYPE_CHECKING:
    from games.oriflamme.options import Options


def view(position: Position, seat: int | None) -> View:
    """All that a seat (None: a spectator) may know. Seats are numbers and positions count from 1."""
    players = position.setup.players
    return {
        "game": "oriflamme",
        "seat": seat,
        "phase": {"id": position.phase_id, "name": PHASES.by_id(position.phase_id).name},
        "players": players,
        "rules": dict(_rules(position.rules)),
        "extra_types": _extra_types(position.rules.card_types),
        "round": position.round,
        "rounds": ROUNDS,
        "first_player": (position.round - 1) % players,
        "points": list(position.scores),
        "queue": [[_shown(card, seat) for card in cards_of(stack)] for stack in position.queue],
        "pointer": None if position.pointer == NOWHERE else position.pointer + 1,
        "actor": position.actor,
        "ability": TYPES[position.phase_id - CHOICE_PHASES].name if position.phase_id >= CHOICE_PHASES else None,
        "still_to_place": _still_to_place(position),
        "discarded": [names_of(cards) for cards in position.gone],
        "hand_sizes": [hand.bit_count() for hand in position.hands],
        "removed_sizes": [cards.bit_count() for cards in position.removed],
        "winners": list(winners(position)),
        "ending": list(ending(position)),
        "own": None if seat is None else _own(position, seat),
    }


@lru_cache(maxsize=64)
def _rules(rules: Options) -> dict[str, Any]:
    return rules.to_json()


def _extra_types(card_types: tuple[str, ...]) -> list[dict[str, Any]]:
    """The types in play beyond the standard ones, and what they do."""
    extra = [TYPES[NUMBERS[name]] for name in card_types if name not in STANDARD_SET]
    return [{"name": kind.name, "is_character": kind.is_character, "text": kind.text} for kind in extra]


def _shown(card: QueueCard, seat: int | None) -> dict[str, Any]:
    known = card.revealed or card.owner == seat
    return {
        "owner": card.owner,
        "card": TYPES[card.kind].name if known else None,
        "revealed": card.revealed,
        "tokens": card.tokens,
    }


def _still_to_place(position: Position) -> list[int]:
    """The seats that have yet to place a card this round, the next one first."""
    if position.actor is None or position.phase_id != PLACEMENT:
        return []
    players = position.setup.players
    number = (position.round - 1 - position.actor) % players or players
    return [(position.actor + turn) % players for turn in range(number)]


def _own(position: Position, seat: int) -> dict[str, Any]:
    hidden = [
        {"position": at + 1, "card": TYPES[card.kind].name, "tokens": card.tokens, "covered": depth > 0}
        for at, stack in enumerate(position.queue)
        for depth, card in enumerate(cards_of(stack))
        if card.owner == seat and not card.revealed
    ]
    return {"hand": names_of(position.hands[seat]), "removed": names_of(position.removed[seat]), "hidden": hidden}
