"""Bots' questions: the log has a view by its digest, and every reader gets the view that the rules showed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import games
from runner.agents.protocol import Agent
from runner.agents.spec import Seat, parse_spec
from runner.api import read_log as read_data_log
from runner.digest import canonical, digest_of
from runner.errors import LogDamagedError
from runner.match.header import MatchConfig
from runner.match.loop import Match
from runner.match.match_state import MatchEvent
from runner.match.records import QuestionRecord
from runner.record.decisions import DecisionList, decisions
from runner.record.line import view_named
from runner.record.reader import read_log, read_sound_part
from runner.record.replay import whole_questions
from runner.record.verify import verify
from runner.record.writer import LogSink, LogWriter
from tests.cli.command import complaint, tabletop
from tests.match.tables import Illegal, bot
from tests.record.matches import SMALL, gone_on, short
from tests.record.reseal import records_of, resealed
from tests.record.test_format import STORED

TABLES = [(name, players) for name in games.names() for players in (games.load(name).players[0], games.load(name).players[-1])]


class Asked:
    """A sink that keeps every question as the seat got it."""

    def __init__(self) -> None:
        self.questions: list[QuestionRecord] = []

    async def emit(self, event: MatchEvent) -> None:
        if event.record["kind"] == "question":
            self.questions.append(event.record)


async def bots_log(path: Path, game: str, players: int, seed: int = 0, others: Sequence[Agent] = (), **options: Any) -> Asked:
    """A match of built-in bots, the last seats of which other agents have; what was asked."""
    rules, asked, count = games.load(game), Asked(), players - len(others)
    setup = rules.begin(players=players, seed=seed, **options).setup
    seats = [Seat(parse_spec("bot:random"), "bot:random", "bot", {})] * count
    seats += [Seat(parse_spec("human"), "human", "human", {})] * len(others)
    writer = LogWriter(path)
    agents = [*[bot(game)] * count, *others]
    await Match(MatchConfig(rules, setup, tuple(seats), {}), agents, [LogSink(writer), asked]).run()
    writer.close()
    return asked


def given(questions: Sequence[QuestionRecord]) -> dict[int, Any]:
    """What the rules give of questions, by their numbers."""
    return {
        one["question"]: json.loads(json.dumps([one["role"], one["text"], one["schema"], one["view"]])) for one in questions
    }


@pytest.mark.parametrize(("game", "players"), TABLES)
async def test_every_reader_gets_the_views_of_the_states(game: str, players: int, tmp_path: Path) -> None:
    path, seed = tmp_path / "log.jsonl", players
    asked = await bots_log(path, game, players, seed, **short(game, 1))
    log, whole = read_log(path), given(asked.questions)
    assert all(not record.keys() & {"text", "schema"} for _, record in log.of_kind("question"))
    assert given(list(whole_questions(log))) == whole
    decided = given([one.question for one in decisions(log) if one.question is not None])
    assert decided == {number: whole[number] for number in decided}
    assert len(decided) > len(whole) // 2  # the others came too late


@pytest.mark.parametrize("game", games.names())
async def test_seeking_gets_the_views_of_the_states(game: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    whole = given((await bots_log(path, game, 4, 1, **short(game, 1))).questions)
    listed = DecisionList(read_sound_part(path))
    found = [listed.at(number).question for number in range(listed.last, 0, -3)]
    sought = given([one for one in found if one is not None])
    assert len(sought) > 2
    assert sought == {number: whole[number] for number in sought}


async def test_seats_of_others_keep_what_they_were_sent(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    asked = await bots_log(path, "dixiquote", 3, 4, [Illegal()], **SMALL)
    log = read_log(path)
    for (_, record), whole in zip(log.of_kind("question"), asked.questions, strict=True):
        if record["seat"] == 2:
            assert log.expand(record["view"]) == json.loads(json.dumps(whole["view"]))
            assert log.expand(record["schema"]) == whole["schema"]
        else:
            assert not log.shared.keys() & record["view"].values()
    assert given(list(read_data_log(path).questions)) == given(asked.questions)


async def test_events_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    await bots_log(path, "coup", 3, 4)
    log = read_data_log(path)
    assert [event["kind"] for event in log.events] == [record["kind"] for _, record in read_log(path).records]
    assert [event for event in log.events if event["kind"] == "question"] == log.questions
    assert [event for event in log.events if event["kind"] == "attempt"] == log.attempts


def _first(records: list[dict[str, Any]], change: Callable[[dict[str, Any]], object], place: int = 3) -> bytes:
    """The log with one of its questions changed, every hash good."""
    change([record for record in records if record["kind"] == "question"][place])
    return resealed(records)


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "another view": (lambda record: record["view"].update(digest="0" * 32), "show seat . another view"),
    "an empty view": (lambda record: record.update(view={}, text="", schema={}), "show seat . another view"),
    "no words": (lambda record: record.update(view={"game": "coup"}), "text of the question is missing"),
    "no schema": (lambda record: record.update(view={"game": "coup"}, text="?"), "schema of the question is missing"),
    "no digest": (lambda record: record.update(view={"digest": 5}), "show seat . another view"),
    "a reference": (
        lambda record: record.update(text="", schema={}, view={"view": {"$": "0" * 32}}),
        "refers to a shared value that no line before it has",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_a_resealed_question_is_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    await bots_log(path, "dixiquote", 3, 4, **SMALL)
    change, why = CHANGES[name]
    records = records_of(path.read_bytes())
    questions = [place for place, record in enumerate(records, 1) if record["kind"] == "question"]
    path.write_bytes(_first(records, change))
    with pytest.raises(LogDamagedError, match=why) as caught:
        verify(read_log(path))
    assert caught.value.line == questions[3]


async def test_exports_and_programs_name_a_wrong_view(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    await bots_log(path, "dixiquote", 3, 4, **SMALL)
    path.write_bytes(_first(records_of(path.read_bytes()), CHANGES["another view"][0]))
    done = tabletop(tmp_path, "export", "log.jsonl", "--html")
    assert done.returncode == 4
    assert "another view" in complaint(done)
    with pytest.raises(LogDamagedError, match="another view"):
        _ = read_data_log(path).events
    assert read_data_log(path).decisions


async def test_the_match_decides_as_ever_when_its_log_is_resumed_or_forked(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    await bots_log(whole, "dixiquote", 4, 6, **SMALL)
    lines = whole.read_bytes().splitlines(keepends=True)
    asked = given(read_data_log(whole).questions)
    for place in (5, len(lines) // 2, len(lines) - 3):
        cut.write_bytes(b"".join(lines[:place]))
        await gone_on(cut, [bot("dixiquote")] * 4)
        assert verify(read_log(cut)).has_ended
        assert given(read_data_log(cut).questions) == asked
    assert tabletop(tmp_path, "fork", "whole.jsonl", "--at", "5", "--quiet", "--log", "fork.jsonl").returncode == 0
    assert verify(read_log(tmp_path / "fork.jsonl")).has_ended
    assert read_log(tmp_path / "fork.jsonl").shared == {}


async def test_a_log_of_schema_1_is_resumed_in_its_schema(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = (STORED / "schema-1.jsonl").read_bytes().splitlines(keepends=True)
    records = records_of(b"".join(lines[:-12]))
    path.write_bytes(resealed([{**records[0], "hopeless": 5}, *records[1:]]))
    await gone_on(path, [bot("dixiquote")] * 3)
    log = read_log(path)
    assert verify(log).has_ended
    assert len(log.records) > len(lines) - 12 - len(log.shared)
    assert all({"text", "schema"} <= record.keys() for _, record in log.of_kind("question"))


def test_a_view_is_known_without_the_fields_that_views_gained_later() -> None:
    state = games.load("dixiquote").begin(players=3, seed=1)
    seat = state.pending[0]
    view = state.view(seat)
    fields = frozenset({"skipped", "round", "table"})
    with patch.object(type(state.game), "later_fields", fields, create=True):
        for left_out in ((), ("skipped",), ("round", "table"), tuple(fields)):
            older = {name: value for name, value in view.items() if name not in left_out}
            assert view_named(digest_of(canonical(older)), state, seat) == older
        older = {name: value for name, value in view.items() if name != "seat"}
        assert view_named(digest_of(canonical(older)), state, seat) is None
