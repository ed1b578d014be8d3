"""The Conspiracy (rules 12 and 29)."""

from __future__ import annotations

from games.oriflamme.cards.base import CardType


class Conspiracy(CardType):
    name = "Conspiracy"
    text = "Pays its owner twice its tokens when revealed, then is discarded."
    is_character = False
    payout = 2
