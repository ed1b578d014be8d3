"""First page: what was played, who leads, the best moments of the last matches, and the list of all matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runner.export.gallery.gallery_types import LeaderData, LinkedMoment, MatchData, SiteData
from runner.export.gallery.match_list import by_score, match_list, newest_first
from runner.export.gallery.moments import best_moments, linked
from runner.export.gallery.page_template import render
from runner.export.standings_pages import table_anchor, table_title
from runner.standings.document_types import StandingsData

_LAST_MATCHES = 50
_MOMENTS = 3
_LEADERS = 3


def first_page(
    title: str,
    matches: Sequence[MatchData],
    standings: StandingsData | None,
    players: Mapping[str, str],
    left_out: Sequence[str],
) -> tuple[str, SiteData]:
    """The page and its document."""
    data: SiteData = {
        "title": title,
        "leaders": list(_leaders(standings)),
        "moments": _moments(matches),
        "players": dict(players),
        "matches": newest_first(matches),
        "left_out": list(left_out),
    }
    days = sorted(match["created"][:10] for match in matches)
    text = render(
        "first_page.html",
        site=title,
        data=data,
        list=match_list(matches),
        by_score=by_score,
        first_day=days[0],
        last_day=days[-1],
        cost=sum(match["cost"] for match in matches),
        games=len({match["game"] for match in matches}),
    )
    return text, data


def _leaders(standings: StandingsData | None) -> Iterator[LeaderData]:
    for game in standings["games"] if standings else ():
        agents = sorted(game["agents"], key=lambda agent: -agent["rating"]["value"])
        yield {
            "game": game["game"],
            "players": game["players"],
            "title": table_title(game),
            "anchor": table_anchor(game),
            "matches": game["matches"],
            "agents": agents[:_LEADERS],
        }


def _moments(matches: Sequence[MatchData]) -> list[LinkedMoment]:
    """The best moments of the last finished matches, at most one of each."""
    ended = [match for match in newest_first(matches) if match["state"] == "finished"]
    return best_moments([linked(match, match["moments"]) for match in ended[:_LAST_MATCHES]], _MOMENTS)
