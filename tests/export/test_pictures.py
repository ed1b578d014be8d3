"""Pictures of a match: a position and a plot as SVG, well formed and loading nothing, for what the view may know."""

from __future__ import annotations

import asyncio
import re
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

import games
from runner.export.match_pictures import console_picture, match_plot, picture_console, position_picture
from runner.film.perspective import Perspective
from runner.record.reader import Log, read_log
from runner.screen.narrator import Narrator
from runner.screen.palette import seat_text
from runner.screen.seen_review import kept_seen_review
from tests.cli.command import complaint, tabletop
from tests.record.hostile import hostile_log
from tests.record.matches import erring, played, short
from tests.screen.reviews import keep, written_review

ALL, PUBLIC = Narrator(Perspective(sees_all=True)), Narrator(Perspective())
LOADED = re.compile(r"(?:src|href)=|url\((?!#)|@import|@font-face")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    path = tmp_path_factory.mktemp("pictures") / "match.jsonl"
    asyncio.run(played(path, "coup", erring("coup", 3), 4, max_turns=4))
    return read_log(path)


@pytest.mark.parametrize("game", games.names())
async def test_every_game_has_pictures(game: str, tmp_path: Path) -> None:
    await played(tmp_path / "match.jsonl", game, erring(game, 3), 3, **short(game, 1))
    log = read_log(tmp_path / "match.jsonl")
    for picture in (position_picture(log, 0, PUBLIC), position_picture(log, 5, ALL), match_plot(log, PUBLIC, None)):
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert not LOADED.search(picture)


async def test_hostile_text_stays_text(tmp_path: Path) -> None:
    log = read_log(await hostile_log(tmp_path / "match.jsonl"))
    picture = ElementTree.fromstring(position_picture(log, 9, ALL))
    assert not [element for element in picture.iter() if element.tag.rpartition("}")[2] in ("script", "img", "a")]


def test_a_position_shows_what_its_view_may_know(log: Log) -> None:
    assert position_picture(log, 1, ALL) != position_picture(log, 1, PUBLIC)


def test_a_plot_shows_a_review_to_views_that_may_know_it(log: Log) -> None:
    keep(log, written_review(log))
    review = kept_seen_review(log)
    assert "share of the win" in match_plot(log, ALL, review)
    assert "coins" in match_plot(log, PUBLIC, review)
    assert match_plot(log, ALL, review).count("<polyline") == 3


def test_the_verb_writes_pictures_and_names_what_is_wrong(log: Log) -> None:
    folder = log.path.parent
    done = tabletop(folder, "export", "match.jsonl", "--svg", "--at", "2", "-o", "-")
    assert done.stdout.startswith("<svg")
    assert "decision&#160;2" in done.stdout or "decision 2" in done.stdout
    assert tabletop(folder, "export", "match.jsonl", "--svg", "-o", "-").stdout.startswith("<svg")
    for words, says in (
        (("--svg", "--at", "9999"), "--at 9999: the match has the decisions 1 to "),
        (("--html", "--at", "2"), "add --svg"),
        (("--svg", "--html"), "Choose one of"),
    ):
        refused = tabletop(folder, "export", "match.jsonl", *words)
        assert refused.returncode == 2
        assert says in complaint(refused)


def test_png_has_pixels_or_says_what_it_needs(log: Log) -> None:
    done = tabletop(log.path.parent, "export", "match.jsonl", "--svg", "-o", "plot.png")
    if find_spec("resvg_py") is not None:
        assert done.returncode == 0, done.stderr
        assert (log.path.parent / "plot.png").read_bytes().startswith(b"\x89PNG")
    else:
        assert done.returncode == 2
        assert "tabletop-runner[pictures]" in complaint(done)


def test_no_two_seats_have_the_same_colour() -> None:
    console = picture_console()
    console.print(*(seat_text(seat) for seat in range(8)))
    svg = console_picture(console, "seats", "s")
    colours = dict(re.findall(r"\.s-(r\d+) \{ fill: (#[0-9a-f]+)", svg))
    of_seats = {seat: colours[found] for found, seat in re.findall(r'class="s-(r\d+)"[^>]*>(P-\d)<', svg)}
    assert len(of_seats) == len({*of_seats.values()}) == 8
