"""Player pages: the rating of one player beside its reliability, its habits, its best and worst decisions, its matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from runner.export.gallery.gallery_types import HabitData, LinkedGrade, LinkedMoment, MatchData, PlayerData, PlayerGame
from runner.export.gallery.match_list import by_score, match_list, newest_first
from runner.export.gallery.moments import best_moments, linked, linked_grade
from runner.export.gallery.page_template import render
from runner.export.standings_pages import table_anchor, table_title
from runner.standings.document_types import GameData, StandingsData

_SHOWN, _MOMENTS = 5, 3


def player_data(name: str, page: str, matches: Sequence[MatchData], standings: StandingsData | None) -> PlayerData:
    """The document of a player."""
    own = [match for match in newest_first(matches) if any(seat["player"] == name for seat in match["seats"])]
    grades = [grade for match in own for grade in _grades(match, name)]
    return {
        "player": name,
        "specs": sorted({seat["spec"] for match in own for seat in match["seats"] if seat["player"] == name}),
        "page": page,
        "games": list(_games(name, own, standings)),
        "habits": _habits(own, name),
        "moments": best_moments([_moments(match, name) for match in own], _MOMENTS),
        "is_reviewed": bool(grades),
        "best": _best(grades),
        "worst": _worst(grades),
        "matches": [match["page"] for match in own],
    }


def player_page(data: PlayerData, site: str, matches: Sequence[MatchData]) -> str:
    """The page of a player."""
    pages = {*data["matches"]}
    own = [match for match in matches if match["page"] in pages]
    return render(
        "player.html",
        site=site,
        data=data,
        list=match_list(own, data["player"]),
        by_score=by_score,
        is_public=any(match["view"] == "public" for match in own if match["state"] == "finished"),
    )


def _games(name: str, own: Sequence[MatchData], standings: StandingsData | None) -> Iterator[PlayerGame]:
    for game in standings["games"] if standings else ():
        for agent in game["agents"]:
            if agent["agent"] == name:
                yield {
                    "game": game["game"],
                    "players": game["players"],
                    "title": table_title(game),
                    "anchor": table_anchor(game),
                    "standing": agent,
                    "forfeits": sum(_is_struck_out(match, name) for match in own if _is_in(match, game)),
                }


def _is_in(match: MatchData, game: GameData) -> bool:
    """Whether a match counts in a table of the standings."""
    return match["state"] == "finished" and match["game"] == game["game"] and len(match["seats"]) == game["players"]


def _is_struck_out(match: MatchData, name: str) -> bool:
    return any(seat["player"] == name and seat["penalties"] for seat in match["seats"])


def _moments(match: MatchData, name: str) -> list[LinkedMoment]:
    """The highlights of a match that are about the player."""
    return linked(match, [one for one in match["moments"] if _is_about(match, one["seat"], name)])


def _is_about(match: MatchData, seat: int | None, name: str) -> bool:
    return seat is not None and match["seats"][seat]["player"] == name


def _habits(own: Sequence[MatchData], name: str) -> list[HabitData]:
    """How often each kind of highlight is about the player, and its most frequent wording."""
    found: dict[str, Counter[str]] = {}
    for match in own:
        for moment in _moments(match, name):
            found.setdefault(moment["words"], Counter())[moment["wording"].removeprefix("… ")] += 1
    habits: list[HabitData] = []
    for words, texts in sorted(found.items(), key=lambda habit: -habit[1].total()):
        text, times = max(texts.items(), key=lambda entry: (entry[1], entry[0]))
        habits.append({"words": words, "count": texts.total(), "most_often": text, "times": times})
    return habits


def _grades(match: MatchData, name: str) -> Iterator[LinkedGrade]:
    return (linked_grade(match, grade) for grade in match["grades"] if _is_about(match, grade["seat"], name))


def _best(grades: Sequence[LinkedGrade]) -> list[LinkedGrade]:
    """The decisions graded best after which the win share rose most."""
    rises = [(grade["rise"] or 0.0, grade) for grade in grades if grade["grade"] == "best"]
    return [grade for rise, grade in sorted(rises, key=lambda entry: -entry[0])[:_SHOWN] if rise > 0]


def _worst(grades: Sequence[LinkedGrade]) -> list[LinkedGrade]:
    """The decisions that gave up most."""
    faults = [grade for grade in grades if grade["grade"] not in ("best", "good")]
    return sorted(faults, key=lambda grade: -grade["given_up"])[:_SHOWN]
