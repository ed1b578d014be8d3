"""Exports: what they hold, that a perspective keeps secrets, and that hostile text stays text."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyte
import pytest

import games
from games.registry import OWN
from runner.export.page import match_page as pages
from runner.export.page.match_page import match_page
from runner.export.table_columns import TABLES
from runner.export.table_file import MATCH_COLUMNS, to_csv
from runner.export.transcripts import to_cast, to_markdown
from runner.film.perspective import Perspective
from runner.record.reader import Log, read_log
from runner.screen.narrator import Narrator
from tests.cli.command import complaint, tabletop
from tests.match.tables import bot
from tests.record.hostile import hostile_log
from tests.record.matches import erring, played, short
from tests.screen.talkers import Talker

NARRATOR = Narrator(Perspective(sees_all=True), has_thoughts=True)
_RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return read_log(asyncio.run(hostile_log(tmp_path_factory.mktemp("hostile") / "hostile.jsonl")))


@pytest.mark.parametrize("game", [name for name in games.names() if name in OWN])
async def test_every_game_is_exported_in_every_way(game: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    players = games.load(game).players[0]
    result = await played(path, game, erring(game, players), 6, **short(game))
    log = read_log(path)
    decisions = sum(record["kind"] == "decision" for _, record in log.records)
    rows = list(csv.DictReader(io.StringIO(to_csv(log))))
    assert len(rows) == decisions
    assert rows[-1]["scores"] == " ".join(str(score) for score in result["scores"])
    begun = beginning(path)
    shown = sum(record["kind"] == "decision" for _, record in begun.records) + (begun.result is not None)
    assert sum('"o"' in line for line in to_cast(begun, NARRATOR, 1.0).splitlines()) >= shown + 2
    markdown = to_markdown(log, NARRATOR)
    assert f"## {games.load(game).round_word.capitalize()} {result['rounds']}" in markdown
    assert [*dict.fromkeys(map(int, re.findall(r"^- \((\d+)\) ", markdown, re.MULTILINE)))] == [*range(1, decisions + 1)]
    assert len(page_data(match_page(log, "all"))["steps"]) == decisions + 1


def beginning(path: Path, lines: int = 75) -> Log:
    """The first lines of a log, which are all of a short one."""
    begun = path.with_name("beginning.jsonl")
    begun.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))
    return read_log(begun)


@pytest.mark.parametrize("game", games.names())
async def test_a_round_is_announced_in_its_own_section(game: str, tmp_path: Path) -> None:
    options = {"rounds": "players"} if "rounds" in games.load(game).options else short(game)
    await played(tmp_path / "match.jsonl", game, erring(game, 3, 0.0), 3, **options)
    views = [Narrator(view) for view in (Perspective(sees_all=True), Perspective(), Perspective(seat=1))]
    pages = [to_markdown(read_log(tmp_path / "match.jsonl"), view) for view in views]
    for page in pages:
        sections = re.split(r"^## (?:Round|Turn) (\d+)$", page, flags=re.MULTILINE)[1:]
        assert [int(number) for number in sections[::2]] == list(range(1, len(sections) // 2 + 1))
        assert len(sections) > 2
        for number, section in zip(sections[::2], sections[1::2], strict=True):
            assert set(re.findall(r"^- (?:\(\d+\) )?(?:Turn|Round) (\d+)", section, re.MULTILINE)) <= {number}


@pytest.fixture(scope="module")
def voices(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """A finished match of seats that think and talk."""
    path = tmp_path_factory.mktemp("voices") / "match.jsonl"
    thoughts = [f"mind {seat}: {'word ' * 70}end {seat}" for seat in range(3)]
    agents = [Talker(bot("coup"), [thoughts[seat], "Short."], [f"I am {seat}.", ""]) for seat in range(3)]
    asyncio.run(played(path, "coup", agents, 7, talk=True, max_turns=1))
    return read_log(path)


@pytest.mark.parametrize("view", ["all", "public", "P-1"])
def test_exports_have_the_talk_and_the_thoughts_that_the_view_may_read(view: str, voices: Log) -> None:
    log, eye = voices, Perspective.of(view, 3)
    for has_thoughts in (False, True):
        narrator = Narrator(eye, has_thoughts)
        markdown, cast = to_markdown(log, narrator), to_cast(log, narrator, 1.0)
        page = page_data(match_page(log, view, has_thoughts=has_thoughts))
        for seat in range(3):
            assert f"P-{seat}: “I am {seat}.”" in markdown
            assert f"“I am {seat}.”" in cast
            assert ["talk", seat, page["texts"].index(f"“I am {seat}.”")] in [
                entry for step in page["steps"] for _, story, _ in step["seen"] for entry in story
            ]
            assert (f"mind {seat}" in markdown) == (f"mind {seat}" in cast) == (has_thoughts and eye.reads(seat))
            assert all(
                "line" not in [kind for kind, *_ in story[: story.index(entry)]]
                for step in page["steps"]
                for _, story, _ in step["seen"]
                for entry in story
                if entry[0] == "talk"
            ), "what is said with an answer is told before what the answer leads to"
            assert any(f"end {seat}" in text for text in page["texts"]) == eye.reads(seat)
        assert page["open"] == has_thoughts


def test_a_table_has_the_line_and_the_thoughts_of_each_decision(voices: Log) -> None:
    lines = list(csv.DictReader(io.StringIO(to_csv(voices, has_thoughts=True))))
    said = [(f"P-{record['seat']}", record["text"]) for _, record in voices.of_kind("talk")]
    assert sorted((row["seat"], row["talk"]) for row in lines if row["talk"]) == sorted(said)
    assert any(row["thoughts"].endswith(f"end {row['seat'][-1]}") for row in lines)
    assert "thoughts" not in to_csv(voices).split("\n")[0]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("dixiquote", ("--players", "8", "--max-rounds", "7", "--target-score", "999", "--deck-end", "reshuffle")),
        ("cat_in_the_box", ("--players", "5", "--rounds", "3")),
    ],
)
def test_the_page_of_300_decisions_of_models_takes_less_than_1500_kilobytes(
    game: str, options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third as many decisions, of which a third as many have every frame, add less than a third of it to the deal's page."""
    monkeypatch.setattr(pages, "_MOST_FILMED", pages._MOST_FILMED // 3)
    assert tabletop(tmp_path, "play", game, *options, "--seed", "3", "-q", "--log", "match.jsonl").returncode == 0
    log, deal = read_log(tmp_path / "match.jsonl"), tmp_path / "deal.jsonl"
    deal.write_bytes(log.path.read_bytes().partition(b"\n")[0] + b"\n")
    count = sum(1 for _ in log.of_kind("decision"))
    assert count > 83
    size, first = (len(match_page(one, "all").encode()) for one in (log, read_log(deal)))
    assert size - first < count / 300 * (1_500_000 - first)


def page_data(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)


async def test_a_hostile_page_has_no_tags_but_its_own(hostile: Log, tmp_path: Path) -> None:
    tags, own = Tags(), Tags()
    tags.feed(match_page(hostile, "all", has_thoughts=True))
    await played(tmp_path / "tame.jsonl", "dixiquote", erring("dixiquote", 3), 3, max_rounds=2)
    own.feed(match_page(read_log(tmp_path / "tame.jsonl"), "all"))
    assert tags.seen == own.seen
    assert "http" not in match_page(read_log(tmp_path / "tame.jsonl"), "all").replace("http-equiv", "")


async def test_a_page_for_one_seat_holds_nothing_else(hostile: Log) -> None:
    data = page_data(match_page(hostile, "P-1"))
    assert data["eyes"] == ["P-1"]
    text = json.dumps(data)
    mine = {json.dumps(card["text"]) for _, q in hostile.of_kind("question") if q["seat"] == 1 for card in hand(hostile, q)}
    others = {json.dumps(card["text"]) for _, q in hostile.of_kind("question") if q["seat"] != 1 for card in hand(hostile, q)}
    shown = {
        card["text"]
        for _, q in hostile.of_kind("question")
        for done in hostile.expand(q["view"])["history"]
        for card in done["cards"]
    }
    final = {card for card in others - mine if json.loads(card) not in shown}
    on_table = {card["text"] for _, q in hostile.of_kind("question") for card in hostile.expand(q["view"])["table"]}
    assert not [card for card in final if json.loads(card) not in on_table and json.loads(card) in text]


def hand(log: Log, question: dict[str, object]) -> list[dict[str, str]]:
    return list(log.expand(question["view"])["own"]["hand"])


async def test_hostile_text_moves_no_cursor_of_a_recording(hostile: Log) -> None:
    cast = to_cast(hostile, NARRATOR, 1.0)
    head, *events = [json.loads(line) for line in cast.splitlines()]
    assert (head["version"], head["width"]) == (2, 100)
    times = [time for time, _, _ in events]
    assert times == sorted(times)
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    for _, kind, data in events:
        assert kind in ("o", "m")
        stream.feed(data)
        assert not re.search(r"\x1b(?!\[(?:[0-9;]*m|2J|H|[0-9]+;1H|K))|\x9b|\x07|\u202e", data)
        assert screen.title == ""


async def test_hostile_text_makes_no_formula_and_no_row(hostile: Log) -> None:
    decisions = sum(record["kind"] == "decision" for _, record in hostile.records)
    rows = list(csv.reader(io.StringIO(to_csv(hostile))))
    assert rows[0] == list(MATCH_COLUMNS)
    assert len(rows) == decisions + 1
    assert all(len(row) == len(MATCH_COLUMNS) for row in rows)
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@", "\t"))]
    assert not _RAW.search(to_csv(hostile))


async def test_hostile_text_is_no_markdown(hostile: Log) -> None:
    text = to_markdown(hostile, NARRATOR)
    assert not re.search(r"(?<!\\)<|(?<!\\)!\[|(?<!\\)\]\(|(?<!\\)`", text)
    assert not _RAW.search(text)


def test_hostile_logs_are_read_as_plain_lines(hostile: Log) -> None:
    for words in (("replay", "hostile.jsonl"), ("replay", "hostile.jsonl", "--verify"), ("logs", ".")):
        done = tabletop(hostile.path.parent, *words)
        assert done.returncode == 0, done.stderr
        assert not _RAW.search(done.stdout)


def test_the_command_writes_the_file(hostile: Log) -> None:
    folder = hostile.path.parent
    assert tabletop(folder, "export", "hostile.jsonl", "--html").stdout == "hostile.html\n"
    assert (folder / "hostile.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert tabletop(folder, "export", "hostile.jsonl", "--csv", "-o", "-").stdout.startswith("decision,line,")
    for words, says in (
        ((), "one of --html"),
        (("--html", "--csv"), "one of --html"),
        (("--csv", "--view", "P-1"), "omit --view"),
    ):
        refused = tabletop(folder, "export", "hostile.jsonl", *words)
        assert refused.returncode == 2
        assert says in complaint(refused)


def test_the_columns_are_those_of_decisions_and_the_scores() -> None:
    assert set(MATCH_COLUMNS) - {column.name for column in TABLES["decisions"].columns} == {"scores"}


def test_nothing_is_written_over_a_log(tmp_path: Path) -> None:
    path, other = tmp_path / "match.jsonl", tmp_path / "other.txt"
    asyncio.run(played(path, "coup", erring("coup", 2), 1))
    other.write_bytes(path.read_bytes())
    before = path.read_bytes()
    for words in (["export", "match.jsonl", "--csv", "-o"], ["standings", ".", "--html", "-o"]):
        for target in (path, other):
            done = tabletop(tmp_path, *words, target.name)
            assert done.returncode == 2
            assert f"{target.name} is a log" in complaint(done)
            assert target.read_bytes() == before
    page = tmp_path / "page.html"
    page.write_text("an older page")
    assert tabletop(tmp_path, "export", "match.jsonl", "--html", "-o", "page.html").returncode == 0
    assert page.read_text() != "an older page"
