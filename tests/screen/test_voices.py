"""Thoughts and table talk by the table: what fits is shown, and no player can speak in the name of another."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

import games
from runner.record.reader import read_log
from runner.record.replay import replay
from runner.record.writer import LogWriter
from runner.screen.game_screens import screen_of
from runner.screen.hanging_text import HangingText
from runner.screen.json_events import JsonEvents
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.perspective import Perspective
from runner.screen.plain_output import PlainOutput
from runner.screen.responsive import MaxHeight
from runner.screen.speech import quotation, speech_line
from runner.screen.thoughts import thoughts_line
from runner.screen.transcript import transcript
from runner.screen.voices import TableWithVoices, Voice
from tests.match.tables import bot, match
from tests.screen.drawing import Drawing, widest
from tests.screen.talkers import Talker

SIZES = ((80, 24), (120, 40), (200, 50))
ALL = Perspective(sees_all=True)
FAKES = (
    "Fine.” bob (P-1): “I have no Duke",
    "x\nP-1: “I fold.”\r\nP-2 thinks: nothing",
    "\x1b[2K\x1b[1AP-1: “I fold.”",
    "\u202eP-1: fold\u2028P-2: call\u2066",
    "[bold]P-1[/]: </script><b>P-1</b>: `x`",
    "word " * 4000,
)


def on(width: int, height: int) -> Console:
    return Console(file=StringIO(), width=width, height=height, color_system=None, highlight=False)


def lines_of(console: Console, part: TableWithVoices, room: int) -> list[str]:
    drawn = console.render_lines(MaxHeight(part, room), console.options, pad=False)
    return ["".join(segment.text for segment in line).rstrip() for line in drawn]


@given(st.text(max_size=400), st.integers(20, 200))
def test_only_the_first_line_of_a_voice_starts_at_the_edge(text: str, width: int) -> None:
    for line in (speech_line(0, "P-0", text), thoughts_line({"seat": 0, "reason": text}, "P-0")):
        if line is not None:
            first, *rest = line.wrap(on(width, 24), width)
            assert first.plain.strip().startswith("P-0")
            assert all(one.plain.startswith("    ") for one in rest)


@given(st.text(max_size=400))
def test_a_quotation_is_one_line_and_ends_where_it_ends(text: str) -> None:
    said = quotation(text)
    assert (said[0], said[-1]) == ("“", "”")
    assert not set(said[1:-1]) & set('“”"„‟«»')
    assert said[1:-1].isprintable()
    assert len(said) < 240


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("rows", [0, 5, 17, 19, 30, 60])
def test_the_panel_fits_and_takes_no_line_from_the_table(width: int, height: int, rows: int) -> None:
    console, room = on(width, height), height - 4
    table = Text("\n".join(f"row {row}" for row in range(rows)))
    voices = [Voice(HangingText(f"P-{n % 3} thinks: {'word ' * 60}"), n % 4 == 0) for n in range(9)]
    shown = lines_of(console, TableWithVoices(table, voices), room)
    assert len(shown) <= max(room, rows)
    assert widest("\n".join(shown)) <= width
    assert all(f"row {row}" in shown[row] for row in range(min(rows, room)))
    if width >= 190 or rows < room:
        assert "thinks: word" in "\n".join(shown)


def test_a_table_makes_room_for_what_is_said() -> None:
    state = games.load("coup").begin(6, 1)
    table = screen_of(state.game)(ALL.visible(state, tuple("model" for _ in range(6))))
    shown = lines_of(on(80, 24), TableWithVoices(table, [Voice(HangingText("P-0 thinks: so"))]), 20)
    assert len(shown) <= 20
    assert shown[-1] == "P-0 thinks: so"


def test_a_low_terminal_shows_talk_in_the_panel_and_a_high_one_in_the_story_alone() -> None:
    part = TableWithVoices(Text("table"), [Voice(HangingText("P-0: “Hello.”"), is_public=True)])
    assert lines_of(on(80, 24), part, 20)[-1] == "P-0: “Hello.”"
    assert lines_of(on(120, 40), part, 36) == ["table"]


async def shown(path: Path, perspective: Perspective) -> dict[str, str]:
    """A match of seats that think and talk in the name of others, in every way it is shown."""
    texts: dict[str, str] = {}
    live, plain, lines = StringIO(), StringIO(), list[str]()
    narrator = Narrator(perspective, has_thoughts=True)
    screen = LiveScreen(Console(file=live, width=80, height=24, force_terminal=True, color_system=None), narrator)
    sinks = [JsonEvents(perspective, True, lines.append), PlainOutput(Console(file=plain, width=80), narrator)]
    writer = LogWriter(path)
    agents = [Talker(bot("coup"), [f"mind {seat} {fake}" for fake in FAKES], FAKES) for seat in range(3)]
    await match("coup", agents, 1, writer, [*sinks, screen, Drawing(screen, 3)], talk=True).run()
    writer.close()
    texts["transcript"] = "\n".join(line.plain for line in transcript(read_log(path), narrator))
    return {**texts, "live": live.getvalue(), "plain": plain.getvalue(), "json": "\n".join(lines)}


async def test_nobody_speaks_in_the_name_of_another(tmp_path: Path) -> None:
    texts = await shown(tmp_path / "log", Perspective())
    said = [event.record for _, event in replay(read_log(tmp_path / "log")) if event.record["kind"] == "talk"]
    assert len(said) > 5
    heard = [json.loads(line) for line in texts["json"].split("\n")]
    assert [(f"P-{r['seat']}", r["text"]) for r in said] == [(e["seat"], e["text"]) for e in heard if e["event"] == "talk"]
    for name in ("transcript", "plain"):
        speech = [line.strip() for line in texts[name].split("\n") if "“" in line]
        assert speech == [f"P-{r['seat']}: {quotation(r['text'])}" for r in said]
    assert "mind" not in "".join(texts.values())


async def test_everybody_hears_talk_and_only_the_seat_reads_its_thoughts(tmp_path: Path) -> None:
    for perspective in (Perspective(seat=1), ALL):
        texts = await shown(tmp_path / perspective.name, perspective)
        for text in texts.values():
            for seat in range(3):
                assert (f"mind {seat}" in text) == perspective.reads(seat)
        assert all(f"P-{seat}: “" in texts["transcript"] for seat in range(3))
