"""A view of one seat or of the public does not tell that another seat had only one legal answer."""

from __future__ import annotations

import asyncio
import json
from io import StringIO

import pytest
from rich.console import Console

from runner.film.perspective import Perspective
from runner.record.decisions import decisions
from runner.record.reader import Log, read_log
from runner.record.replay import replay
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.replay_page import panel
from runner.screen.transcript import JsonEvents
from tests.match.tables import bot
from tests.record.matches import played

SEATS = 3


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """A round with forced decisions of two seats."""
    path = tmp_path_factory.mktemp("forced") / "log.jsonl"
    asyncio.run(played(path, "cat_in_the_box", [bot("cat_in_the_box")] * SEATS, 1, rounds=1))
    log = read_log(path)
    assert {record["seat"] for _, record in log.of_kind("decision") if record["how"] == "forced"} == {0, 1}
    return log


async def told(log: Log, perspective: Perspective) -> tuple[str, list[dict[str, object]]]:
    """What screens draw when something was decided, and the JSON events."""
    console, lines = Console(file=StringIO(), width=200, force_terminal=True, color_system=None), list[str]()
    screens = [LiveScreen(console, Narrator(perspective)), JsonEvents(perspective, True, lines.append)]
    for _, event in replay(log):
        for screen in screens:
            await screen.emit(event)
        if event.record["kind"] == "decision":
            screens[0].draw()
    screens[0].hide()
    for decision in decisions(log):
        console.print(panel(decision, perspective))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue(), [json.loads(line) for line in lines]


async def test_the_public_view_does_not_tell_forced_decisions_from_others(log: Log) -> None:
    drawn, events = await told(log, Perspective())
    assert "no choice" not in drawn
    assert {event["how"] for event in events if event["event"] == "decided"} == {"answer"}
    assert not [event for event in events if event["event"] in ("asked", "attempt")]


async def test_the_view_of_a_seat_tells_its_own_forced_decisions(log: Log) -> None:
    drawn, events = await told(log, Perspective(seat=1))
    assert "had no choice" in drawn
    assert "P-0 had no choice" not in drawn
    assert {event["seat"] for event in events if event.get("how") == "forced" or event["event"] == "asked"} == {"P-1"}
    assert all("question" not in event for event in events)


async def test_the_view_of_all_tells_them_of_every_seat(log: Log) -> None:
    drawn, events = await told(log, Perspective(sees_all=True))
    assert "no choice" in drawn
    assert {event["seat"] for event in events if event.get("how") == "forced"} == {"P-0", "P-1"}
