"""The Conspiracy (rules 12 and 29)."""

from __future__ import annotations

from games.oriflamme.cards.base import CardType


class Conspiracy(CardType):
    name = "Conspiracy"
    is_character = False
    payout = 2
