"""The end of a model's server: with the command, however that ends."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from pathlib import Path
from typing import Any, Self

import pytest

from runner.interrupts import STOP
from tests.cli.command import environment
from tests.local.support import STARTS, local, new_model, starts, variables
from tools.warm_processes import WarmProcess

LONGEST = 60.0
"""Seconds until a process has to be gone."""

QUICK = [("slow", signal.SIGKILL), ("slow", signal.SIGINT), ("endless", signal.SIGKILL), ("endless", signal.SIGTERM)]
MORE = [("slow", signal.SIGTERM), ("slow", signal.SIGHUP), ("endless", signal.SIGHUP), ("endless", signal.SIGINT)]


class Started:
    """A command in a process of its own, whose servers write to a named pipe. A context manager."""

    def __init__(self, folder: Path, *words: str) -> None:
        os.mkfifo(folder / STARTS)
        self._lines = os.open(folder / STARTS, os.O_RDWR)
        self._rest = b""
        self.process = WarmProcess(words, folder, environment(**variables(folder)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self._lines)

    def next_line(self) -> dict[str, Any]:
        """The next line of a server."""
        while b"\n" not in self._rest:
            assert is_ready(self._lines)
            self._rest += os.read(self._lines, 4096)
        line, _, self._rest = self._rest.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found


def is_ready(handle: int) -> bool:
    """Whether a handle can be read in time; that of a process can when it has ended."""
    return bool(select.select([handle], [], [], LONGEST)[0])


@pytest.mark.skipif(sys.platform != "linux", reason="waits by pidfd_open")
@pytest.mark.parametrize(("name", "number"), [*QUICK, *(MORE if "TABLETOP_CAMPAIGN" in os.environ else ())])
def test_a_stopped_command_leaves_no_server(tmp_path: Path, name: str, number: signal.Signals) -> None:
    new_model(tmp_path, f"{name}.gguf")
    words = "play", "coup", "--seat", f"gguf:{name}.gguf", "--seat", "bot:steady", "--log", "a.jsonl"
    with Started(tmp_path, *words) as command:
        server = os.pidfd_open(command.next_line()["pid"])
        if name == "slow":
            assert "asked" in command.next_line()
        command.process.send_signal(number)
        _, said = command.process.communicate(timeout=LONGEST)
        assert is_ready(server)
        os.close(server)
    assert command.process.returncode == (-9 if number is signal.SIGKILL else 3)
    if number in STOP:
        remedy = "Resume it with `tabletop resume a.jsonl" if name == "slow" else "Nothing is logged yet: start it again."
        assert f"The match was interrupted. {remedy}" in said
        assert (tmp_path / "a.jsonl").exists() == (name == "slow")


def test_a_tournament_stops_while_a_model_is_loaded(tmp_path: Path) -> None:
    new_model(tmp_path, "endless.gguf")
    words = "--game", "coup", "--players", "2", "--seat", "gguf:endless.gguf,bot:steady", "--deals", "1", "-o", "logs"
    with Started(tmp_path, "tournament", *words) as command:
        command.next_line()
        command.process.send_signal(signal.SIGTERM)
        _, said = command.process.communicate(timeout=LONGEST)
    assert command.process.returncode == 3
    assert "The tournament was interrupted. `tabletop tournament logs` plays the remaining 2 matches." in said


def test_a_server_that_ends_pauses_the_match(tmp_path: Path) -> None:
    new_model(tmp_path, "dying.gguf")
    done = local(tmp_path, "play", "coup", "--seat", "gguf:dying.gguf", "--seat", "bot:steady", "--log", "a.jsonl")
    assert done.returncode == 3
    assert "The llama.cpp server of this model has ended: its process was ended by SIGKILL." in done.stderr
    assert "127.0.0.1" not in (tmp_path / "a.jsonl").read_text()
    assert len(starts(tmp_path)) == 1
