"""The bots: from a view and the legal answers to one of the answers."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Answer, Rng, View
from games.oriflamme.bot.steady import steady


def random(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """Any legal answer, each equally likely."""
    return rng.choice(answers)


BOTS = {"random": random, "steady": steady}
