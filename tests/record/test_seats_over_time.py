"""Seats that change hands in a fork or a resumption: names stay, tokens are counted for whoever took them, and once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.record.log_folder import summaries
from runner.record.reader import Log, read_log
from runner.record.verify import verify
from runner.record.writer import LogWriter
from tests.cli.command import tabletop
from tests.record.matches import small_log

SEATS = ("--seat", "offline", "--seat", "bot:steady", "--seat", "bot:steady")
PLAY = ("play", "dixiquote", "--seed", "2", "--max-rounds", "2", *SEATS, "--mistakes", "0.4", "-q")
SWAP = ("--seat", "P-0=bot:steady", "--seat", "P-1=offline")
TOKENS = ("prompt_tokens", "completion_tokens")
SUMMED = ("mistakes", "failures", *TOKENS, "cost")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in which P-0 is a model, and a fork of it in which P-1 is the model instead."""
    folder = tmp_path_factory.mktemp("logs")
    assert tabletop(folder, *PLAY, "--log", "parent.jsonl").returncode == 0
    assert tabletop(folder, "fork", "parent.jsonl", "--at", "8", *SWAP, "-q", "--log", "fork.jsonl").returncode == 0
    return folder


def taken(log: Log, seat: int, start: int = 0, end: int | None = None) -> list[int]:
    """The tokens that the attempts of a seat took, among some of the records."""
    attempts = [record for _, record in log.records[start:end] if record["kind"] == "attempt" and record["seat"] == seat]
    usages = [(attempt.get("reply") or {}).get("usage") or {} for attempt in attempts]
    return [sum(int(usage.get(name, 0)) for usage in usages) for name in TOKENS]


def result(log: Log) -> dict[str, Any]:
    assert log.result is not None
    return dict(log.result)


def test_a_fork_counts_the_tokens_of_its_parent_for_the_model_that_took_them(folder: Path) -> None:
    log = read_log(folder / "fork.jsonl")
    copied = log.header["fork"]["lines"]
    before, after = result(log)["seats"][:2]
    assert taken(log, 0, end=copied) > [0, 0]
    assert taken(log, 1, start=copied) > [0, 0]
    assert [before[name] for name in TOKENS] == [0, 0]
    assert [after[name] for name in TOKENS] == taken(log, 1)
    assert [(one["spec"], *(one[name] for name in TOKENS)) for one in before["earlier"]] == [
        ("offline", *taken(log, 0, end=copied))
    ]
    assert verify(log).has_ended


def test_a_player_that_was_never_asked_is_not_among_the_earlier_ones(folder: Path, tmp_path: Path) -> None:
    log = str(tmp_path / "fork.jsonl")
    assert tabletop(folder, "fork", "parent.jsonl", "--at", "1", *SWAP, "-q", "--log", log).returncode == 0
    assert not [seat["earlier"] for seat in result(read_log(Path(log)))["seats"] if "earlier" in seat]


def test_screens_and_reports_name_the_earlier_player(folder: Path) -> None:
    (earlier,) = result(read_log(folder / "fork.jsonl"))["seats"][0]["earlier"]
    words = f"P-0 was offline model before: {earlier['prompt_tokens'] + earlier['completion_tokens']:,} tokens, $0.0000"
    assert words in tabletop(folder, "replay", "fork.jsonl").stdout
    page = tabletop(folder, "export", "fork.jsonl", "--markdown", "-o", "-").stdout
    assert words in page.replace("\\", "")


def test_lists_of_logs_count_what_was_copied_in_the_parent_alone(folder: Path) -> None:
    found, log = summaries(folder), read_log(folder / "fork.jsonl")
    copied = log.header["fork"]["lines"]
    parent, child = found["parent.jsonl"], found["fork.jsonl"]
    for seat in range(3):
        own = taken(log, seat, start=copied)
        assert [child.seats[seat].prompt_tokens, child.seats[seat].completion_tokens] == own
    assert child.tokens == sum(sum(taken(log, seat, start=copied)) for seat in range(3))
    assert parent.tokens == sum(taken(read_log(folder / "parent.jsonl"), 0))


