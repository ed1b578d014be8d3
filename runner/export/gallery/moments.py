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


def best_moments(found: Iterable[Sequence[LinkedMoment]], most: int) -> list[LinkedMoment]:
    """The best highlights of matches, at most one of each match, of different kinds where there are enough of these."""
    ranked = sorted((moment for moments in found for moment in moments), key=lambda moment: -moment["weight"])
    chosen: list[LinkedMoment] = []
    for may_repeat in (False, True):
        for moment in ranked:
            is_new = all(moment["page"] != other["page"] for other in chosen)
            if is_new and len(chosen) < most and (may_repeat or all(moment["kind"] != other["kind"] for other in chosen)):
                chosen.append(moment)
    return sorted(chosen, key=lambda moment: -moment["weight"])
