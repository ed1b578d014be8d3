"""Match list: the table of matches with its filters, and what links a highlight or a grade to its match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from runner.export.gallery.gallery_types import GradeData, LinkedGrade, LinkedMoment, MatchData, MomentData, SeatFacts


class MatchList(NamedTuple):
    """The matches, newest first, the values of each filter, and the facts that the filters compare."""

    matches: Sequence[MatchData]
    games: Sequence[tuple[str, str]]
    players: Sequence[str]
    highlights: Sequence[str]
    facts: Mapping[str, object]


def match_list(entries: Iterable[MatchData], player: str = "") -> MatchList:
    """The list of matches; on the page of a player, won and lost are meant for that one."""
    matches = newest_first(entries)
    players = sorted({seat["player"] for match in matches for seat in match["seats"]})
    highlights = sorted({moment["words"] for match in matches for moment in match["moments"]})
    rows = [_row(match, players, highlights) for match in matches]
    return MatchList(
        matches,
        sorted({(match["game"], match["title"]) for match in matches}, key=lambda game: game[1]),
        players,
        highlights,
        {"players": players, "highlights": highlights, "player": player, "rows": rows},
    )


def newest_first(entries: Iterable[MatchData]) -> list[MatchData]:
    """Matches by the time of their beginning, the last first."""
    return sorted(sorted(entries, key=lambda entry: entry["log"]), key=lambda entry: entry["created"], reverse=True)


def by_score(match: MatchData) -> list[SeatFacts]:
    """The seats of a match: winners first, then by score."""
    return sorted(match["seats"], key=lambda seat: (not seat["is_winner"], -(seat["score"] or 0), seat["seat"]))


def _row(match: MatchData, players: Sequence[str], highlights: Sequence[str]) -> dict[str, object]:
    """What the filters know of a match, names by number."""
    seats = match["seats"]
    return {
        "game": match["game"],
        "title": match["title"],
        "log": match["log"],
        "created": match["created"],
        "players": [players.index(seat["player"]) for seat in seats],
        "winners": [players.index(seat["player"]) for seat in seats if seat["is_winner"]],
        "finished": match["state"] == "finished",
        "struck": any(seat["penalties"] for seat in seats),
        "reviewed": match["is_reviewed"],
        "cost": match["cost"],
        "decisions": match["decisions"],
        "highlights": sorted({highlights.index(moment["words"]) for moment in match["moments"]}),
        "moments": len(match["moments"]),
    }


def linked(match: MatchData, moment: MomentData) -> LinkedMoment:
    """A highlight of a match with its page."""
    return {
        **moment,
        "page": match["page"],
        "game": match["game"],
        "title": match["title"],
        "created": match["created"],
        "players": [seat["player"] for seat in match["seats"]],
    }


def linked_grade(match: MatchData, grade: GradeData) -> LinkedGrade:
    """A graded decision of a match with its page."""
    return {**grade, "page": match["page"], "title": match["title"], "log": match["log"]}


def best_moments(moments: Iterable[LinkedMoment], most: int) -> list[LinkedMoment]:
    """The best highlights, at most one of each match, of different kinds where there are enough of these."""
    ranked = sorted(moments, key=lambda moment: -moment["weight"])
    chosen: list[LinkedMoment] = []
    for may_repeat in (False, True):
        for moment in ranked:
            is_new = all(moment["page"] != other["page"] for other in chosen)
            if is_new and len(chosen) < most and (may_repeat or all(moment["kind"] != other["kind"] for other in chosen)):
                chosen.append(moment)
    return sorted(chosen, key=lambda moment: -moment["weight"])
