"""What other places show of a link to a match page, its picture, and the page without scripts."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import games
from runner.export.match_pictures import preview
from runner.export.page.match_page import match_page
from runner.film.perspective import Perspective
from runner.record.decisions import decisions
from runner.record.reader import Log, read_log
from runner.screen.seat_labels import labels_of
from tests.cli.command import tabletop
from tests.record.hostile import hostile_log
from tests.record.matches import erring, played, short


async def coup(folder: Path) -> Log:
    await played(folder / "match.jsonl", "coup", erring("coup", 3), 3)
    return read_log(folder / "match.jsonl")


def head_of(page: str) -> str:
    return page.partition("<style>")[0]


async def test_a_link_has_a_title_and_a_description_without_the_ending(tmp_path: Path) -> None:
    page = match_page(await coup(tmp_path), "public", picture="match.preview.png")
    head = head_of(page)
    assert "<title>Coup: 3 × Erring</title>" in head
    assert '<meta property="og:title" content="Coup: 3 × Erring">' in head
    assert '<meta property="og:image" content="match.preview.png">' in head
    assert '<meta name="description" content="3 players, rules house, ' in head
    assert "wins" not in head
    assert "seed" not in head


async def test_the_page_can_be_read_without_scripts(tmp_path: Path) -> None:
    log = await coup(tmp_path)
    found = re.search("<noscript>(.*?)</noscript>", match_page(log, "public"), re.DOTALL)
    assert found
    story, _, ending = found[1].partition("<details>")
    assert story.count("Turn ") >= 2
    assert "takes 1 coin" in story or "claims" in story
    assert " wins: " in ending


@pytest.mark.parametrize("game", games.names())
async def test_a_preview_shows_the_players_and_what_its_view_knows(game: str, tmp_path: Path) -> None:
    await played(tmp_path / "match.jsonl", game, erring(game, 4), 3, **short(game))
    log = read_log(tmp_path / "match.jsonl")
    replayed = list(decisions(log))
    for view in ("all", "public"):
        drawn = preview(log.header, replayed, Perspective.of(view, 4))
        words = [one.text for one in ElementTree.fromstring(drawn).iter() if one.text]
        assert {games.load(game).title, *labels_of(log.header["seats"])} <= {word.split("  ")[0] for word in words}


async def test_hostile_text_in_a_preview_stays_text(tmp_path: Path) -> None:
    log = read_log(await hostile_log(tmp_path / "match.jsonl"))
    drawn = ElementTree.fromstring(preview(log.header, list(decisions(log)), Perspective(sees_all=True)))
    assert {one.tag.rpartition("}")[2] for one in drawn.iter()} <= {"svg", "title", "rect", "text", "circle"}


async def test_the_command_writes_the_preview_beside_the_page(tmp_path: Path) -> None:
    await coup(tmp_path)
    assert tabletop(tmp_path, "export", "match.jsonl", "--html", "-o", "site/page.html").stdout == "site/page.html\n"
    picture, page = sorted((tmp_path / "site").iterdir(), key=lambda path: path.suffix == ".html")
    assert picture.name.startswith("page.preview.")
    assert f'content="{picture.name}"' in head_of(page.read_text(encoding="utf-8"))
    streamed = tabletop(tmp_path, "export", "match.jsonl", "--html", "-o", "-").stdout
    assert "og:image" not in head_of(streamed)
