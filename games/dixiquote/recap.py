"""Recap: of each round the quote, the situation it was meant for, and who voted for whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core import Event, View, seat_name
from games.core.recap import spoken


def recap(view: View, told: Sequence[Event]) -> Iterator[str]:
    """A line for each finished round."""
    for done in view["history"]:
        teller = done["storyteller"]
        start = f"Round {done['round']}: {seat_name(teller)}{' (you)' if teller == view['seat'] else ''}"
        if done["forfeited"]:
            yield f"{start} forfeited it as the Storyteller"
            continue
        meant = "".join(f" for {spoken(card['text'])}" for card in done["cards"] if card["owner"] == teller)
        votes = "; ".join(
            f"{', '.join(map(seat_name, card['votes']))} voted for {seat_name(card['owner'])}"
            for card in done["cards"]
            if card["votes"]
        )
        points = ", ".join(f"{seat_name(seat)} {points:+d}" for seat, points in enumerate(done["points"]) if points)
        yield f"{start} gave {spoken(done['quote'] or '')}{meant}. {votes or 'Nobody voted'}. Points: {points or 'none'}"
