"""Hostile text on every place where the screen shows words of models, logs, endpoints and plans."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from rich.cells import cell_len
from rich.console import Console, RenderableType

import games
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.agents.spec import Seat, parse_spec
from runner.arena.progress import MatchOutcome, Progress, Stop
from runner.arena.schedule import Fixture
from runner.film.perspective import Perspective
from runner.match.loop import Match
from runner.match.match_state import Sink, emit_all
from runner.match.records import ResultRecord
from runner.record.reader import read_log
from runner.record.replay import replay
from runner.record.writer import LogSink, LogWriter
from runner.screen.dashboard import Dashboard, standings_screen
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.result import print_log, result_screen
from runner.screen.safe_text import clean, json_text
from runner.screen.transcript import JsonEvents, PlainOutput
from runner.session.match_spec import MatchSpec, SeatSpec
from runner.standings.document import folder_matches, standings
from runner.standings.rating import LiveRatings
from tests.cli.command import tabletop
from tests.match.tables import bot, match
from tests.screen.drawing import Drawing

WORDS = (
    "\x1b[2J\x1b]0;owned\x07\x9b31m \x1b]8;;http://x\x1b\\link",
    "[bold red]markup[/] [/nonesuch] [link=http://x]y",
    "\u202eright to left\u2066\u200f \u061c",
    "👩‍👩‍👧‍👦 ❤️ 👍🏽 漢字" * 8,
    "line\r\noverwrites\x08\x08\x08 \u2028 next\x00\ud800",
    "a" + "\u0301" * 500,
    "x" * 10_000,
)
OWN = re.compile(r"\x1b\[(\?25[lh]|\?7[lh]|\?2026[hl]|\d+A|K|J|H|2J|2K|B)")
PLACED = re.compile(r"\x1b\[(\d+;1H|\?1049[hl])")
"""What the live screen itself sends to a terminal without colours."""

SEATS = 4
SHORT = {"coup": {"max_turns": 5}, "dixiquote": {"max_rounds": 2}}


def check(text: str, width: int | None = None) -> None:
    shown = OWN.sub("", PLACED.sub("\n", text))
    harmful = {c for c in {*shown} if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co"} and c not in "\n\r\u200d"}
    assert not harmful, ascii(harmful)
    assert text[:1] in "[{" or not re.search("\u0301{4}|\u200d[\U0001f000-\U0001faff]", shown)
    if width is not None:
        assert max(map(cell_len, re.split("[\r\n]", shown))) <= width


def drawn(part: RenderableType, width: int) -> str:
    file = StringIO()
    Console(file=file, width=width, height=24).print(part)
    return file.getvalue()


class Hostile(Agent):
    """A bot that says hostile things wherever one can."""

    needs_sync = False

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        words = WORDS[ask.number % len(WORDS)]
        await report({"outcome": "infrastructure", "what": words, "why": words, "try": 1})
        facts = {"reply": {"text": words, "reasoning": words, "model": words, "usage": {"prompt_tokens": 1}}}
        if ask.number % 3 == 0 and not ask.mistakes:
            return AgentReply(data={words: words}, text=words, facts=facts, reason=words)
        given = await self._agent.answer(ask, report)
        quote = " ".join(words.encode("utf-8", "ignore").decode().split())[:200]
        data = {name: quote if name == "quote" else value for name, value in given.data.items()}
        return AgentReply(data, given.mistake, words, facts, say=words, reason=words)


async def played(path: Path, game: str, sinks: Sequence[Sink], *words: str) -> ResultRecord:
    """A match of hostile seats with hostile names, logged."""
    writer = LogWriter(path)
    agents, options = [Hostile(bot(game)) for _ in range(SEATS)], SHORT.get(game, {})
    one = match(game, agents, 2, talk=True, **options)
    seats = tuple(Seat(parse_spec("bot:random"), words[seat], "bot", {}) for seat in range(SEATS))
    try:
        return await Match(replace(one.config, seats=seats), agents, [LogSink(writer), *sinks]).run()
    finally:
        writer.close()


@pytest.mark.parametrize("game", games.names())
async def test_a_match_is_shown_harmlessly_live_and_from_its_log(game: str, tmp_path: Path) -> None:
    for number, words in enumerate((WORDS[:4], WORDS[3:])):
        file, lines, log = StringIO(), list[str](), tmp_path / f"{number}.jsonl"
        console = Console(file=file, width=70, height=24, force_terminal=True, color_system=None)
        telling = Narrator(Perspective(sees_all=True), has_thoughts=True)

        result = await played(log, game, screens(console, telling, lines), *words)
        console.print(result_screen(games.load(game), result))
        print_log(console, Path(words[0][:40]))  # a path is never broken
        shown, plain = screens(console, telling, lines), StringIO()
        output = PlainOutput(Console(file=plain, width=70), telling)
        for _, event in replay(read_log(log)):
            await emit_all(shown, event)
            if event.record["kind"] in ("attempt", "talk"):
                await output.emit(event)
        check(file.getvalue(), 70)
        assert all(line.isascii() and json.loads(line) for line in lines)
        check(plain.getvalue())
        assert plain.getvalue().count("\n") > 10


def screens(console: Console, telling: Narrator, lines: list[str], every: int = 16) -> list[Sink]:
    screen = LiveScreen(console, telling)
    return [screen, JsonEvents(telling.perspective, True, lines.append), Drawing(screen, every)]


def test_logs_standings_and_what_the_command_prints_of_a_log(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    for number, words in enumerate((WORDS[:4], WORDS[3:])):
        asyncio.run(played(folder / f"{number}.jsonl", "coup", (), *words))
    shutil.copy(folder / "0.jsonl", folder / "[red]\x1b[2J\u202e.jsonl")
    for line in ("logs logs", "logs logs --json", "replay logs --verify", "standings logs --json"):
        done = tabletop(tmp_path, *line.split())
        assert done.returncode == 0, done.stderr
        check(done.stdout)
    found = standings(folder_matches(folder), 20)
    for width in (60, 120):
        check(drawn(standings_screen(found), width), width)
    for line in ("watch LOG --plain --thoughts", "replay LOG --plain --thoughts", "export LOG --markdown -o -"):
        done = tabletop(tmp_path, *line.replace("LOG", "logs/1.jsonl").split())
        assert done.returncode == 0, done.stderr
        check(done.stdout + done.stderr)
    bad = tabletop(tmp_path, "watch", "\x1b[2Jx", "--wait", "0")
    assert bad.returncode == 2
    check(bad.stderr)


def test_a_tournament_tells_of_hostile_names_and_reasons() -> None:
    for words in WORDS:
        entrants = tuple(SeatSpec(parse_spec("bot:random"), f"{words}{seat}") for seat in range(2))
        fixture = Fixture(f"{words}/1", MatchSpec(game="coup", players=2), 1, entrants)
        ratings = LiveRatings([fixture, fixture])
        progress = Progress(total=2, on_result=ratings.add)
        seats = [{"decisions": 1, "mistakes": 0, "penalties": 0} for _ in entrants]
        progress.end(fixture, {"scores": [1, 0], "winners": [0], "seats": seats, "players": 2})
        progress.fail(MatchOutcome(fixture, None, next(iter(Stop)), words))
        for is_terminal in (True, None):
            file = StringIO()
            console = Console(file=file, width=80, height=24, force_terminal=is_terminal, color_system=None)
            with Dashboard(console, False, ratings) as dashboard:
                dashboard.show(progress)
            check(file.getvalue())


def test_models_and_agents_are_listed_harmlessly(httpserver: HTTPServer, tmp_path: Path) -> None:
    words = [word.encode("utf-8", "ignore").decode() for word in WORDS]
    rows = [{"id": word, "name": word} for word in words]
    httpserver.expect_request("/v1/models").respond_with_json({"data": rows})
    for options in ([], ["--json"]):
        done = tabletop(tmp_path, "models", "--endpoint", httpserver.url_for("/v1"), *options)
        assert done.returncode == 0, done.stderr
        check(done.stdout)
    quoted = [json.dumps(word) for word in words[1:4]]
    agents = "".join(f"[{name}]\nmodel = {name}\nbase_url = {json.dumps('http://127.0.0.1:1/v1')}\n" for name in quoted)
    (tmp_path / "agents.toml").write_text(agents, encoding="utf-8")
    for words in (["agents"], ["agents", "--json"]):
        listed = tabletop(tmp_path, *words)
        check(listed.stdout + listed.stderr)


def test_clean_text_keeps_what_people_write() -> None:
    for words in ("naïve café", "漢字", "नमस्ते", "e\u0301", "می\u200dشود", "plain"):
        assert clean(words) == words
    assert clean("👩‍👩‍👧‍👦❤️") == "👩👩👧👦❤"
    assert json.loads(json_text({"a": WORDS})) == {"a": [*WORDS]}
    check(json_text(WORDS[:6]).replace("\u0301" * 500, ""))
