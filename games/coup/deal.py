"""The deal."""

from __future__ import annotations

from typing import Any

from games.core import Rng
from games.coup import phases
from games.coup.cards import CHARACTERS, DECK, NO_CARDS, Cards, Hand
from games.coup.table import put
from games.coup.turn import fresh


def deal(setup: Any) -> tuple[Any, ...]:
    """The fields of a fresh match, but for `origin`, in phase 0 (rules 1 to 4)."""
    players = setup.players
    rng = Rng.of("coup", setup.seed)
    start = rng.below(players)
    coins = (2,) * players
    if players == 2:
        coins = put(coins, start, setup.options.two_player_start_coin)
    picks: Cards = ()
    hands: tuple[Hand, ...]
    if players == 2 and setup.options.draft:
        deck = sorted(CHARACTERS)
        hands, picks = (NO_CARDS, NO_CARDS), ("", "")
    else:
        deck = list(DECK)
        hands = tuple(Hand.of((_draw(deck, rng), _draw(deck, rng))) for _ in range(players))
    living = (1 << players) - 1
    return (setup, rng.word, phases.INTRODUCTION, (), 1, hands, coins, living, tuple(deck), (), fresh(start), (), picks)


def _draw(deck: list[str], rng: Rng) -> str:
    return deck.pop(rng.below(len(deck)))
