"""A position: every field of a state, what follows from the fields alone, and its JSON with the cards by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from games.core import Setup
from games.oriflamme.cards import NUMBERS, TYPES, names_of, set_of
from games.oriflamme.stack import Queue, QueueCard, cards_of, points_of, scores_of, stack_of

if TYPE_CHECKING:
    from games.oriflamme.options import Options

P = TypeVar("P", bound="Position")
Sets = tuple[int, ...]
"""A set of kinds for each seat."""

ROUNDS = 6
NOWHERE = -1
"""The pointer while no card is being resolved."""

_CARD = re.compile(r"(\d):([^*(]+)(\*?)(?:\((\d+)\))?")


class Position(NamedTuple):
    """What a position consists of. `games.oriflamme.stack` says how the queue and the points are written.

    `hands` and `removed` hold a set of kinds for each seat. A card that is neither there nor in the queue lies face up
    before its owner. `pointer` is the index of the card being resolved; `word` is the state of chance.
    """

    origin: Any
    setup: Setup
    round: int
    phase_id: int
    actor: int | None
    pointer: int
    queue: Queue
    points: int
    hands: Sets
    removed: Sets
    word: int
    has_ended: bool

    @property
    def rules(self) -> Options:
        """The options of the match."""
        options: Options = self.setup.options
        return options

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat."""
        return scores_of(self.points, self.setup.players)

    @property
    def in_queue(self) -> tuple[int, ...]:
        """How many cards each seat has in the queue, hidden and covered ones included."""
        owners = [card.owner for stack in self.queue for card in cards_of(stack)]
        return tuple(owners.count(seat) for seat in range(self.setup.players))

    @property
    def gone(self) -> Sets:
        """The sets of kinds that lie face up before their owners, eliminated or discarded."""
        family = set_of(self.rules.card_types)
        left = [family ^ hand ^ removed for hand, removed in zip(self.hands, self.removed, strict=True)]
        for stack in self.queue:
            for card in cards_of(stack):
                left[card.owner] ^= 1 << card.kind
        return tuple(left)


def to_json(position: Position) -> dict[str, Any]:
    """The whole position. A card of the queue is written `seat:name`, `*` if revealed, its tokens in brackets if it has any."""
    return {
        "setup": position.setup.to_json(),
        "round": position.round,
        "phase": position.phase_id,
        "actor": position.actor,
        "pointer": position.pointer,
        "queue": [[card_text(card) for card in cards_of(stack)] for stack in position.queue],
        "placed": [[card.placed for card in cards_of(stack)] for stack in position.queue],
        "points": list(position.scores),
        "hands": [names_of(hand) for hand in position.hands],
        "removed": [names_of(cards) for cards in position.removed],
        "word": position.word,
    }


def from_json(kind: type[P], setup: Setup, data: dict[str, Any]) -> P:
    """The position of that class that `to_json` wrote; earlier releases wrote no rounds of placing."""
    placed = data.get("placed") or [[0] * len(stack) for stack in data["queue"]]
    return kind(
        origin=None,
        setup=setup,
        round=data["round"],
        phase_id=data["phase"],
        actor=data["actor"],
        pointer=data["pointer"],
        queue=tuple(
            stack_of(card_from(text)._replace(placed=placed) for text, placed in zip(stack, rounds, strict=True))
            for stack, rounds in zip(data["queue"], placed, strict=True)
        ),
        points=points_of(data["points"]),
        hands=tuple(map(set_of, data["hands"])),
        removed=tuple(map(set_of, data["removed"])),
        word=data["word"],
        has_ended=data["actor"] is None,
    )


def card_text(card: QueueCard) -> str:
    """A card of the queue in one word."""
    tokens = f"({card.tokens})" if card.tokens else ""
    return f"{card.owner}:{TYPES[card.kind].name}{'*' if card.revealed else ''}{tokens}"


def card_from(text: str) -> QueueCard:
    """The card that `card_text` wrote."""
    match = _CARD.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a card")
    owner, name, revealed, tokens = match.groups()
    return QueueCard(NUMBERS[name], int(owner), bool(revealed), int(tokens or 0))
