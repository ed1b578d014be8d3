"""Deal pages: each deal that several finished matches of a folder played, who played it, and where they parted."""

from collections.abc import Iterator, Mapping, Sequence

from games.core import counted, seat_name
from games.statistics.partings import partings
from runner.export.gallery.match_files import SiteDocument, dumped, json_name, page_name
from runner.export.table_pages import PageSection, TablePage
from runner.standings.tables import TextTable

DEALS = "deals.html"

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
        yield deal["page"], _page(deal).html("gallery", site, links, "../", document.partition("/")[2])
        yield document, dumped(deal)
    if deals:
        rows = tuple((_name(deal), *(str(len(deal[name])) for name in ("matches", "partings"))) for deal in deals)
        table = TextTable("In the order of their logs", ("Deal", "Matches", "Partings"), rows)
        section = PageSection("all", "All deals", "", [], [table], [])
        page = TablePage("Deals that several matches played", "", [], [section], [])
        yield DEALS, page.html("gallery", site, {_name(deal): deal["page"] for deal in deals}, document=json_name(DEALS))
        yield json_name(DEALS), dumped({"deals": deals})


def _page(deal: SiteDocument) -> TablePage:
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
