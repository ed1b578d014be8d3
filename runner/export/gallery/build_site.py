"""Build site: the gallery of a folder of logs; only what is new or changed since the last time is made."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from games.core import counted, seat_name
from games.statistics.document_types import GameData, StandingsData
from games.statistics.partings import partings
from runner.digest import canonical, digest_of
from runner.errors import UsageError
from runner.export.gallery.match_files import (
    MatchJob,
    SiteDocument,
    SiteIndex,
    WrittenMatch,
    check_site,
    dumped,
    files_of_match,
    json_name,
    page_name,
    write_match,
    write_page,
)
from runner.export.pages import render
from runner.export.table_pages import PageSection, TablePage, standings_page, table_anchor, table_title
from runner.film.perspective import EVERYTHING
from runner.match.header import package_version
from runner.record.log_folder import PerLog, Unusable, copies, none_left, summaries
from runner.record.log_paths import logs_in, refuse_missing
from runner.record.log_summary import LogState, LogSummary
from runner.review.kept_reviews import stored_review
from runner.screen.safe_text import clean
from runner.standings.comparability import KINDS
from runner.standings.document import folder_matches, standings, with_distinct_names
from runner.standings.studies import regret_study
from runner.standings.tables import TextTable
from runner.worker_processes import in_order

FIRST, STANDINGS = SITE_PAGES = ("index.html", "standings.html")
DEALS = "deals.html"

_LAST_MATCHES, _MOMENTS, _LEADERS, _GRADES = 50, 3, 3, 5
_TOLD = 0.7
"""The part of a match whose highlights are told while its result is hidden."""
_POOLED = frozenset(KINDS) - {"games", "players"}


class SiteFacts(NamedTuple):
    """What the pages are made from: the folder, its matches, the page of each player, sentences about damaged logs, and the
    deals that several matches played."""

    folder: Path
    matches: Sequence[SiteDocument]
    players: Mapping[str, str]
    left_out: Sequence[str]
    name: str = ""
    deals: Sequence[SiteDocument] = ()

    @property
    def title(self) -> str:
        """The title of the site: the name that it was given, else that of the folder."""
        return clean(self.name or self.folder.resolve().name, 100)


def site_pages(facts: SiteFacts) -> Iterator[tuple[str, str]]:
    """The files by name, with their text."""
    empty: StandingsData = {"folder": facts.title, "logs": {}, "left_out": [], "notes": [], "games": []}
    table = _standings(facts.folder, facts.matches) or empty
    newest = sorted(sorted(facts.matches, key=itemgetter("log")), key=itemgetter("created"), reverse=True)
    first = _first(facts, newest, table["games"])
    yield FIRST, _page("first_page.html", facts, first, newest)
    yield json_name(FIRST), dumped(first)
    yield STANDINGS, standings_page(table, facts.players, facts.title)
    yield json_name(STANDINGS), dumped(table)
    for name, page in facts.players.items():
        own = [match for match in newest if any(seat["player"] == name for seat in match["seats"])]
        player = _player(name, page, own, table["games"])
        yield page, _page("player.html", facts, player, own, name)
        yield json_name(page), dumped(player)
    yield from deal_pages(facts.deals, facts.title)


def _page(template: str, facts: SiteFacts, data: SiteDocument, matches: Sequence[SiteDocument], player: str = "") -> str:
    """A page with the table of these matches. On the page of a player, won and lost are meant for that one."""
    return render(template, site=facts.title, data=data, matches=matches, player=player, by_score=_by_score, told_part=_TOLD)


def _by_score(match: SiteDocument) -> list[SiteDocument]:
    """The seats of a match: winners first, then by score."""
    return sorted(match["seats"], key=lambda seat: (not seat["is_winner"], -(seat["score"] or 0), seat["seat"]))


def _standings(folder: Path, entries: Sequence[SiteDocument]) -> StandingsData | None:
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


def _table(game: GameData) -> SiteDocument:
    """A table of the standings; `anchor` leads to it on their page."""
    return {"game": game["game"], "players": game["players"], "title": table_title(game), "anchor": table_anchor(game)}


# -- the first page: what was played, who leads, the best moments of the last matches, the list of all matches ---------


def _first(facts: SiteFacts, newest: Sequence[SiteDocument], games: Sequence[GameData]) -> SiteDocument:
    last = [match for match in newest if match["state"] == LogState.FINISHED][:_LAST_MATCHES]
    moments = (_of(match, one) for match in last for one in match["moments"] if one["decision"] <= _TOLD * match["decisions"])
    return {
        "title": facts.title,
        "leaders": list(map(_leaders, games)),
        "moments": _best_moments(moments),
        "players": dict(facts.players),
        "matches": newest,
        "left_out": list(facts.left_out),
        "deals": len(facts.deals),
    }


def _leaders(game: GameData) -> SiteDocument:
    agents = sorted(game["agents"], key=lambda agent: -agent["rating"]["value"])
    return {**_table(game), "matches": game["matches"], "agents": agents[:_LEADERS]}


# -- player pages: the rating beside its reliability, habits, best and worst decisions, matches ------------------------


def _player(name: str, page: str, own: Sequence[SiteDocument], games: Sequence[GameData]) -> SiteDocument:
    """The document of a player. `own` are the player's matches, the newest first."""
    moments = [_of(match, one) for match in own for one in match["moments"] if _is_about(match, one["seat"], name)]
    grades = [_of(match, one) for match in own for one in match["grades"] if _is_about(match, one["seat"], name)]
    rising = [grade for grade in grades if grade["grade"] == "best" and (grade["rise"] or 0) > 0]
    faults = [grade for grade in grades if grade["grade"] not in ("best", "good")]
    return {
        "player": name,
        "specs": sorted({seat["spec"] for match in own for seat in match["seats"] if seat["player"] == name}),
        "page": page,
        "games": list(_games(name, own, games)),
        "habits": _habits(moments),
        "moments": _best_moments(moments),
        "is_reviewed": bool(grades),
        "best": sorted(rising, key=lambda grade: -grade["rise"])[:_GRADES],
        "worst": sorted(faults, key=lambda grade: -grade["given_up"])[:_GRADES],
        "matches": [match["page"] for match in own],
    }


