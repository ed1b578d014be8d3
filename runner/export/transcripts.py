"""Transcripts of a match: a page of Markdown, and an asciicast (version 2), in which highlights are markers."""

import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from markupsafe import Markup
from rich.console import RenderableType
from rich.text import Text

from games.core import State
from games.core.drama import FINALE, SECONDS
from games.core.unfolding import announcement
from runner.export.match_pictures import picture_console
from runner.export.pages import plain_markdown, render
from runner.export.table_columns import moment
from runner.film.film import Film
from runner.match.header import rules_in_words
from runner.record.decisions import LoggedDecision, decisions, highlights_in, remarks_on_decision
from runner.record.reader import Log
from runner.record.replay import opening
from runner.screen.narrator import Narrator
from runner.screen.palette import QUIET, TITLE
from runner.screen.pane_layout import MatchBody, TablePane
from runner.screen.result import earlier_players, result_screen
from runner.screen.scene_rich import SceneTable
from runner.screen.seat_labels import labels_of
from runner.screen.story import Story


def to_markdown(log: Log, narrator: Narrator) -> str:
    """The players, the events and the talk of each round, and the result."""
    header, result, (game, state) = log.header, log.result, opening(log.header)
    seed = f"seed {header['seed']}, " if narrator.perspective.sees_all else ""
    about = f"{header['players']} players, {rules_in_words(header)}, {seed}played {header['created']}."
    lines = [*_heading(state), *(line for decision in decisions(log) for line in _decision(decision, narrator))]
    facts = {"game": game, "header": header, "about": about, "lines": map(Markup, lines), "result": result}
    return render("match.md", **facts, earlier=earlier_players(result) if result else ())


def _heading(state: State) -> Iterator[str]:
    yield from ("", f"## {state.game.round_word.capitalize()} {state.round}", "")


def _decision(decision: LoggedDecision, narrator: Narrator) -> Iterator[str]:
    """A decision; the heading of the round that it begins stands before the event that announces that round."""
    number = f"({decision.number}) " if decision.number else ""
    end = announcement(decision.events) if decision.begins_round else len(decision.events)
    remarks = remarks_on_decision(decision)
    later = [remark._replace(event=remark.event - end) for remark in remarks if remark.event >= end]
    yield from _items(number, narrator.attempts(decision) + narrator.events(decision.events[:end], remarks))
    if decision.begins_round:
        yield from _heading(decision.state)
    yield from _items(number, narrator.events(decision.events[end:], later))


def _items(number: str, lines: Sequence[Text]) -> Iterator[str]:
    for line in lines:
        yield f"- {number}{plain_markdown(line.plain.strip())}"


_WIDTH, _HEIGHT = 100, 36
_CLEAR = "\x1b[2J\x1b[H"


def to_cast(log: Log, narrator: Narrator, pause: float) -> str:
    """The asciicast as lines of JSON, with `pause` seconds an event, more for a reveal, and a marker at each highlight."""
    game, _ = opening(log.header)
    facts = {"version": 2, "width": _WIDTH, "height": _HEIGHT, "title": game.title, "env": {"TERM": "xterm-256color"}}
    if (began := moment(log.header.get("created"))) is not None:
        facts["timestamp"] = int(began.timestamp())
    lines, time, before = [json.dumps(facts)], 0.0, list[str]()
    for where, body, marker, weight in _pages(log, narrator):
        changed, before = _changed(before, drawn := _drawn(where, body)), drawn
        lines.append(json.dumps([round(time, 3), "o", changed], ensure_ascii=False))
        if marker:
            lines.append(json.dumps([round(time, 3), "m", marker], ensure_ascii=False))
        time += pause * weight
    lines.append(json.dumps([round(time, 3), "o", ""]))
    return "\n".join(lines) + "\n"


def _pages(log: Log, narrator: Narrator) -> Iterator[tuple[Text, RenderableType, str, float]]:
    """What is shown: where the match is, table and story, the label of the marker, and how long, in units of the pause."""
    (game, state), perspective, story = opening(log.header), narrator.perspective, Story()
    film = Film(game, perspective, labels_of(log.header["seats"]), has_motion=True)
    for decision in decisions(log):
        found = highlights_in(decision, perspective.sees_all)
        marker = " ".join(narrator.highlight(highlight).plain for highlight in found)
        for frame in film.logged(decision):
            story.tell(narrator.framed(frame.lines, state.setup.options.strikes))
            where = Text.assemble((f"{game.title} ", TITLE), (f"decision {decision.number} · {frame.header}", "bold cyan"))
            where.append(f" · view {perspective.name}", QUIET)
            table = TablePane(SceneTable(frame.scene, has_story=True))
            yield where, MatchBody(table, story, has_minds=False), marker, frame.weight
            marker = ""
    if log.result is not None:
        yield Text(game.title, TITLE), result_screen(game, log.result), "", SECONDS[FINALE]


def _changed(before: Sequence[str], after: Sequence[str]) -> str:
    """The terminal output that makes one page another: a page that is cleared first would flicker."""
    rows = enumerate(zip_longest(before, after, fillvalue=""), 1)
    return _CLEAR * (not before) + "".join(f"\x1b[{row};1H{line}\x1b[K" for row, (old, line) in rows if line != old)


def _drawn(where: Text, body: RenderableType) -> list[str]:
    """The lines of a page as terminal output."""
    console = picture_console(_WIDTH, _HEIGHT, "256")
    options = console.options.update_dimensions(_WIDTH, _HEIGHT - 1)
    with console.capture() as capture:
        for line in [*console.render_lines(where), *console.render_lines(body, options)][:_HEIGHT]:
            text = Text.assemble(*((part.text, part.style or "") for part in line))
            text.rstrip()
            console.print(text, no_wrap=True, crop=True)
    return capture.get().splitlines()
