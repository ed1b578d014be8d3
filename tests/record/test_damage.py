"""Damage is found, located, and told in a sentence; a good log raises no alarm."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

import games
from runner.errors import LogDamagedError
from runner.record.line import FIRST, seal
from runner.record.reader import read_log, read_sound_part
from runner.record.verify import verify
from tests.match.tables import bot
from tests.record.matches import SMALL, SMALL_DECK, erring, played, small_log

TABLES = [(name, players) for name in games.names() for players in (games.load(name).players[0], games.load(name).players[-1])]

STRIDE = 1 if "TABLETOP_CAMPAIGN" in os.environ else 37
"""The distance between changed bytes; the long campaign of `make campaign` changes each."""


def damage_of(path: Path) -> LogDamagedError:
    with pytest.raises(LogDamagedError) as caught:
        verify(read_log(path))
    return caught.value


@pytest.mark.parametrize(("game", "players"), TABLES)
async def test_good_logs_raise_no_alarm(game: str, players: int, tmp_path: Path) -> None:
    for seed, ask in ((1, "simultaneous"), (2, "sequential")):
        path = tmp_path / f"{seed}.jsonl"
        result = await played(path, game, erring(game, players), seed, ask=ask, ask_forced=seed == 2)
        assert verify(read_log(path)).result == {"kind": "result", **json.loads(json.dumps(result))}


async def test_every_changed_byte_is_found(tmp_path: Path) -> None:
    path = tmp_path / "tiny.jsonl"
    await played(path, "dixiquote", [bot("dixiquote")] * 3, 4, deck=SMALL_DECK[:18], max_rounds=1)
    raw, rng = path.read_bytes(), random.Random(7)
    lines = raw.count(b"\n")
    with path.open("r+b", buffering=0) as file:
        for place in range(rng.randrange(STRIDE), len(raw), STRIDE):
            byte = raw[place]
            os.pwrite(file.fileno(), bytes([byte ^ rng.randrange(1, 256)]), place)
            damage = damage_of(path)
            assert abs(damage.line - (raw.count(b"\n", 0, place) + 1)) <= 1
            assert damage.line <= lines
            assert damage.why
            os.pwrite(file.fileno(), bytes([byte]), place)


async def test_lines_removed_doubled_and_swapped_are_found(tmp_path: Path) -> None:
    path = await small_log(tmp_path / "small.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    for place in range(len(lines)):
        for harmed in (
            lines[:place] + lines[place + 1 :],
            lines[: place + 1] + lines[place:],
            [*lines[:place], *reversed(lines[place : place + 2]), *lines[place + 2 :]],
        ):
            if harmed == lines or harmed == lines[:-1]:
                continue
            path.write_bytes(b"".join(harmed))
            assert damage_of(path).line in (place + 1, place + 2)


async def test_without_its_last_line_a_match_is_unfinished(tmp_path: Path) -> None:
    path = await small_log(tmp_path / "small.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert not verify(read_log(path)).has_ended


async def test_a_cut_line_is_found_wherever_it_is_cut(tmp_path: Path) -> None:
    path = await small_log(tmp_path / "small.jsonl")
    raw = path.read_bytes()
    for size in range(0, len(raw), 193):
        path.write_bytes(raw[:size])
        if size and raw[size - 1 : size] != b"\n":
            assert damage_of(path).line == raw.count(b"\n", 0, size) + 1


def resealed(path: Path, change: Any) -> None:
    """Write a log again as a forger would, with every hash made good."""
    last, out = FIRST, b""
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        record = json.loads(line)
        del record["prev"], record["hash"]
        change(number, record)
        sealed, last = seal(record, last)
        out += sealed
    path.write_bytes(out)


FORGERIES: dict[str, tuple[str, Any, str]] = {
    "rules": ("header", {"rules_version": "0"}, "rules version 0"),
    "seed": ("header", {"seed": 99}, "deal another match"),
    "options": ("header", {"options": {"max_rounds": "many"}}, "cannot be set up"),
    "view": ("question", {"view": {}}, "another view"),
    "illegal action": ("decision", {"action": {"card": "c99"}, "how": "forced"}, "line"),
    "digest": ("decision", {"digest": "0" * 32}, "another state"),
    "seat": ("decision", {"seat": 7}, "seat 7 is not in the match"),
    "phase": ("phase", {"to": 42}, "the rules say"),
    "scores": ("result", {"scores": [9, 9, 9]}, "the scores are"),
    "winners": ("result", {"winners": [0, 1, 2]}, "the winners are"),
    "kind": ("decision", {"kind": "guess"}, "is not known"),
    "missing": ("decision", {"how": None}, "line"),
}


@pytest.mark.parametrize("name", FORGERIES)
async def test_forged_logs_with_good_hashes_do_not_replay(name: str, tmp_path: Path) -> None:
    kind, facts, words = FORGERIES[name]
    path = await small_log(tmp_path / "small.jsonl")
    done = False

    def change(number: int, record: dict[str, Any]) -> None:
        nonlocal done
        if record["kind"] == kind and not done:
            done = True
            record.update(facts)

    resealed(path, change)
    assert words in str(damage_of(path))


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"null\n", b"[" * 100_000 + b"\n", b"\xff\xfe\n", b"\x00" * 500])
def test_files_that_are_no_logs_are_called_so(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "no.jsonl"
    path.write_bytes(content)
    assert damage_of(path).line == 1


async def test_a_newer_schema_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = await small_log(tmp_path / "small.jsonl")
    resealed(path, lambda number, record: record.update({"schema": 99}) if number == 1 else None)
    assert "update tabletop" in str(damage_of(path))
    path.write_bytes(path.read_bytes().replace(b'"players":', b'"players": ', 1))
    assert "the log has schema 99" in str(damage_of(path)), "a newer version may seal its lines otherwise"


async def test_what_stands_before_damage_is_read(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    await played(path, "dixiquote", erring("dixiquote", 3), 1, **SMALL)
    raw = path.read_bytes()
    path.write_bytes(raw[:-10])
    log = read_sound_part(path)
    assert log.is_torn
    assert log.size == raw.rindex(b"\n", 0, -1) + 1
