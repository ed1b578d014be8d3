"""Site pages: the pages of a gallery that are made from all its matches, each with its JSON document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from runner.errors import UsageError
from runner.export.gallery.gallery_types import (
    HabitData,
    LeaderData,
    LinkedMoment,
    MatchData,
    PlayerData,
    PlayerGame,
    SiteData,
    TableLink,
)
from runner.export.gallery.match_list import best_moments, by_score, linked, linked_grade, match_list, newest_first
from runner.export.gallery.page_template import render
from runner.export.gallery.site_files import dumped, json_name
from runner.export.standings_pages import page as standings_page
from runner.export.standings_pages import table_anchor, table_title
from runner.record.log_summary import LogState
from runner.review.each_log import PerLog
from runner.review.kept_reviews import stored_review
from runner.screen.perspective import EVERYTHING
from runner.screen.safe_text import clean
from runner.standings.comparability import KINDS
from runner.standings.document import folder_matches, standings
from runner.standings.document_types import AgentData, GameData, StandingsData
from runner.standings.studies import regret_study

FIRST, STANDINGS = SITE_PAGES = ("index.html", "standings.html")

_LAST_MATCHES, _MOMENTS, _LEADERS, _GRADES = 50, 3, 3, 5
_POOLED = frozenset(KINDS) - {"games", "players"}


class SiteFacts(NamedTuple):
    """What the pages are made from: the folder, its matches, the page of each player, sentences about damaged logs."""

    folder: Path
    matches: Sequence[MatchData]
    players: Mapping[str, str]
    left_out: Sequence[str]
    name: str = ""

    @property
    def title(self) -> str:
        """The title of the site: the name that it was given, else that of the folder."""
        return clean(self.name or self.folder.resolve().name, 100)


def site_pages(facts: SiteFacts) -> Iterator[tuple[str, str]]:
    """The files by name, with their text."""
    found = _standings(facts.folder, facts.matches)
    empty: StandingsData = {"folder": facts.title, "logs": {}, "left_out": [], "notes": [], "games": []}
    table = empty if found is None else found
    first = _first_data(facts, table["games"])
    yield FIRST, _first_page(facts, first)
    yield json_name(FIRST), dumped(first)
    yield STANDINGS, standings_page(table, facts.players, facts.title)
    yield json_name(STANDINGS), dumped(table)
    newest = newest_first(facts.matches)
    for name, page in facts.players.items():
        own = [match for match in newest if any(seat["player"] == name for seat in match["seats"])]
        player = _player_data(name, page, own, table["games"])
        yield page, _player_page(player, facts.title, own)
        yield json_name(page), dumped(player)


def _standings(folder: Path, entries: Sequence[MatchData]) -> StandingsData | None:
    """The standings, None before any match has ended. Matches that differ are pooled, and notes say so.

    The reviews are those that the matches' pages show. Measures count what is hidden, such as bluffs, and one match may be all
    that they count: without the view of all there are none.
    """
    digests = {entry["digest"] for entry in entries if entry["is_reviewed"]}
    with suppress(UsageError):
        played = folder_matches(folder, _POOLED, by_spec=True)
        stored = [review for path in played.logs if (review := stored_review(path))] if digests else []
        reviews = {digest: review for review in stored if (digest := review.get("digest", "")) in digests}
        found = standings(played, studies=[regret_study(PerLog(reviews))])
        if any(entry["view"] != EVERYTHING for entry in entries if entry["state"] == LogState.FINISHED):
            for agent in (agent for game in found["games"] for agent in game["agents"]):
                agent["measures"] = {}
        return found | {"folder": folder.resolve().name}
    return None


# -- the first page: what was played, who leads, the best moments of the last matches, the list of all matches ---------


def _first_data(facts: SiteFacts, games: Sequence[GameData]) -> SiteData:
    matches = newest_first(facts.matches)
    last = [match for match in matches if match["state"] == "finished"][:_LAST_MATCHES]
    return {
        "title": facts.title,
        "leaders": list(map(_leaders, games)),
        "moments": best_moments(
            (linked(match, one) for match in last for one in match["moments"] if one["decision"] < match["decisions"]), _MOMENTS
        ),
        "players": dict(facts.players),
        "matches": matches,
        "left_out": list(facts.left_out),
    }


def _first_page(facts: SiteFacts, data: SiteData) -> str:
    days = sorted(match["created"][:10] for match in facts.matches)
    return render(
        "first_page.html",
        site=facts.title,
        data=data,
        list=match_list(facts.matches),
        by_score=by_score,
        first_day=days[0],
        last_day=days[-1],
        cost=sum(match["cost"] for match in facts.matches),
        games=len({match["game"] for match in facts.matches}),
    )


def _leaders(game: GameData) -> LeaderData:
    agents = sorted(game["agents"], key=lambda agent: -agent["rating"]["value"])
    return {**_table_link(game), "matches": game["matches"], "agents": agents[:_LEADERS]}


def _table_link(game: GameData) -> TableLink:
    return {"game": game["game"], "players": game["players"], "title": table_title(game), "anchor": table_anchor(game)}


# -- player pages: the rating beside its reliability, habits, best and worst decisions, matches ------------------------


def _player_data(name: str, page: str, own: Sequence[MatchData], games: Sequence[GameData]) -> PlayerData:
    """The document of a player. `own` are the player's matches, the newest first."""
    moments = [linked(match, one) for match in own for one in match["moments"] if _is_about(match, one["seat"], name)]
    grades = [linked_grade(match, one) for match in own for one in match["grades"] if _is_about(match, one["seat"], name)]
    rises = [(grade["rise"] or 0.0, grade) for grade in grades if grade["grade"] == "best"]
    faults = [grade for grade in grades if grade["grade"] not in ("best", "good")]
    return {
        "player": name,
        "specs": sorted({seat["spec"] for match in own for seat in match["seats"] if seat["player"] == name}),
        "page": page,
        "games": [_player_game(name, own, game, agent) for game in games for agent in game["agents"] if agent["agent"] == name],
        "habits": _habits(moments),
        "moments": best_moments(moments, _MOMENTS),
        "is_reviewed": bool(grades),
        "best": [grade for rise, grade in sorted(rises, key=lambda entry: -entry[0])[:_GRADES] if rise > 0],
        "worst": sorted(faults, key=lambda grade: -grade["given_up"])[:_GRADES],
        "matches": [match["page"] for match in own],
    }


