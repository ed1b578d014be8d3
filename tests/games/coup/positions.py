"""Positions of Coup for tests, built from what lies on the table."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.coup import GAME, State
from games.coup.cards import DECK, Hand
from games.coup.position import fresh

LONG = {"Du": "Duke", "As": "Assassin", "Am": "Ambassador", "Ca": "Captain", "Co": "Contessa"}


def position(*players: str, actor: int = 0, deck: str | None = None, **options: Any) -> State:
    """The start of a turn. A player is written `3 Du As`: the coins, then the cards, a lost one in parentheses.

    The deck is what is left of the fifteen cards, unless it is given.
    """
    coins = tuple(int(player.split()[0]) for player in players)
    hands = tuple(hand(player.partition(" ")[2]) for player in players)
    left = Counter(DECK)
    left.subtract(card for held in hands for card in held.slots)
    assert min(left.values()) >= 0
    pile = tuple(sorted(left.elements())) if deck is None else tuple(sorted(LONG[card] for card in deck.split()))
    living = sum(1 << seat for seat, held in enumerate(hands) if held.down)
    setup = GAME.set_up(len(players), 0, None, options)
    return State(None, setup, 7, 3, (actor,), 1, hands, coins, living, pile, (), fresh(actor), (), ())


def hand(text: str) -> Hand:
    """The hand written as short names, a lost card in parentheses."""
    cards = text.split()
    return Hand.of(tuple(LONG[card.strip("()")] for card in cards), tuple(card.startswith("(") for card in cards))


def play(state: State, *answers: tuple[int, dict[str, Any]]) -> State:
    """The state after these answers, each by a seat."""
    for seat, data in answers:
        assert seat in state.pending, f"{seat} owes no decision: {state}"
        state = state.read(seat, data).next_state
    return state


def does(seat: int, action: str, target: int | None = None) -> tuple[int, dict[str, Any]]:
    """A declaration."""
    return seat, {"action": action, "target": "none" if target is None else f"P-{target}"}


def passes(*seats: int) -> list[tuple[int, dict[str, Any]]]:
    """A pass by each of these seats."""
    return [(seat, {"response": "pass"}) for seat in seats]


def challenges(seat: int) -> tuple[int, dict[str, Any]]:
    """A challenge."""
    return seat, {"response": "challenge"}


def blocks(seat: int, character: str) -> tuple[int, dict[str, Any]]:
    """A block."""
    return seat, {"response": f"block as {character}"}


def shows(seat: int, card: str) -> tuple[int, dict[str, Any]]:
    """A proof."""
    return seat, {"show": card}


def loses(seat: int, card: str) -> tuple[int, dict[str, Any]]:
    """A lost influence."""
    return seat, {"lose": card}


def offered(state: State, seat: int) -> list[dict[str, Any]]:
    """The answers a seat may give."""
    return [action.to_json() for action in state.actions_of(seat)]


def cards_of(state: State) -> Counter[str]:
    """Every card in the game, those drawn in an exchange included."""
    held = [card for held in state.hands for card in held.slots]
    return Counter([*held, *state.deck, *state.drawn])
