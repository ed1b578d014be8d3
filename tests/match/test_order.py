"""What may follow what: the fold of a match takes no record out of order, whether the match is played or read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

import games
from games.core import IllegalAction
from runner.match.match_state import OutOfOrderError
from runner.match.records import Record
from runner.record.reader import Log, read_log
from runner.record.replay import match_of
from tests.match.tables import bot
from tests.record.matches import played, short


@pytest.fixture(scope="module", params=games.names())
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Log:
    path, game = tmp_path_factory.mktemp("order") / "match.jsonl", request.param
    asyncio.run(played(path, game, [bot(game) for _ in range(3)], 3, **short(game)))
    return read_log(path)


def folds(log: Log, records: Sequence[Record]) -> bool:
    match = match_of(log.header)
    try:
        for record in records:
            match.take(record)
    except (OutOfOrderError, IllegalAction):
        return False
    return match.has_result


def test_records_in_their_order_lead_to_the_result(log: Log) -> None:
    assert folds(log, [record for _, record in log.records])


def test_no_record_may_be_missing_or_stand_twice(log: Log) -> None:
    records = [record for _, record in log.records]
    last = len(records) - 1
    for place in {*range(0, len(records), 7), *range(12), last}:
        assert not folds(log, records[:place] + records[place + 1 :]), records[place]["kind"]
        assert not folds(log, [*records[: place + 1], *records[place:]]), records[place]["kind"]


def test_a_mistake_too_many_is_no_answer_to_a_question(log: Log) -> None:
    records = [record for _, record in log.records]
    place = next(place for place, record in enumerate(records) if record["kind"] == "attempt")
    answer = records[place]
    assert not folds(log, [*records[: place + 1], {**answer, "outcome": "mistake"}, *records[place + 1 :]])  # type: ignore[list-item]
