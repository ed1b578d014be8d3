"""The bots: they know no more than a seat's view."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Answer, Rng, View


def random(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """Any legal answer, each as likely."""
    return rng.choice(answers)
