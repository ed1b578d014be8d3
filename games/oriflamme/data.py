"""A state as JSON data and back, with the cards by name so that it can be read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from games.core import Definition
from games.oriflamme.cards import NUMBERS, TYPES
from games.oriflamme.placement import kinds_of
from games.oriflamme.stack import Card, cards_of, points_of, scores_of, stack_of

if TYPE_CHECKING:
    from games.oriflamme.state import State

_CARD = re.compile(r"(\d):([^*(]+)(\*?)(?:\((\d+)\))?")


def to_json(state: State) -> dict[str, Any]:
    """The whole state. A card of the queue is written `seat:name`, `*` if revealed, its tokens in brackets if it has any."""
    return {
        "setup": state.setup.to_json(),
        "round": state.round,
        "phase": state.phase_id,
        "actor": state.actor,
        "pointer": state.pointer,
        "queue": [[card_text(card) for card in cards_of(stack)] for stack in state.queue],
        "points": list(scores_of(state.points, state.setup.players)),
        "hands": [names_of(hand) for hand in state.hands],
        "removed": [names_of(cards) for cards in state.removed],
        "word": state.word,
    }


def fields_of(game: Definition, data: dict[str, Any]) -> tuple[Any, ...]:
    """The fields of the state that `to_json` wrote."""
    return (
        None,
        game.setup_from_json(data["setup"]),
        data["round"],
        data["phase"],
        data["actor"],
        data["pointer"],
        tuple(stack_of(map(card_from, stack)) for stack in data["queue"]),
        points_of(data["points"]),
        tuple(map(kinds_from, data["hands"])),
        tuple(map(kinds_from, data["removed"])),
        data["word"],
        data["actor"] is None,
    )


def names_of(cards: int) -> list[str]:
    """The names of a set of kinds."""
    return [TYPES[kind].name for kind in kinds_of(cards)]


def kinds_from(names: list[str]) -> int:
    """The set of kinds of these names."""
    return sum(1 << NUMBERS[name] for name in names)


def card_text(card: Card) -> str:
    """A card of the queue in one word."""
    tokens = f"({card.tokens})" if card.tokens else ""
    return f"{card.owner}:{TYPES[card.kind].name}{'*' if card.revealed else ''}{tokens}"


def card_from(text: str) -> Card:
    """The card that `card_text` wrote."""
    match = _CARD.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a card")
    owner, name, revealed, tokens = match.groups()
    return Card(NUMBERS[name], int(owner), bool(revealed), int(tokens or 0))
