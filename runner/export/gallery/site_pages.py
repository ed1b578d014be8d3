"""Site pages: the pages of a gallery that are made from all its matches, each with its JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from runner.export.gallery.first_page import first_page
from runner.export.gallery.gallery_standings import gallery_standings
from runner.export.gallery.gallery_types import MatchData
from runner.export.gallery.player_pages import player_data, player_page
from runner.export.gallery.site_files import json_name
from runner.export.gallery.site_index import dumped
from runner.export.standings_pages import page as standings_page
from runner.screen.safe_text import clean
from runner.standings.document_types import StandingsData

FIRST, STANDINGS = SITE_PAGES = ("index.html", "standings.html")


class SiteFacts(NamedTuple):
    """What the pages are made from: the folder, its matches, the page of each player, sentences about damaged logs."""

    folder: Path
    matches: Sequence[MatchData]
    players: Mapping[str, str]
    left_out: Sequence[str]

    @property
    def title(self) -> str:
        """The name of the site."""
        return clean(self.folder.resolve().name, 100)


def site_pages(facts: SiteFacts) -> Iterator[tuple[str, str]]:
    """The files by name, with their text."""
    found = gallery_standings(facts.folder, facts.matches)
    empty: StandingsData = {"folder": facts.title, "logs": {}, "left_out": [], "notes": [], "games": []}
    table = empty if found is None else found
    text, data = first_page(facts.title, facts.matches, found, facts.players, facts.left_out)
    yield FIRST, text
    yield json_name(FIRST), dumped(data)
    yield STANDINGS, standings_page(table, facts.players, facts.title)
    yield json_name(STANDINGS), dumped(table)
    for name, page in facts.players.items():
        player = player_data(name, page, facts.matches, found)
        yield page, player_page(player, facts.title, facts.matches)
        yield json_name(page), dumped(player)
