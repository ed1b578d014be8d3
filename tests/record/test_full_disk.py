"""A disk that takes no more: matches pause, keep what they logged, and go on once there is room."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from runner.record.reader import read_log
from runner.record.verify import verify
from tests.cli.command import complaint, tabletop

SEATS = ("--players", "2", "--seat", "bot:steady", "--seat", "bot:random", "--seed", "3", "-q")
BOTS = ("tournament", "--game", "coup", "--players", "2", "--agents", "bot:steady,bot:random", "--deals", "3", "--out", "t")
PAID = (*BOTS[:6], "a=offline,b=bot:steady", *BOTS[7:], "--option", "max_turns=2", "--budget", "1")


@contextmanager
def full_after(room: int) -> Iterator[None]:
    """A disk on which `room` more bytes can be written; a write that does not fit is cut off, and cut files give room back."""
    left, write, truncate = [room], os.write, os.ftruncate

    def limited(file: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fits = min(left[0], len(data))
        left[0] -= fits
        return write(file, memoryview(data)[:fits])

    def cut(file: int, size: int) -> None:
        left[0] += max(0, os.fstat(file).st_size - size)
        truncate(file, size)

    with patch.object(os, "write", limited), patch.object(os, "ftruncate", cut):
        yield


@pytest.mark.parametrize("room", [0, 500, 5000])
def test_a_match_pauses_and_is_resumed_when_there_is_room(room: int, tmp_path: Path) -> None:
    with full_after(room):
        done = tabletop(tmp_path, "play", "coup", *SEATS, "--log", "log.jsonl")
    assert (done.returncode, "No space left on device" in complaint(done)) == (3, True)
    if room < 5000:
        assert "Nothing is logged: make room on the disk and start it again." in done.stderr
        assert not (tmp_path / "log.jsonl").exists()
        return
    with full_after(0):
        assert tabletop(tmp_path, "resume", "log.jsonl", "-q").returncode == 3
        assert tabletop(tmp_path, "fork", "log.jsonl", "--at", "1", "-q", "--log", "fork.jsonl").returncode == 3
    assert not (tmp_path / "fork.jsonl").exists()
    assert tabletop(tmp_path, "resume", "log.jsonl", "-q").returncode == 0
    assert verify(read_log(tmp_path / "log.jsonl")).has_ended


@pytest.mark.parametrize(("words", "room"), [(BOTS, 12_000), (BOTS, 500), (PAID, 12_000)], ids=["bots", "no header", "budget"])
def test_a_tournament_on_a_full_disk_is_resumed_when_there_is_room(words: tuple[str, ...], room: int, tmp_path: Path) -> None:
    with full_after(room):
        done = tabletop(tmp_path, *words, "-q", "--json", "--workers", "1", "--patience", "0.01")
    assert (done.returncode, "Traceback" in done.stderr) == (3, False)
    assert {stop["stop"] for stop in json.loads(done.stdout)["stopped"].values()} == {"outage"}
    assert done.stderr.count("outage: ") <= 2
    again = tabletop(tmp_path, "tournament", "t", "-q", "--workers", "1")
    assert again.returncode == 0, again.stderr
    assert all(verify(read_log(path)).has_ended for path in tmp_path.rglob("*.jsonl"))
