"""`tabletop prompts tweak`: what is saved is checked, shown, asked about and taken back, while the command is open."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest
from rich.console import Console

import games
from runner.agents.environment import Environment
from runner.agents.spec import parse_spec, with_pack
from runner.errors import LogDamagedError, UsageError
from runner.llm.budget import Budget
from runner.record.log_paths import ANSWERS, EXAMS
from runner.workshop.comparison import Comparison, ComparisonRequest
from runner.workshop.exam.exam import Exam, ExamSpec, Purse
from runner.workshop.exam.examinee import Examined
from runner.workshop.new_pack import start_pack
from runner.workshop.tweak.pack_versions import KEPT, PackVersions
from runner.workshop.tweak.tweak_page import TweakPage, summary_table
from runner.workshop.tweak.tweaking import TriedDecisions, TweakAsking, TweakEvent, Tweaking
from tests.cli.command import complaint, one_processor, start, tabletop
from tests.patience import PATIENCE
from tests.screen.terminal import Terminal

ADVICE = "coup/advice.j2"


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    start_pack(tmp_path / "bold", None, [], [ADVICE])
    return tmp_path / "bold"


@pytest.fixture(scope="module")
def tried() -> TriedDecisions:
    with pytest.MonkeyPatch.context() as few:
        few.setattr("runner.workshop.tweak.tweaking._MATCHES", 5)
        return TriedDecisions.of(games.load("coup"), ())


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in {"LOOK": 0.01, "_CHECKED": 3, "_MEASURED": 2}.items():
        monkeypatch.setattr(f"runner.workshop.tweak.tweaking.{name}", value)
    monkeypatch.setattr("games.search.drawing._PILOTS", 3)
    monkeypatch.setattr("games.search.stakes._PLAYOUTS", 8)
    monkeypatch.setattr("runner.workshop.pack_check._MATCHES", 1)
    with one_processor():
        yield


def edit(pack: Path, before: str, after: str, name: str = ADVICE) -> None:
    """Save as editors do that write a new file and rename it."""
    text = (pack / name).read_text()
    assert before in text
    new = pack / f".{Path(name).name}.swp"
    new.write_text(text.replace(before, after))
    new.replace(pack / name)


def offline(decisions: int, tokens: int | None = None) -> TweakAsking:
    return TweakAsking(parse_spec("offline"), Environment(), Purse(Budget(None, tokens)), decisions=decisions)


def answers_below(folder: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in folder.rglob(f"*{ANSWERS}"))


class Watched:
    """A session whose events are waited for."""

    def __init__(self) -> None:
        self.told: list[TweakEvent] = []
        self._news = asyncio.Event()
        self.session: Tweaking

    def tell(self, event: TweakEvent) -> None:
        self.told.append(json.loads(json.dumps(event)))
        self._news.set()

    async def until(self, *kinds: str) -> TweakEvent:
        """The next event of these kinds; those before it are passed over."""
        while not (found := [event for event in self.told if event["event"] in kinds]):
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE)
        del self.told[: self.told.index(found[0]) + 1]
        return found[0]


@asynccontextmanager
async def watching(pack: Path, tried: TriedDecisions, asking: TweakAsking | None = None) -> AsyncIterator[Watched]:
    watched = Watched()
    watched.session = Tweaking(PackVersions(pack), tried.game, asking, watched.tell)
    with patch.object(TriedDecisions, "of", lambda *_: tried):
        task = asyncio.create_task(watched.session.run())
        await asyncio.sleep(0)
    try:
        await watched.until("watching")
        yield watched
    finally:
        watched.session.quit()
        await task


def test_a_fault_is_told_with_file_and_line_and_a_sound_save_with_its_difference(pack: Path, tried: TriedDecisions) -> None:
    async def act() -> None:
        async with watching(pack, tried) as seen:
            edit(pack, "Coins decide", "{{ view.coinz }} decide")
            assert (await seen.until("saved"))["files"] == [ADVICE]
            fault = await seen.until("fault", "sound")
            line = next(n for n, text in enumerate((pack / ADVICE).read_text().splitlines(), 1) if "coinz" in text)
            assert (fault["event"], fault["file"], fault["line"]) == ("fault", str(pack / ADVICE), line)
            edit(pack, "{{ view.coinz }} decide", "Coins rule the game and decide")
            await seen.until("sound")
            tokens = await seen.until("tokens")
            assert 0 < tokens["now"] - tokens["before"] < 10
            shown = await seen.until("difference")
            assert [text[:28] for text in shown["lines"] if text[0] in "+-"][2:] == [
                "-- Coins decide. From 2 coin",
                "+- Coins rule the game and d",
            ]
            seen.session.show_decision(1)
            assert (await seen.until("difference"))["decision"] != shown["decision"]
            seen.session.show_decision(-1)
            assert (await seen.until("difference"))["decision"] == shown["decision"]
            assert not any(event["event"] == "verdict" for event in seen.told)

    asyncio.run(act())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pack.toml", "name = [", "pack.toml"),
        ("coup/active_player.j2", "{% if %}", "Expected an expression"),
        ("coup/nobody.j2", "text", "there is no role"),
        ("coup/active_player.j2", '{% call message("user") %}{{ 7 * "a" * 10**9 }}{% endcall %}', "active_player"),
    ],
)
def test_whatever_is_saved_is_told_and_the_session_goes_on(
    name: str, text: str, said: str, pack: Path, tried: TriedDecisions
) -> None:
    async def act() -> None:
        async with watching(pack, tried) as seen:
            (pack / name).write_text(text)
            fault = await seen.until("fault")
            assert said in f"{fault['file']} {fault['why']}"
            assert KEPT not in fault["file"]
            (pack / name).unlink()
            await seen.until("sound")

    asyncio.run(act())


def test_a_model_is_asked_with_both_states_and_what_is_known_is_not_asked_again(pack: Path, tried: TriedDecisions) -> None:
    async def act() -> None:
        asking = offline(2)
        async with watching(pack, tried, asking) as seen:
            edit(pack, "Coins decide", "Coins rule")
            asked = await seen.until("asking")
            assert (asked["decisions"], asked["spent_tokens"]) == (2, 0)
            assert "verdict" not in [event["event"] for event in seen.told]
            while (verdict := await seen.until("verdict"))["decisions"] < 2:
                pass
            assert (verdict["of"], verdict["verdict"]) == (2, "not sure")
            assert verdict["low"] <= verdict["gained"] <= verdict["high"]
            changed = await seen.until("changed")
            assert len(changed["decisions"]) == verdict["differing"]
            spent = asking.purse.budget.spent_tokens
            assert spent == verdict["spent_tokens"] > 0
            edit(pack, "Coins rule", "Coins reign")
            await seen.until("changed")
            assert 0 < asking.purse.budget.spent_tokens - spent < spent, "the answers to the pack at the start are kept"
            spent = asking.purse.budget.spent_tokens
            edit(pack, "Coins reign", "Coins rule")
            await seen.until("changed")
            assert asking.purse.budget.spent_tokens == spent, "all answers are kept"
            seen.session.ask_more()
            while (verdict := await seen.until("verdict"))["decisions"] < 4:
                pass
            assert verdict["of"] == 4
            await seen.until("changed")
        summary = await seen.until("summary")
        start, first, second = summary["versions"]
        assert (start["changed"], first["decisions"], second["decisions"]) == ([], 4, 2)
        kept = [json.loads(line) for line in (pack / KEPT / "versions.jsonl").read_text().splitlines()]
        assert [one["digest"] for one in kept] == [first["digest"], second["digest"], first["digest"], first["digest"]]

    asyncio.run(act())
    asked = answers_below(Path())
    found = Exam(
        ExamSpec(game="coup", examined=[Examined(with_pack(parse_spec("offline"), pack))], decisions=4), EXAMS, Environment()
    )
    asyncio.run(found.run(lambda so_far: None))
    assert found.results.decisions == 4
    assert answers_below(Path()) == asked, "an exam finds them again"


def test_whole_matches_are_played_until_a_save_and_continue_with_the_same_state(
    pack: Path, tried: TriedDecisions, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = ComparisonRequest.comparison

    def short(request: ComparisonRequest, environment: Environment) -> Comparison:
        return make(replace(request, options={"max_turns": 2}), environment)

    monkeypatch.setattr(ComparisonRequest, "comparison", short)
    monkeypatch.setattr("runner.workshop.comparison._MOST", 2)
    monkeypatch.setattr(Tweaking, "ask_more", lambda _: None)

    async def act() -> None:
        asking = replace(offline(1), players=2)
        async with watching(pack, tried, asking) as seen:
            seen.session.play_matches()
            assert "nothing sound differs" in (await seen.until("stopped"))["why"]
            edit(pack, "Coins decide", "Coins rule")
            await seen.until("difference")
            seen.session.play_matches()
            while (found := await seen.until("matches", "stopped")).get("deals", 2) < 2:
                assert found["low"] <= found["gained"] <= found["high"]
            assert (found["event"], found["of"], found["verdict"]) == ("matches", 2, "not sure")
            spent = asking.purse.budget.spent_tokens
            assert spent == found["spent_tokens"] > 0
            seen.session.play_matches()
            assert (await seen.until("matches"))["spent_tokens"] == spent, "matches that were played are found again"
            edit(pack, "Coins rule", "Coins reign")
            await seen.until("difference")
        start, first, _ = (await seen.until("summary"))["versions"]
        assert (first["matches"]["deals"], "matches" in start) == (2, False)
        console = Console(width=80)
        with console.capture() as shown:
            console.print(summary_table([start, first]))
        assert "Not sure in matches" in shown.get()

    asyncio.run(act())


def test_a_session_is_open_before_decisions_are_read(pack: Path) -> None:
    async def act() -> None:
        is_open = Event()

        def read(*_: object) -> TriedDecisions:
            assert is_open.wait(PATIENCE)
            raise LogDamagedError(3, "it is damaged")

        told = list[TweakEvent]()
        with patch.object(TriedDecisions, "of", read):
            running = asyncio.create_task(Tweaking(PackVersions(pack), games.load("coup"), None, told.append).run())
            while not told:
                await asyncio.sleep(0)
            is_open.set()
            with pytest.raises(LogDamagedError, match="it is damaged"):
                await running
        assert [one["event"] for one in told] == ["watching"]

    asyncio.run(act())


def test_a_budget_bounds_the_whole_session(pack: Path, tried: TriedDecisions) -> None:
    async def act() -> None:
        asking = offline(40, tokens=16_000)
        async with watching(pack, tried, asking) as seen:
            edit(pack, "Coins decide", "Coins rule")
            assert "the budget of 16000 tokens has" in (await seen.until("stopped"))["why"]
            edit(pack, "Coins rule", "Coins reign")
            await seen.until("stopped")
        assert 0 < asking.purse.budget.spent_tokens <= 16_000

    asyncio.run(act())


def test_a_save_stops_what_is_asked_about_the_save_before(pack: Path, tried: TriedDecisions) -> None:
    async def act() -> None:
        async with watching(pack, tried, offline(500)) as seen:
            edit(pack, "Coins decide", "Coins rule")
            first = await seen.until("verdict")
            edit(pack, "Coins rule", "Coins reign")
            digest = (await seen.until("saved"))["digest"]
            assert digest != first["digest"]
            assert {(await seen.until("verdict"))["digest"] for _ in range(2)} == {digest}

    asyncio.run(act())


def test_files_are_taken_back_to_each_state_that_was_tried_and_never_to_a_faulty_one(pack: Path, tried: TriedDecisions) -> None:
    async def act() -> None:
        async with watching(pack, tried) as seen:
            texts = [(pack / ADVICE).read_text()]
            edit(pack, "Coins decide", "Coins rule")
            await seen.until("difference")
            texts.append((pack / ADVICE).read_text())
            (pack / "coup" / "more.j2").write_text("{{ nonesuch }}")
            edit(pack, "Coins rule", "{% if %}")
            await seen.until("fault")
            for text in reversed(texts):
                seen.session.go_back()
                assert (await seen.until("restored"))["files"]
                await seen.until("sound")
                assert (pack / ADVICE).read_text() == text
                assert not (pack / "coup" / "more.j2").exists()
            seen.session.go_back()
            assert (await seen.until("restored"))["files"] == []
            for before, now in (("Coins decide", "Coins rule"), ("Coins rule", "Coins decide")):
                edit(pack, before, now)
                await seen.until("sound")
            seen.session.go_back()  # what was taken back by hand was a step, too
            assert (await seen.until("restored"))["files"] == [ADVICE]
            await seen.until("sound")
            assert (pack / ADVICE).read_text() == texts[1]

    asyncio.run(act())


def test_a_file_is_read_when_it_is_whole_and_touching_it_is_no_change(pack: Path) -> None:
    versions = PackVersions(pack)
    (pack / ADVICE).write_text("half")
    assert not versions.look()
    (pack / ADVICE).write_text("half and half")
    assert not versions.look(), "it has changed since the last look"
    assert versions.look()
    assert versions.now.changed == [ADVICE]
    os.utime(pack / ADVICE, (1, 1))
    assert [versions.look() for _ in range(3)] == [False] * 3
    (pack / ADVICE).unlink()
    os.mkfifo(pack / ADVICE)
    assert not versions.look()
    with pytest.raises(UsageError, match="not a regular file"):
        versions.look()


def test_decisions_of_logs_are_shown_and_asked(pack: Path, tmp_path: Path) -> None:
    seats = ("--seat", "offline", "--seat", "bot:steady", "--seed", "3", "-q")
    assert tabletop(tmp_path, "play", "coup", "--num-players", "2", *seats, "--log", "match.jsonl").returncode == 0
    logs, game = [tmp_path / "match.jsonl"], games.load("coup")

    async def act() -> None:
        asking = TweakAsking(parse_spec("offline"), Environment(), Purse(Budget(None)), logs, 40)
        async with watching(pack, TriedDecisions.of(game, logs), asking) as seen:
            edit(pack, "Coins decide", "Coins rule")
            assert (await seen.until("difference"))["decision"] == "active_player, decision 1 of match.jsonl, P-1"
            assert (await seen.until("verdict"))["decisions"] == 1
            assert "no further match" in (await seen.until("stopped"))["why"]
            assert {Path(one["log"]).name for one in (await seen.until("changed"))["decisions"]} <= {"match.jsonl"}

    asyncio.run(act())


EVENTS: list[TweakEvent] = [
    {"event": "watching", "pack": "bold" * 40, "game": "coup", "digest": "d", "files": ["a"], "seat": None},
    {"event": "saved", "files": ["coup/advice.j2"], "digest": "d"},
    *({"event": "fault", "file": "f\x1b[2J" * 30, "line": 3, "check": "render", "why": "so\n" * 99} for _ in range(9)),
    {"event": "difference", "decision": "decision 4", "of": 9, "lines": ["---", "+++", "+" + "word " * 200] * 30},
]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (200, 50), (20, 6)])
def test_a_page_fills_its_terminal_whatever_is_told(width: int, height: int) -> None:
    page = TweakPage()
    for event in EVENTS:
        page.take(event)
        console = Console(width=width, height=height)
        with console.capture() as shown:
            console.print(page, height=height)
        lines = shown.get().removesuffix("\n").split("\n")
        assert (len(lines), {len(line) for line in lines}) == (height, {width})
        assert "\x1b" not in shown.get()


def test_the_page_says_what_goes_on_between_a_save_and_its_verdict() -> None:
    page = TweakPage()

    def shown(event: TweakEvent) -> str:
        page.take(event)
        console = Console(width=100, height=20)
        with console.capture() as found:
            console.print(page, height=20)
        return found.get()

    shown(EVENTS[0])
    assert "coup/advice.j2 (d): looking for faults." in shown(EVENTS[1])
    assert "coup/advice.j2 (d): no fault." in shown({"event": "sound", "digest": "d"})
    bounds = {"spent_tokens": 0, "spent_usd": 0.0, "budget_tokens": None, "budget_usd": 0.5}
    text = shown({"event": "asking", "digest": "d", "decisions": 40, **bounds})
    assert "Asking for 40 decisions with the pack at the start and now · 0 tokens · $0.0000 of $0.5" in text
    assert "Asking" not in shown({"event": "stopped", "why": "The budget is spent."})


def test_a_fault_and_a_stop_are_told_to_their_end_in_a_narrow_terminal() -> None:
    page, why = (
        TweakPage(),
        "Encountered unknown tag 'els'. Jinja was looking for the following tags: 'elif' or 'else' or 'endif'.",
    )
    fault = {"event": "fault", "file": f"bold/{ADVICE}", "line": 6, "check": "template", "why": why}
    stop = {
        "event": "stopped",
        "why": f"The budget is spent: the budget of {300_000} tokens has 10426 left, less than a call takes.",
    }
    for event in (*EVENTS[:2], fault, stop):
        page.take(event)
    console = Console(width=80, height=24)
    with console.capture() as found:
        console.print(page, height=24)
    text = " ".join(found.get().split())
    assert f"fault: bold/{ADVICE}:6: {why}" in text
    assert stop["why"] in text


def test_in_a_terminal_a_sentence_is_changed_judged_and_taken_back(pack: Path) -> None:
    terminal = Terminal("prompts", "tweak", "bold", folder=pack.parent, width=80, height=24)
    terminal.wait_for("Watching. Save a file of the pack.")
    terminal.wait_for("no model is asked: --seat MODEL")
    edit(pack, "Coins decide", "Coins rule")
    terminal.wait_for("no fault.")
    terminal.wait_for("+- Coins rule")
    terminal.type("u")
    terminal.wait_for("No prompt that was looked at differs.")
    assert "Coins decide" in (pack / ADVICE).read_text()
    terminal.type("\x04m")
    terminal.wait_for("No matches: no model is asked: --seat MODEL.")
    terminal.type("q")
    assert terminal.ended() == 0
    assert "at the start" in terminal.text
    assert terminal.modes() == terminal.modes_before


def test_in_a_pipe_events_are_lines_until_ctrl_c(pack: Path) -> None:
    process = start(pack.parent, "prompts", "tweak", "bold")
    assert process.stdout is not None

    def until(kind: str) -> Any:
        assert process.stdout is not None
        return next(event for event in map(json.loads, process.stdout) if event["event"] == kind)

    assert until("watching")["game"] == "coup"
    edit(pack, "Coins decide", "{{ view.coinz }}")
    assert until("fault")["file"] == f"bold/{ADVICE}"
    process.send_signal(signal.SIGINT)
    assert [one["changed"] for one in until("summary")["versions"]] == [[]]
    assert process.wait(timeout=PATIENCE) == 0
    assert "No model is asked: --seat MODEL asks one after each save." in process.communicate()[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nonesuch", "The prompt pack nonesuch is not a folder."),
        ("bold --game nonesuch", "nonesuch"),
        ("bold --seat bot:steady", "--seat bot:steady is not a model"),
        ("bold --seat offline+pack:bold", "the pack is the one that is edited"),
        ("bold --on nonesuch", "There is no log, folder or pack nonesuch."),
        ("bold --budget 0", "--budget 0.0: expected more than 0 USD."),
        ("empty", "Name one game with --game: "),
    ],
)
def test_wrong_input_gets_one_sentence(words: str, said: str, pack: Path) -> None:
    (pack.parent / "empty").mkdir()
    done = tabletop(pack.parent, "prompts", "tweak", *words.split())
    assert done.returncode == 2
    assert said in complaint(done)
