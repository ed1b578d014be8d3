"""Thoughts and table talk by the table: what fits is shown, and no player can speak in the name of another."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

from runner.film.perspective import Perspective
from runner.record.reader import read_log
from runner.record.replay import replay
from runner.record.writer import LogWriter
from runner.screen.line_breaks import HangingText
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator, quotation, thoughts_line
from runner.screen.story import Story
from runner.screen.transcript import JsonEvents, PlainOutput, transcript
from tests.match.tables import bot, match
from tests.screen.drawing import Drawing
from tests.screen.talkers import Talker

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


def lines_of(console: Console, part: RenderableType, room: int) -> list[str]:
    options = console.options.copy()
    options.max_height = room
    drawn = console.render_lines(part, options, pad=False)
    return ["".join(segment.text for segment in line).rstrip() for line in drawn]


def speech_line(seat: int, text: str) -> HangingText:
    (line,) = Narrator(Perspective()).told({"kind": "talk", "seat": seat, "question": 0, "text": text}, 0)
    assert isinstance(line, HangingText)
    return line


@given(st.text(max_size=400), st.integers(20, 200))
def test_only_the_first_line_of_a_voice_starts_at_the_edge(text: str, width: int) -> None:
    for line in (speech_line(0, text), thoughts_line({"seat": 0, "reason": text}, "P-0")):
        if line is not None:
            first, *rest = line.wrap(on(width, 24), width)
            assert first.plain.strip().startswith("P-0")
            assert all(one.plain.startswith("    ") for one in rest)


@given(st.text(max_size=400), st.integers(20, 100), st.integers(1, 4))
def test_a_voice_is_cut_with_a_sign(text: str, width: int, most: int) -> None:
    console, line = on(width, 24), speech_line(1, text)
    first, whole = line.first_lines(console, width, most), [*line.wrap(console, width)]
    assert len(first) == min(most, len(whole))
    assert (first[-1].plain.endswith(" …")) == (len(whole) > most)
    assert all(one.plain.strip() and one.cell_len <= width and console.render_lines(one) for one in first)


@given(st.text(max_size=400))
def test_a_quotation_is_one_line_and_ends_where_it_ends(text: str) -> None:
    said = quotation(text)
    assert (said[0], said[-1]) == ("“", "”")
    assert not set(said[1:-1]) & set('“”"„‟«»')
    assert said[1:-1].isprintable()
    assert len(said) < 240


@given(st.lists(st.tuples(st.text(max_size=200), st.booleans()), max_size=12), st.integers(20, 100), st.integers(1, 12))
def test_the_newest_lines_fit_and_the_last_one_is_among_them(told: list[tuple[str, bool]], width: int, height: int) -> None:
    story = Story()
    for text, is_mind in told:
        line = speech_line(0, text)
        story.tell([line if is_mind else Text.assemble(line)])
    happened, minds = ([line for line in story.lines if line.is_mind == is_mind] for is_mind in (False, True))
    for is_mind, shown in ((False, happened), (True, minds), (None, story.lines)):
        lines = lines_of(on(width, height), story.newest(is_mind), height)
        assert len(lines) <= height
        assert all(cell_len(line) <= width for line in lines)
        assert bool(lines) == bool(shown)
        if shown:
            first = shown[-1].line.first_lines(on(width, height), width, 2 if is_mind is None else height)
            assert first[0].plain.rstrip() in lines or height < len(first)


def test_story_and_minds_share_the_lines_of_a_narrow_terminal_in_their_order() -> None:
    story = Story()
    story.tell([Text("P-0 bids 3 tricks.")])
    story.tell([HangingText("  P-1 thinks: " + "word " * 60)])
    story.tell([Text("P-1 bids 1 trick.")])
    first, *thought, last = lines_of(on(80, 24), story.newest(), 10)
    assert (first, last) == ("P-0 bids 3 tricks.", "P-1 bids 1 trick.")
    assert len(thought) == 2
    assert thought[-1].endswith(" …")
    assert lines_of(on(80, 24), story.newest(False), 10) == [first, last]
    assert len(lines_of(on(80, 24), story.newest(True), 10)) == 5


def test_a_highlight_is_marked_for_a_moment() -> None:
    story = Story()
    story.tell([Text("before")])
    story.tell([Text("caught ✦")], now=10.0)
    colours = Console(file=StringIO(), width=40, color_system="256", force_terminal=True)  # Rich keeps the codes of a style
    with colours.capture() as marked:
        colours.print(story.newest(False))
    assert "\x1b[7mcaught" in marked.get()
    assert not story.tick(11.0)
    assert story.tick(12.0)
    with colours.capture() as plain:
        colours.print(story.newest(False))
    assert plain.get() == "before\ncaught ✦\n"


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
        speech = [line.lstrip("0123456789 ").rstrip() for line in texts[name].split("\n") if "“" in line]
        assert speech == [f"Talker {r['seat'] + 1}: {quotation(r['text'])}" for r in said]
    assert "mind" not in "".join(texts.values())


async def test_everybody_hears_talk_and_only_the_seat_reads_its_thoughts(tmp_path: Path) -> None:
    for perspective in (Perspective(seat=1), ALL):
        texts = await shown(tmp_path / perspective.name, perspective)
        for text in texts.values():
            for seat in range(3):
                assert (f"mind {seat}" in text) == perspective.reads(seat)
        assert all(f"Talker {seat + 1}: “" in texts["transcript"] for seat in range(3))
