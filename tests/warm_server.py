"""A process that has everything imported and forks for each call: what it hands out are processes of the command `tabletop`,
or of a module that tabletop starts.

`python -m tests.warm_server SOCKET` serves the socket that it inherits under that number, until the other end is closed. Each
call is a line of JSON with four file descriptors: standard input, output and error, and where the process's id and its status
as `waitpid` has it are written. A process ends as any other of Python does: nothing of its end is left out.
"""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

from tools.example_server import load

NUMBER = 8
"""Bytes of an id or a status."""


def sent(number: int) -> bytes:
    return number.to_bytes(NUMBER, "big", signed=True)


class Server:
    """The calls of one test process, and the processes that run for it."""

    def __init__(self, calls: socket.socket) -> None:
        self._calls = calls
        self._told: dict[int, int] = {}

    def serve(self) -> dict[str, Any] | None:
        """Fork for every call, and end what still runs at the last. In a child: its call."""
        signal.signal(signal.SIGCHLD, lambda *_: self._reap())
        while True:
            size, handles, _, _ = socket.recv_fds(self._calls, NUMBER, 4)
            if not size:
                break
            call: dict[str, Any] = json.loads(self._calls.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL))
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
            if (pid := os.fork()) == 0:
                self._calls.close()
                for told in self._told.values():
                    os.close(told)
                become(call, handles)
                return call
            for handle in handles[:3]:
                os.close(handle)
            self._told[pid] = handles[3]
            self._tell(pid, pid)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for pid in self._told:
            os.kill(pid, signal.SIGKILL)
        for pid in self._told:
            os.waitpid(pid, 0)
        return None

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                self._tell(pid, status)
                os.close(self._told.pop(pid))

    def _tell(self, pid: int, number: int) -> None:
        with suppress(OSError):  # nobody asks any more
            os.write(self._told[pid], sent(number))


def become(call: dict[str, Any], handles: list[int]) -> None:
    """Be the process of a call, with its streams, folder and variables."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for number, handle in enumerate(handles[:3]):
        os.dup2(handle, number)
    for handle in handles:
        os.close(handle)
    if call.get("has_terminal"):
        os.login_tty(os.dup(0))
    elif call.get("has_session"):
        os.setsid()
    elif "module" in call:
        os.setpgid(0, 0)
    os.chdir(call["folder"])
    paths = call["variables"]["PYTHONPATH"].split(os.pathsep)
    first = [] if "module" in call else [os.getcwd()]  # as with `python -P -m` and `python -m runner`
    sys.path[:1] = [*first, *(path for path in paths if path not in sys.path)]
    os.environ.clear()
    os.environ.update(call["variables"])
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 -- open until the end
    sys.stdout = sys.__stdout__ = _written(1, "strict", os.isatty(1))
    sys.stderr = sys.__stderr__ = _written(2, "backslashreplace", True)
    sys.argv = [call.get("module", "tabletop"), *call["words"]]


def _written(number: int, errors: str, is_line_buffered: bool) -> io.TextIOWrapper:
    raw = io.BufferedWriter(io.FileIO(number, "w", closefd=False))
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=is_line_buffered)


def main() -> None:
    """Serve; in a child, be the command or the module."""
    load()
    if (call := Server(socket.socket(fileno=int(sys.argv[1]))).serve()) is not None:
        import_module(call.get("module", "runner.__main__")).main()


if __name__ == "__main__":
    main()