def _is_about(match: SiteDocument, seat: int | None, name: str) -> bool:
    return seat is not None and match["seats"][seat]["player"] == name


def _games(name: str, own: Sequence[SiteDocument], games: Sequence[GameData]) -> Iterator[SiteDocument]:
    """A player's entry in each table of the standings, with the matches in which it was struck out."""
    finished = [match for match in own if match["state"] == LogState.FINISHED]
    for game in games:
        seats = [match["seats"] for match in finished if match["game"] == game["game"]]
        counted = (of for of in seats if len(of) == game["players"])
        forfeits = sum(any(seat["player"] == name and seat["penalties"] for seat in of) for of in counted)
        for agent in game["agents"]:
            if agent["agent"] == name:
                yield {**_table(game), "standing": agent, "forfeits": forfeits}


def _habits(moments: Iterable[SiteDocument]) -> list[SiteDocument]:
    """How often each kind of highlight is about the player, and its most frequent wording with the number of times."""
    found: dict[str, Counter[str]] = {}
    for moment in moments:
        found.setdefault(moment["words"], Counter())[moment["wording"].removeprefix("… ")] += 1
    habits = []
    for words, texts in sorted(found.items(), key=lambda habit: -habit[1].total()):
        text, times = max(texts.items(), key=lambda entry: (entry[1], entry[0]))
        habits.append({"words": words, "count": texts.total(), "most_often": text, "times": times})
    return habits


# -- highlights and grades with their match ---------------------------------------------------------------------------


def _of(match: SiteDocument, found: SiteDocument) -> SiteDocument:
    """A highlight or a grade with what names its match."""
    return {**found, "log": match["log"], "page": match["page"], "game": match["game"], "title": match["title"]} | {
        "created": match["created"],
        "players": [seat["player"] for seat in match["seats"]],
    }


def _best_moments(moments: Iterable[SiteDocument]) -> list[SiteDocument]:
    """The best highlights, at most one of each match, of different kinds where there are enough of these."""
    ranked = sorted(moments, key=lambda moment: -moment["weight"])
    chosen: list[SiteDocument] = []
    for may_repeat in (False, True):
        for moment in ranked:
            is_new = all(moment["page"] != other["page"] for other in chosen)
            if is_new and len(chosen) < _MOMENTS and (may_repeat or all(moment["kind"] != other["kind"] for other in chosen)):
                chosen.append(moment)
    return sorted(chosen, key=lambda moment: -moment["weight"])


