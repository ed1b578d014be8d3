"""A disk that takes no more: matches pause, keep what they logged, and go on once there is room."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from runner.record.reader import read_log
from runner.record.verify import verify
from tests.cli.command import complaint, tabletop

SEATS = ("--players", "2", "--seat", "bot:steady", "--seat", "bot:random", "--seed", "3", "-q")
BOTS = ("tournament", "--game", "coup", "--players", "2", "--seat", "bot:steady,bot:random", "--deals", "3", "-o", "t")
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


@contextmanager
def open_files_run_out(opened: int) -> Iterator[list[str]]:
    """A process that has no file handle left after it has opened `opened` logs. The logs that it could not open."""
    left, refused, real = [opened], list[str](), os.open

    def limited(path: Any, *args: Any, **options: Any) -> int:
        if str(path).endswith(".jsonl"):
            left[0] -= 1
            if left[0] < 0:
                refused.append(str(path))
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), str(path))
        return real(path, *args, **options)

    with patch.object(os, "open", limited):
        yield refused


@pytest.mark.parametrize("words", ["resume t/log.jsonl -q", "tournament t -q --patience 0 --workers 1"])
def test_the_limit_of_open_files_is_no_fault_of_the_caller(words: str, tmp_path: Path) -> None:
    with full_after(8000):
        assert tabletop(tmp_path, *BOTS, "-q", "--patience", "0", "--workers", "1").returncode == 3
    begun = next((tmp_path / "t").glob("coup-2p/*.jsonl"))
    words = words.replace("log.jsonl", f"coup-2p/{begun.name}")
    for opened in range(4) if "resume" in words else range(20, 40):
        with open_files_run_out(opened) as refused:
            done = tabletop(tmp_path, *words.split())
        assert (done.returncode, "open files" in done.stderr) == ((3, True) if refused else (0, False)), done.stderr
    assert tabletop(tmp_path, *words.split()).returncode == 0
