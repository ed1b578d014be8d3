"""What a log is like when the disk did not take all of it."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from runner.errors import PausedError
from runner.record.line import FIRST, unseal
from runner.record.writer import LogWriter


def test_a_record_the_disk_refused_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = os.write, []

    def half(file: int, data: memoryview) -> int:
        calls.append(len(data))
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, bytes(data[: len(data) // 2]))

    writer = LogWriter(tmp_path / "log.jsonl")
    writer.append({"kind": "header"})
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half)
        with pytest.raises(PausedError, match="No space left on device"):
            writer.append({"kind": "attempt"})
    writer.append({"kind": "pause"})
    writer.close()
    last, kinds = FIRST, []
    for line in (tmp_path / "log.jsonl").read_bytes().splitlines():
        record, last = unseal(line, last)
        kinds.append(record["kind"])
    assert kinds == ["header", "pause"]


def test_a_value_that_was_refused_with_its_record_is_written_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: int, data: memoryview) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    question = {"kind": "question", "view": {"hand": "x" * 999}, "schema": {}}
    writer = LogWriter(tmp_path / "log.jsonl")
    writer.append({"kind": "header"})
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", refuse)
        with pytest.raises(PausedError):
            writer.append(question)
    writer.append(question)
    writer.close()
    lines = (tmp_path / "log.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["header", "shared", "question"]