FollowMatches = Callable[[Iterable[WrittenMatch], int], Iterable[WrittenMatch]]
"""Passes on the matches whose pages are written, and tells somebody how many there are of all."""


class Built(NamedTuple):
    """What a run did: match pages `made`, `kept` from the last run, files `removed`, and the logs left out."""

    first_page: Path
    made: int
    kept: int
    removed: int
    unusable: list[Unusable]


def build_site(folder: Path, site: Path, view: str, follow: FollowMatches, title: str = "") -> Built:
    """Write the gallery of a folder of logs. Stopped in between, it continues with the next call.

    UsageError without logs, or when the site holds files that no gallery wrote. The error of `none_left` when no log is usable.
    """
    refuse_missing(folder, only_many=True)
    index = SiteIndex.read(site)
    check_site(site, folder, index.files)
    found = summaries(folder)
    damaged = {name: Unusable(name, log.why) for name, log in found.items() if log.state is LogState.DAMAGED}
    if not found:
        logs_in(folder)
    if len(damaged) == len(found):
        raise none_left([*damaged.values()])
    jobs = _jobs(folder, found, view, site)
    index.claim(site, (name for job in jobs.values() for name in files_of_match(job.page)))
    same = {name: job for name, job in jobs.items() if index.matches.get(name) == job.stamp}
    kept = {name: entry for name, job in same.items() if (entry := index.entry(site, job.page)) is not None}
    made, unusable = _written(index, [job for name, job in jobs.items() if name not in kept], follow)
    left_out = [one for _, one in sorted((damaged | unusable).items())]
    entries = {name: (kept | made)[name] for name in jobs if name in kept or name in made}
    if not entries:
        raise none_left(left_out)
    players = sorted({seat["player"] for entry in entries.values() for seat in entry["seats"]})
    pages = {name: page_name("players", name) for name in players}
    lines = {entry["page"]: [*map(tuple, entry.pop("line"))] for entry in entries.values()}
    damage, deals = [clean(one.place, 700) for one in left_out], deals_of([*entries.values()], lines)
    facts = SiteFacts(folder, [*entries.values()], pages, damage, title, deals)
    removed = _finish(index, site, facts, entries)
    return Built(site / "index.html", len(made), len(kept), removed, left_out)


def _jobs(folder: Path, found: Mapping[str, LogSummary], view: str, site: Path) -> dict[str, MatchJob]:
    """The jobs by the logs' names: neither damaged logs nor copies."""
    copied = copies(found)
    shown = {name: log for name, log in found.items() if log.state is not LogState.DAMAGED and name not in copied}
    named = zip(shown, with_distinct_names([*shown.values()]), strict=True)
    return {name: MatchJob.of(folder, name, log, view, site) for name, log in named}


def _written(
    index: SiteIndex, jobs: Sequence[MatchJob], follow: FollowMatches
) -> tuple[dict[str, SiteDocument], dict[str, Unusable]]:
    """Write the files of matches. What the gallery then knows of each, and those that have none."""
    by_name, made, unusable = {job.name: job for job in jobs}, dict[str, SiteDocument](), dict[str, Unusable]()
    try:
        with closing(in_order(write_match, jobs)) as working:
            for outcome in follow(working, len(jobs)):
                job = by_name[outcome.name]
                if outcome.unusable is not None:
                    unusable[job.name] = outcome.unusable
                    continue
                index.matches[job.name] = job.stamp
                index.files |= outcome.files
                entry = index.entry(job.site, job.page)
                assert entry is not None
                made[job.name] = entry
    finally:
        if jobs:
            index.write(jobs[0].site)
    return made, unusable


def _finish(index: SiteIndex, site: Path, facts: SiteFacts, matches: Collection[str]) -> int:
    """Write the pages of all matches, unless they are up to date, and remove what is gone. The number of files removed."""
    of_deals = [*(deal["page"] for deal in facts.deals), *[DEALS] * bool(facts.deals)]
    wanted = {name for page in (*facts.players.values(), *of_deals, *SITE_PAGES) for name in (page, json_name(page))}
    wanted |= {name for entry in facts.matches for name in files_of_match(entry["page"])}
    index.claim(site, wanted)
    whole = digest_of(canonical([package_version(), facts.title, facts.matches, facts.left_out]))
    if whole != index.whole or not index.has(site, wanted):
        index.files |= {name: write_page(site / name, text) for name, text in site_pages(facts)}
    index.whole = whole
    return index.keep(site, wanted, matches)


