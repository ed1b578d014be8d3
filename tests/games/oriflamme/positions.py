"""Positions drawn as text: `A:Soldier* B:Ambush(2) [A:Lord / A:Spy(1)]`.

Seats are letters, `*` marks a revealed card, `(n)` its tokens, `[X / Y]` a stack with X on top. Shifter and Decree are
short for Shapeshifter and Royal Decree.
"""

from __future__ import annotations

import re
from typing import Any

from games.core import Rng
from games.oriflamme import GAME, State
from games.oriflamme.cards import NUMBERS, TYPES, kinds_of, set_of
from games.oriflamme.stack import QueueCard, cards_of, points_of, stack_of
from games.oriflamme.transitions import resolve

_SHORT = {"Shifter": "Shapeshifter", "Decree": "Royal Decree"}
_LONG = {long: short for short, long in _SHORT.items()}
_STACK = re.compile(r"\[[^\]]*\]|[A-E]:\w+\*?(?:\(\d+\))?")
_CARD = re.compile(r"([A-E]):(\w+)(\*?)(?:\((\d+)\))?")


def stack_from(text: str) -> int:
    """A stack from its drawing."""
    cards = []
    for seat, name, revealed, tokens in _CARD.findall(text):
        cards.append(QueueCard(NUMBERS[_SHORT.get(name, name)], "ABCDE".index(seat), bool(revealed), int(tokens or 0)))
    return stack_of(cards)


def position(
    text: str, at: int = 1, points: tuple[int, ...] | None = None, players: int = 3, round: int = 2, **options: Any
) -> State:
    """The state in which the card at position `at` has just come up, in the round given. Nobody holds what is drawn."""
    setup = GAME.set_up(players, 0, None, options)
    queue = tuple(stack_from(stack) for stack in _STACK.findall(text))
    left = [set_of(setup.options.card_types)] * players
    for stack in queue:
        for card in cards_of(stack):
            assert left[card.owner] >> card.kind & 1, f"{text} has a card twice"
            left[card.owner] ^= 1 << card.kind
    hands = tuple(_some(cards, 7 - round) for cards in left)
    removed = tuple(_some(cards ^ hand, 3) for cards, hand in zip(left, hands, strict=True))
    word = Rng.of(text).word
    before = State(None, setup, round, 1, 0, -1, queue, points_of(points or [1] * players), hands, removed, word, False)
    return resolve(None, before, hands, queue, before.points, at - 1, None)


def _some(cards: int, number: int) -> int:
    return sum(1 << kind for kind in kinds_of(cards)[:number])


def drawn(state: State) -> str:
    """The queue of a state as text."""
    return " ".join(_stack_text(cards_of(stack)) for stack in state.queue)


def _stack_text(cards: list[QueueCard]) -> str:
    texts = [_card_text(card) for card in cards]
    return texts[0] if len(texts) == 1 else f"[{' / '.join(texts)}]"


def _card_text(card: QueueCard) -> str:
    name = TYPES[card.kind].name
    tokens = f"({card.tokens})" if card.tokens else ""
    return f"{'ABCDE'[card.owner]}:{_LONG.get(name, name)}{'*' if card.revealed else ''}{tokens}"


def play(state: State, *answers: dict[str, str]) -> State:
    """The state after these answers of whoever is to decide."""
    for answer in answers:
        assert state.actor is not None
        state = state.read(state.actor, answer).next_state
    return state
