"""The interactive player: every key, every perspective, a real terminal restored whatever happens."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from games.core import PHASE
from runner.film.perspective import Perspective
from runner.record.decisions import DecisionList
from runner.record.reader import read_log, read_sound_part
from runner.record.replay import replay
from runner.screen.replay_page import Page
from runner.screen.replay_viewer import KINDS, Viewer
from tests.match.tables import bot
from tests.record.hostile import hostile_log
from tests.record.matches import erring, played
from tests.record.reseal import records_of, resealed
from tests.screen.talkers import Talker
from tests.screen.terminal import Terminal


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of a match with mistakes and struck-out seats."""
    path = tmp_path_factory.mktemp("written") / "match.jsonl"
    asyncio.run(played(path, "dixiquote", erring("dixiquote", 4, 0.5), 6, max_rounds=5))
    return path.read_bytes()


@pytest.fixture
def log(written: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_bytes(written)
    return path


@pytest.fixture
def viewer(log: Path) -> Viewer:
    return Viewer(DecisionList(read_sound_part(log)), Perspective(sees_all=True))


def press(viewer: Viewer, *keys: str) -> Viewer:
    for key in keys:
        viewer.press(key)
    return viewer


def shown(viewer: Viewer, width: int = 100, height: int = 200) -> str:
    console = Console(width=width, height=height, color_system=None, highlight=False)
    with console.capture() as capture:
        console.print(Page(viewer))
    return capture.get()


def test_seats_that_decided_in_the_phase_on_view_say_so(viewer: Viewer) -> None:
    counts = set()
    for number in range(1, viewer.decisions.last, 3):
        viewer.go(number)
        decision, seats = viewer.decision, shown(viewer).split("\n")[-3]
        assert decision.record is not None
        names = [*viewer.names]
        decided = [seat for seat in range(4) if re.search(rf"{names[seat]} [✓·✗] (answered|no choice|struck out)", seats)]
        assert decision.record["seat"] in decided
        if not any(event.kind == PHASE for event in decision.events):
            assert not set(decided) & set(decision.state.pending)
        counts.add(len(decided))
    assert counts >= {1, 2}


def test_every_decision_is_that_of_the_replay(viewer: Viewer, log: Path) -> None:
    states = [event.match.state for _, event in replay(read_log(log)) if event.record["kind"] in ("header", "decision")]
    assert viewer.decisions.last == len(states) - 1
    for number in (*range(len(states)), *range(len(states) - 1, -1, -7), 3, len(states) - 1, 0):
        viewer.go(number)
        assert viewer.decision.state == states[number]
        assert viewer.decision.number == number


def test_stepping_and_jumping(viewer: Viewer) -> None:
    assert press(viewer, "right", "right", "right", "left").decision.number == 2
    assert press(viewer, "1", "2", "enter").decision.number == 12
    assert press(viewer, "9", "9", "9", "9", "enter").decision.number == viewer.decisions.last
    assert press(viewer, "right").decision.number == viewer.decisions.last
    assert press(viewer, "home").decision.number == 0
    assert press(viewer, "left").decision.number == 0
    assert press(viewer, "5", "backspace", "escape").decision.number == 0
    assert press(viewer, "q").has_quit


def test_rounds(viewer: Viewer) -> None:
    begun = [press(viewer, "down").decision.number for _ in range(4)]
    assert begun == sorted(set(begun))
    assert viewer.decision.begins_round
    assert [press(viewer, "up").decision.number for _ in range(4)] == [*reversed(begun[:-1]), 0]


@pytest.mark.parametrize("key", ["x", "p", "s"])
def test_jumping_to_what_happened(viewer: Viewer, key: str) -> None:
    every = [number for number in range(viewer.decisions.last + 1) if KINDS[key][1](viewer.decisions.at(number))]
    assert every
    viewer.go(0)
    assert [press(viewer, key).decision.number for _ in every] == every
    assert press(viewer, key).said.startswith("No ")
    assert [press(viewer, key.upper()).decision.number for _ in every[1:]] == every[-2::-1]


def test_what_does_not_happen_is_said(viewer: Viewer) -> None:
    assert "No challenge after" in press(viewer, "c").said
    assert viewer.decision.number == 0


def test_search_goes_through_what_may_be_read(viewer: Viewer) -> None:
    press(viewer, "/", *"nonesuch", "enter")
    assert KINDS["x"][1](viewer.decision)
    first = viewer.decision.number
    assert press(viewer, "n").decision.number > first
    assert press(viewer, "N").decision.number == first
    assert "No “nowhere at all”" in press(viewer, "/", *["space" if c == " " else c for c in "nowhere at all"], "enter").said


def test_a_seat_reads_only_its_own_texts(log: Path) -> None:
    listed = DecisionList(read_sound_part(log))
    for first, perspective in enumerate((Perspective(), *(Perspective(seat=seat) for seat in range(4)))):
        viewer = Viewer(listed, perspective)
        viewer.opened = "texts"
        for number in range(first % 3, viewer.decisions.last, 3):
            viewer.go(number)
            press(viewer, "right")
            seat = viewer.decision.seat
            assert seat is not None
            text = shown(viewer)
            assert ("are hidden in the view" in text) != perspective.reads(seat)
            for other in range(4):
                assert other == perspective.seat or f"(only P-{other})" not in text


async def test_thoughts_are_read_whole_and_only_by_those_who_may(tmp_path: Path) -> None:
    thought = " ".join(f"word{n}" for n in range(900))
    await played(tmp_path / "log", "coup", [Talker(bot("coup"), [thought], ["Hello.", ""]) for _ in range(3)], 1, talk=True)
    listed = DecisionList(read_sound_part(tmp_path / "log"))
    for view in ("all", "P-0"):
        viewer = press(Viewer(listed, Perspective.of(view, 3), has_thoughts=True), "right")
        reads = viewer.perspective.reads(viewer.decision.seat or 0)
        assert (" … (+840 words)" in shown(viewer)) == reads
        assert ("word899" in shown(press(viewer, "T"), height=1500)) == reads
        pages = [shown(press(viewer, "pgdn"), height=24) for _ in range(15)]
        assert ("word899" in pages[-1]) == reads
        assert press(viewer, "enter").opened == "texts"
        assert press(viewer, "T", "T").opened == ""
    viewer = press(Viewer(listed, Perspective()), "/", *"Hello.", "enter")
    assert "“Hello.”" in shown(viewer)


def test_perspectives_turn_in_a_circle(viewer: Viewer) -> None:
    names = [press(viewer, "v").perspective.name for _ in range(6)]
    assert names == ["public", "P-0", "P-1", "P-2", "P-3", "all"]
    assert press(viewer, "V").perspective.name == "P-3"


def test_a_decision_is_left_to_be_made_or_asked_again(viewer: Viewer) -> None:
    assert "no decision" in press(viewer, "g", "f").said
    assert not viewer.has_quit
    viewer.go(3)
    press(viewer, "f")
    assert (viewer.has_quit, viewer.verb, viewer.decision.number) == (True, "fork", 3)


def test_a_view_asks_nobody_what_it_may_not_read(log: Path) -> None:
    viewer = Viewer(DecisionList(read_sound_part(log)), Perspective())
    viewer.go(3)
    assert "view public hides" in press(viewer, "a").said
    assert not viewer.has_quit


def test_the_decision_on_view_is_asked_again_and_the_replay_goes_on(log: Path) -> None:
    terminal = Terminal("replay", str(log), "--at", "3")
    terminal.wait_for("decision 3 of")
    terminal.type("a")
    terminal.wait_for("--at 3`?")
    terminal.type("y\n")
    terminal.wait_for("-- any key: back --")
    assert "offline" in terminal.text
    terminal.type("x")
    terminal.wait_until(lambda: "any key" not in terminal.text)
    terminal.type("q")
    assert terminal.ended() == 0


@pytest.mark.parametrize("perspective", [Perspective(), Perspective(seat=2)])
def test_a_replay_of_one_view_keeps_it(perspective: Perspective, log: Path) -> None:
    listed = DecisionList(read_sound_part(log))
    viewer = Viewer(listed, perspective)
    for key in ("v", "V", "right", "v"):
        assert press(viewer, key).perspective == perspective
    assert viewer.said == f"This replay keeps the view {perspective.name}. Open it with --view all to change the view."
    assert viewer.said in shown(viewer)


def test_it_plays_by_itself_to_the_end(viewer: Viewer) -> None:
    press(viewer, "space", "+", "+")
    assert viewer.pause == 0.25
    seen = []
    while viewer.is_playing:
        viewer.tick()
        seen.append(viewer.decision.number)
    assert [*dict.fromkeys(seen)] == [*range(1, viewer.decisions.last + 1)]


def test_the_page_fits_the_terminal(viewer: Viewer) -> None:
    for width, height in ((80, 24), (200, 50), (40, 10)):
        for keys in ((), ("right",), ("enter",), ("pgdn",), ("?",), ("?", "end")):
            lines = shown(press(viewer, *keys), width, height).splitlines()
            assert len(lines) == height
            assert max(len(line) for line in lines) <= width


async def test_hostile_text_is_shown_harmless(tmp_path: Path) -> None:
    listed = DecisionList(read_sound_part(await hostile_log(tmp_path / "hostile.jsonl")))
    viewer = press(Viewer(listed, Perspective(sees_all=True)), "enter")
    while viewer.decision.number < viewer.decisions.last:
        text = shown(press(viewer, "right"))
        assert not set(text) & set("\x1b\x07\x9b\u202e\u2066\x00")


def keys_and_ends() -> list[Any]:
    return [
        pytest.param("q", None, 0, id="q"),
        pytest.param("\x03", None, 0, id="ctrl-c"),
        pytest.param("", signal.SIGTERM, 143, id="sigterm"),
        pytest.param("", signal.SIGHUP, 129, id="sighup"),
    ]


@pytest.mark.parametrize(("keys", "number", "status"), keys_and_ends())
def test_the_terminal_is_restored(keys: str, number: signal.Signals | None, status: int, log: Path) -> None:
    terminal = Terminal("replay", str(log))
    terminal.wait_for("decision 0 of")
    terminal.type(" \x1b[C5\r")
    terminal.wait_for("decision 5 of")
    if number is not None:
        os.kill(terminal.pid, number)
    terminal.type(keys)
    assert terminal.ended() == status
    assert terminal.raw.rindex(b"\x1b[?1049l") > terminal.raw.rindex(b"\x1b[?1049h")
    assert terminal.raw.rindex(b"\x1b[?25h") > terminal.raw.rindex(b"\x1b[?25l")


def test_a_damaged_log_opens_up_to_the_damage(log: Path) -> None:
    raw = log.read_bytes()
    log.write_bytes(raw[:-9])
    terminal = Terminal("replay", str(log))
    terminal.wait_for("decision 0 of")
    terminal.type("G")
    terminal.wait_for("cut short")
    terminal.type("q")
    assert terminal.ended() == 0


def test_a_log_that_does_not_follow_from_the_rules_opens_up_to_there(log: Path) -> None:
    records = records_of(log.read_bytes())
    place = [place for place, record in enumerate(records) if record["kind"] == "decision"][5]
    records[place]["digest"] = "0" * 32
    log.write_bytes(resealed(records))
    viewer = press(Viewer(DecisionList(read_sound_part(log)), Perspective(sees_all=True)), "G")
    assert viewer.decision.number == viewer.decisions.last == 5
    assert f"line {place + 1}: the rules lead to another state" in " ".join(shown(viewer, 200).split())
