"""Warm processes: each call brings one process and its status, whatever happens to those who call."""

from __future__ import annotations

import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.command import environment
from tests.patience import PATIENCE
from tools.warm_processes import WarmProcess, address, start_module
from tools.warm_server import sent


@pytest.mark.parametrize("told", ["nothing", "a length", "half a call"])
def test_a_caller_that_was_killed_in_its_call_stops_no_others(told: str, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(address()))
        if told != "nothing":
            socket.send_fds(caller, [sent(100)], [0, 1, 2])
        if told == "half a call":
            caller.sendall(b"{")
    process = WarmProcess(["--version"], tmp_path, environment())
    assert process.communicate(PATIENCE)[0].startswith("tabletop ")
    assert process.wait() == 0


def test_every_process_of_many_tells_its_end(tmp_path: Path) -> None:
    def ended(number: int) -> int:
        process = start_module("runner.prompting.isolated_renderer", str(tmp_path), stderr=0)
        process.send_signal(signal.SIGTERM if number % 2 else signal.SIGKILL)
        process.stdin.close()
        process.stdout.close()
        return -int(process.wait(PATIENCE))

    with ThreadPoolExecutor(8) as callers:
        found = [*callers.map(ended, range(64))]
    assert found == [signal.SIGKILL, signal.SIGTERM] * 32


@pytest.mark.parametrize(
    ("text", "status"), [("0", 0), ("raise SystemExit(3)", 3), ("raise SystemExit('no')", 1), ("1 / 0", 1)]
)
def test_the_status_of_python_is_that_of_its_text(text: str, status: int, tmp_path: Path) -> None:
    process = WarmProcess(["-c", text], tmp_path, environment(), is_python=True)
    output, errors = process.communicate(PATIENCE)
    assert (process.wait(), output) == (status, "")
    assert errors.strip().splitlines()[-1:] == {
        "1 / 0": ["ZeroDivisionError: division by zero"],
        "raise SystemExit('no')": ["no"],
    }.get(text, [])


def test_what_is_done_at_the_end_of_a_process_is_done(tmp_path: Path) -> None:
    text = (
        "import atexit, threading\n"
        "atexit.register(print, 'last')\n"
        "threading.Thread(target=lambda: (threading.main_thread().join(), print('thread'))).start()\n"
        "class Open:\n    def __del__(self): print('closed')\n"
        "ring = Open(); ring.itself = ring; del ring"
    )
    process = WarmProcess(["-c", text], tmp_path, environment(), is_python=True)
    assert process.communicate(PATIENCE)[0].split() == ["thread", "last", "closed"]
    assert process.wait() == 0
