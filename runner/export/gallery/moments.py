"""Moments: highlights and graded decisions with the match that they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runner.export.gallery.gallery_types import GradeData, LinkedGrade, LinkedMoment, MatchData, MomentData


def linked(match: MatchData, moments: Iterable[MomentData]) -> list[LinkedMoment]:
    """Highlights of a match with its page."""
    players = [seat["player"] for seat in match["seats"]]
    return [
        {
            **moment,
            "page": match["page"],
            "game": match["game"],
            "title": match["title"],
            "created": match["created"],
            "players": players,
        }
        for moment in moments
    ]


def linked_grade(match: MatchData, grade: GradeData) -> LinkedGrade:
    """A graded decision of a match with its page."""
    return {**grade, "page": match["page"], "title": match["title"], "log": match["log"]}


def best_of_each(found: Iterable[Sequence[LinkedMoment]]) -> list[LinkedMoment]:
    """The best highlight of each match, the best first; of equal ones that of the earlier match in the list."""
    best = [max(moments, key=lambda moment: moment["weight"]) for moments in found if moments]
    return sorted(best, key=lambda moment: -moment["weight"])