def _is_about(match: MatchData, seat: int | None, name: str) -> bool:
    return seat is not None and match["seats"][seat]["player"] == name


def _player_page(data: PlayerData, site: str, own: Sequence[MatchData]) -> str:
    return render(
        "player.html",
        site=site,
        data=data,
        list=match_list(own, data["player"]),
        by_score=by_score,
        is_public=any(match["view"] == "public" for match in own if match["state"] == "finished"),
    )


def _player_game(name: str, own: Sequence[MatchData], game: GameData, agent: AgentData) -> PlayerGame:
    counted = (match for match in own if match["state"] == "finished" and match["game"] == game["game"])
    seats = (match["seats"] for match in counted if len(match["seats"]) == game["players"])
    forfeits = sum(any(seat["player"] == name and seat["penalties"] for seat in match) for match in seats)
    return {**_table_link(game), "standing": agent, "forfeits": forfeits}


def _habits(moments: Sequence[LinkedMoment]) -> list[HabitData]:
    """How often each kind of highlight is about the player, and its most frequent wording."""
    found: dict[str, Counter[str]] = {}
    for moment in moments:
        found.setdefault(moment["words"], Counter())[moment["wording"].removeprefix("… ")] += 1
    habits: list[HabitData] = []
    for words, texts in sorted(found.items(), key=lambda habit: -habit[1].total()):
        text, times = max(texts.items(), key=lambda entry: (entry[1], entry[0]))
        habits.append({"words": words, "count": texts.total(), "most_often": text, "times": times})
    return habits