# -- deals that several matches played: who played each, and where they parted --------------------------------------------

_Line = Sequence[tuple[str, str, str]]
"""The decisions of a match: of each its seat, phase and answer in words."""


def deals_of(matches: Sequence[SiteDocument], lines: Mapping[str, _Line]) -> list[SiteDocument]:
    """The deals that several of the matches played, in the order of their logs: who played each, counted from 1, and the
    `partings`: the decisions where matches that were alike up to there went apart, and which gave which answer. `lines` are
    those of the matches by their pages."""
    groups: dict[str, list[SiteDocument]] = {}
    for match in sorted((match for match in matches if match["deal"]), key=lambda match: str(match["log"])):
        groups.setdefault(match["deal"], []).append(match)
    return [
        {
            **{name: group[0][name] for name in ("deal", "game", "title", "seed")},
            "page": page_name("deals", f"{group[0]['game']} {deal}"),
            "matches": [{name: match[name] for name in ("log", "page", "seats")} for match in group],
            "partings": [*_partings([lines[match["page"]] for match in group])],
        }
        for deal, group in groups.items()
        if len(group) > 1
    ]


def _partings(lines: Sequence[_Line]) -> Iterator[SiteDocument]:
    for at, after in partings(lines):
        seat, phase, _ = next(step for step in after if step is not None)
        answers = [
            {"answer": step[2] if step else "(the match has ended)", "matches": [one + 1 for one in own]}
            for step, own in after.items()
        ]
        yield {"decision": at + 1, "seat": seat, "phase": phase, "answers": answers}


def deal_pages(deals: Sequence[SiteDocument], site: str) -> Iterator[tuple[str, str]]:
    """The page of each deal, and one that lists them, each with its document; nothing without deals."""
    for deal in deals:
        links = {_match(number, match): f"../{match['page']}" for number, match in enumerate(deal["matches"], 1)}
        document = json_name(deal["page"])
        yield deal["page"], _deal_page(deal).html("gallery", site, links, "../", document.partition("/")[2])
        yield document, dumped(deal)
    if deals:
        rows = tuple((_name(deal), *(str(len(deal[name])) for name in ("matches", "partings"))) for deal in deals)
        table = TextTable("In the order of their logs", ("Deal", "Matches", "Partings"), rows)
        section = PageSection("all", "All deals", "", [], [table], [])
        page = TablePage("Deals that several matches played", "", [], [section], [])
        yield DEALS, page.html("gallery", site, {_name(deal): deal["page"] for deal in deals}, document=json_name(DEALS))
        yield json_name(DEALS), dumped({"deals": deals})


def _deal_page(deal: SiteDocument) -> TablePage:
    played = (
        (_match(number, match), *(f"{seat['player']}: {seat['score']}{' ★' * seat['is_winner']}" for seat in match["seats"]))
        for number, match in enumerate(deal["matches"], 1)
    )
    rows = (
        (str(one["decision"]), one["seat"], one["phase"], answer["answer"], ", ".join(map(str, answer["matches"])))
        for one in deal["partings"]
        for answer in one["answers"]
    )
    seats = tuple(seat_name(seat["seat"]) for seat in deal["matches"][0]["seats"])
    tables = [
        TextTable("Who played it, with scores (★: won)", ("Match", *seats), tuple(played), 1 + len(seats)),
        TextTable("Where they parted", ("Decision", "Seat", "Phase", "Answer", "Matches"), tuple(rows), 5),
    ]
    note = "The matches of a row were alike up to its decision." if deal["partings"] else "All matches are alike."
    return TablePage(_name(deal), "", [], [PageSection("deal", "All its matches", "", [], tables, [note])], [])


def _name(deal: SiteDocument) -> str:
    players = counted(len(deal["matches"][0]["seats"]), "player")
    return f"{deal['title']}, {players}, seed {deal['seed']} ({deal['deal'][:6]})"


def _match(number: int, match: SiteDocument) -> str:
    return f"{number}: {match['log'].removesuffix('.jsonl')}"
