"""The Conspiracy (rules 12 and 29)."""

from __future__ import annotations

from games.oriflamme.cards.base import CardType


class Conspiracy(CardType):
    name = "Conspiracy"
    in_short = "pays twice its tokens"
    is_character = False
    payout = 2
