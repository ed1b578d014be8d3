"""Logs of models with good hashes, in which one thing does not fit another: --verify finds each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from runner.digest import canonical, digest_of
from runner.errors import LogDamagedError
from runner.export.page.match_page import match_page
from runner.record.reader import read_log
from runner.record.resume import read_playback
from runner.record.verify import verify
from tests.cli.command import tabletop
from tests.record.reseal import records_of, resealed

Records = list[dict[str, Any]]


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("match")
    words = ("play", "dixiquote", "--max-rounds", "1", "--seed", "1", "--seat", "offline", "--seat", "bot:steady", "-q")
    assert tabletop(folder, *words, "--log", "log.jsonl").returncode == 0
    return (folder / "log.jsonl").read_bytes()


def _first(records: Records, kind: str) -> dict[str, Any]:
    return next(record for record in records if record["kind"] == kind and record.get("outcome", "answer") == "answer")


def _reply(records: Records) -> None:
    answered = next(record for record in records if record.get("outcome") == "answer" and record.get("reply"))
    answered["reply"]["text"] = '{"card": "nonesuch"}'


def _seat(records: Records) -> None:
    records[0]["seats"][0]["name"] = "another model"


def _measure(records: Records) -> None:
    measured = next(seat["measures"] for seat in records[-1]["seats"] if seat["measures"])
    name = next(iter(measured))
    measured[name] = [count + 1 for count in measured[name]]


def _shared(records: Records) -> None:
    _first(records, "shared")["value"] = "another rule of the game"


FORGERIES: dict[str, tuple[Callable[[Records], None], str]] = {
    "an answer unlike its reply": (_reply, "and its reply says something else"),
    "seats of the header unlike those of the result": (_seat, "by the header"),
    "changed measures": (_measure, "by the rules, and"),
    "a shared value under another name": (_shared, "the shared value named"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_does_not_fit_is_found(name: str, raw: bytes, tmp_path: Path) -> None:
    forge, words = FORGERIES[name]
    records, path = records_of(raw), tmp_path / "log.jsonl"
    path.write_bytes(resealed(records))
    assert verify(read_log(path)).has_ended
    forge(records)
    path.write_bytes(resealed(records))
    with pytest.raises(LogDamagedError, match=words):
        verify(read_log(path))


def _with_references(raw: bytes, value: str, times: int) -> bytes:
    """A log whose every request refers to one long value many times, each time beside a word that makes the message another."""
    records, name = records_of(raw), digest_of(canonical(value))
    asked = [record for record in records if record.get("request")]
    for number in range(times):
        message = {"role": "user", "content": [{"$": name}, str(number)]}
        asked[number % len(asked)]["request"]["messages"].append(message)
    return resealed([records[0], {"kind": "shared", "name": name, "value": value}, *records[1:]])


class Counted(dict[str, object]):
    """Shared values that count how often each is read."""

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self.reads = Counter[str]()

    def __getitem__(self, name: str) -> object:
        self.reads[name] += 1
        return super().__getitem__(name)


def test_a_page_and_a_playback_hold_a_value_once_however_often_it_is_referred_to(raw: bytes, tmp_path: Path) -> None:
    value, path = "a\n\n" * 20_000, tmp_path / "log.jsonl"
    path.write_bytes(_with_references(raw, value, 300))
    log = read_log(path)
    log.shared = shared = Counted(log.shared)
    assert len(match_page(log, "P-0")) < 3_000_000
    assert shared.reads[digest_of(canonical(value))] == 1
    held = [attempt for attempts in read_playback(path).answers.values() for _, attempt in attempts]
    assert len(json.dumps(held)) < path.stat().st_size