def test_a_stopped_fork_ends_with_the_same_counts(folder: Path, tmp_path: Path) -> None:
    raw, whole = (folder / "fork.jsonl").read_bytes(), result(read_log(folder / "fork.jsonl"))
    (tmp_path / "fork.jsonl").write_bytes(b"".join(raw.splitlines(keepends=True)[:-12]))
    assert tabletop(tmp_path, "resume", "fork.jsonl", "-q").returncode == 0
    again = result(read_log(tmp_path / "fork.jsonl"))
    assert again["seats"] == whole["seats"]


def test_a_seat_that_changes_hands_on_resuming_is_counted_in_the_same_way(folder: Path, tmp_path: Path) -> None:
    raw = (folder / "parent.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "log.jsonl").write_bytes(b"".join(raw[: len(raw) // 2]))
    assert tabletop(tmp_path, "resume", "log.jsonl", *SWAP, "-q").returncode == 0
    log = read_log(tmp_path / "log.jsonl")
    swapped = next(place for place, (_, record) in enumerate(log.records) if record["kind"] == "resumed")
    before, after = result(log)["seats"][:2]
    assert [before[name] for name in TOKENS] == [0, 0]
    assert [before["earlier"][0][name] for name in TOKENS] == taken(log, 0, end=swapped)
    assert [after[name] for name in TOKENS] == taken(log, 1, start=swapped)
    assert summaries(tmp_path)["log.jsonl"].seats[0].prompt_tokens == 0
    assert verify(log).has_ended


def rewritten(source: Path, target: Path, seats: list[dict[str, Any]]) -> Log:
    """A log with other seats in its result, its hashes made good."""
    writer = LogWriter(target)
    for line in source.read_text(encoding="utf-8").splitlines():
        record = {name: value for name, value in json.loads(line).items() if name not in ("prev", "hash")}
        writer.append_as_is({**record, "seats": seats} if record["kind"] == "result" else record)
    writer.close()
    return read_log(target)


def test_a_fork_of_an_older_version_whose_result_counts_everything_still_verifies(folder: Path, tmp_path: Path) -> None:
    path, old = folder / "fork.jsonl", []
    for seat in result(read_log(path))["seats"]:
        earlier = seat.pop("earlier", [])
        old.append(seat | {name: seat[name] + sum(one[name] for one in earlier) for name in SUMMED})
    assert verify(rewritten(path, tmp_path / "old.jsonl", old)).has_ended


async def test_every_match_has_an_id_that_its_copies_share_and_forks_name(folder: Path, tmp_path: Path) -> None:
    parent, child = read_log(folder / "parent.jsonl").header, read_log(folder / "fork.jsonl").header
    ids = {read_log(await small_log(tmp_path / f"{number}.jsonl")).header["match"] for number in range(2)}
    assert len({*ids, parent["match"], child["match"]}) == 4
    assert (child["fork"]["match"], child["fork"]["at"]) == (parent["match"], 8)


def test_names_of_a_tournament_stay_in_forks_and_on_resuming(tmp_path: Path) -> None:
    words = ("--game", "coup", "--players", "2", "--seat", "ada=bot:steady,bob=bot:random", "--deals", "1", "--seed", "1")
    assert tabletop(tmp_path, "tournament", *words, "-o", "t", "--workers", "1", "-q").returncode == 0
    log = tmp_path / "t" / "coup-2p" / "deal-00001-0001.jsonl"
    assert (
        tabletop(tmp_path, "fork", str(log), "--at", "3", "--seat", "P-1=bot:steady", "-q", "--log", "f.jsonl").returncode == 0
    )
    assert [seat["name"] for seat in read_log(tmp_path / "f.jsonl").header["seats"]] == ["ada", "ada"]
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:12]))
    assert tabletop(tmp_path, "resume", str(log), "-q").returncode == 0
    assert [seat["name"] for seat in result(read_log(log))["seats"]] == ["ada", "bob"]
    (resumed,) = (record for _, record in read_log(log).records if record["kind"] == "resumed")
    assert "seats" not in resumed
