"""Recap: who led what and who won with what in each trick; the board has the other plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core import Event, View, seat_name


def recap(view: View, told: Sequence[Event]) -> Iterator[str]:
    """A line for each finished trick of the round."""
    for number, trick in enumerate(view["finished_tricks"], 1):
        led = trick["plays"][0]
        (won,) = (play for play in trick["plays"] if play["seat"] == trick["winner"])
        card = "it" if won is led else f"{won['colour']} {won['rank']}"
        start = f"Trick {number}: {_name(view, led['seat'])} led {led['colour']} {led['rank']}"
        yield f"{start}, {_name(view, won['seat'])} won with {card}"


def _name(view: View, seat: int) -> str:
    return f"{seat_name(seat)}{' (you)' if seat == view['seat'] else ''}"
