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
    seats = range(setup.players)
    rng = Rng.of("coup", setup.seed)
    deck = rng.shuffled(DECK)
    start = rng.below(setup.players)
    coins = (2,) * setup.players
    picks: Cards = ()
    if setup.players == 2:
        coins = put(coins, start, setup.options.two_player_start_coin)
    if setup.players == 2 and setup.options.draft:
        hands, deck, picks = (NO_CARDS, NO_CARDS), CHARACTERS, ("", "")
    else:
        hands = tuple(Hand.of(deck[2 * seat : 2 * seat + 2]) for seat in seats)
        deck = deck[2 * setup.players :]
    living = (1 << setup.players) - 1
    turn = fresh(start)
    return (setup, rng.word, phases.INTRODUCTION, (), 1, hands, coins, living, tuple(sorted(deck)), (), turn, (), picks)
