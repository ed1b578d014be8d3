"""Restricted review: the part of a review that one view of the match may know."""

from __future__ import annotations

from games.core import seat_name
from runner.review.review_document import ReviewDocument, SeatEntry


def view_name(seat: int | None) -> str:
    """The `--view` value of a restricted view."""
    return "public" if seat is None else seat_name(seat)


def restricted(document: ReviewDocument, seat: int | None, chances: list[list[float]]) -> ReviewDocument:
    """A review as one seat (None: a spectator) may see it, with the chances of that view.

    It has the seat's own decisions alone: an answer of another seat can be hidden, and its grade tells about hidden cards.
    """
    return document | {
        "view": view_name(seat),
        "seats": [_from_view(one, chances) for one in document["seats"] if one["seat"] == seat],
        "decisions": [one for one in document["decisions"] if one["seat"] == seat],
        "chances": chances,
        "not_graded": [one for one in document["not_graded"] if one["seat"] == seat],
    }


def _from_view(entry: SeatEntry, chances: list[list[float]]) -> SeatEntry:
    """The entry of the view's own seat: its luck starts from what it knew."""
    start, result = chances[0][entry["seat"]] if chances else 0.0, entry["result"]
    luck = None if result is None else round(result - start - entry["skill"], 4)
    return entry | {"start": start, "luck": luck}
