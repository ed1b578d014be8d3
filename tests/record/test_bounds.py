"""Bounds of a log, and damage in its middle: every verb that reads the log refuses with exit status 4 and one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.digest import canonical, digest_of
from runner.errors import LogDamagedError
from runner.record import reader
from runner.record.log_summary import LogState, summarise
from runner.record.reader import read_log
from tests.cli.command import complaint, tabletop
from tests.record.reseal import records_of, resealed
from tests.record.verbs import VERBS, words_of

FOLDERS = ("verify folder", "logs", "standings")
"""The verbs that name a log which they cannot read, and count the others."""

REFERENCES, SIZE, BOUND = 60, 20_000, 2**20


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A log of a match of models."""
    folder = tmp_path_factory.mktemp("played")
    words = ("play", "coup", "--seed", "1", "--num-players", "2", "--seat", "offline", "--seat", "offline", "-q")
    assert tabletop(folder, *words, "--mistakes", "0", "--log", "log.jsonl").returncode == 0
    return (folder / "log.jsonl").read_bytes()


@pytest.fixture(scope="module")
def expanding(played: bytes) -> bytes:
    """A sound log many of whose attempts refer to one large value."""
    records = records_of(played)
    value = "x" * SIZE
    name = digest_of(canonical(value))
    place = next(place for place, record in enumerate(records) if record["kind"] == "attempt")
    answered = records[place]
    failed = {name: answered[name] for name in ("kind", "question", "seat")}
    failed |= {"outcome": "infrastructure", "what": "timeout", "why": "slow"}
    failed |= {"request": {"messages": [{"role": "user", "content": [{"$": name}]}]}}
    records[-1]["seats"][answered["seat"]]["failures"] += REFERENCES
    return resealed(
        [*records[:place], {"kind": "shared", "name": name, "value": value}, *[failed] * REFERENCES, *records[place:]]
    )


def verbs(*left_out: str) -> list[str]:
    return [verb for verb in VERBS if verb not in left_out]


@pytest.mark.parametrize("verb", verbs(*FOLDERS))
def test_a_log_that_is_too_large_with_its_shared_values_is_refused(
    verb: str, expanding: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "LARGEST_LOG", BOUND)
    (tmp_path / "log.jsonl").write_bytes(expanding)
    done = tabletop(tmp_path, *words_of(verb, "log.jsonl", "coup", at=10))
    assert done.returncode == 4
    assert "log.jsonl, line " in done.stderr
    assert "MiB with its shared values" in done.stderr


def test_a_large_log_is_read_where_its_values_stay_within_the_bound(expanding: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(expanding)
    assert summarise(path).state is LogState.FINISHED
    assert read_log(path).result is not None


def test_a_folder_names_a_log_that_is_too_large_with_its_shared_values(
    played: bytes, expanding: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "LARGEST_LOG", BOUND)
    (tmp_path / "large.jsonl").write_bytes(expanding)
    (tmp_path / "sound.jsonl").write_bytes(played)
    listed = tabletop(tmp_path, "logs", ".", "--json").stdout
    assert "MiB with its shared values" in listed
    assert '"finished"' in listed
    with pytest.raises(LogDamagedError, match="shared values"):
        read_log(tmp_path / "large.jsonl")


@pytest.mark.parametrize("verb", verbs(*FOLDERS))
def test_a_decision_behind_the_damage_is_refused(verb: str, played: bytes, tmp_path: Path) -> None:
    lines = played.splitlines(keepends=True)
    middle = len(lines) // 2
    lines[middle] = (
        lines[middle].replace(b'"seat":', b'"Seat":', 1).replace(b'"to":', b'"To":', 1).replace(b'"value":', b'"Value":', 1)
    )
    (tmp_path / "log.jsonl").write_bytes(b"".join(lines))
    done = tabletop(tmp_path, *words_of(verb, "log.jsonl", "coup", at=9999))
    assert done.returncode == 4
    assert f"log.jsonl, line {middle + 1}: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_decision_that_a_cut_log_does_not_have_is_a_mistake_of_the_caller(played: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(played[: len(played) // 2])
    done = tabletop(tmp_path, "prompts", "render", "log.jsonl", "--at", "9999")
    assert done.returncode == 2
    assert "the match has the decisions 1 to" in complaint(done)
