"""Processes that start in milliseconds: a server that has everything imported forks for each of them.

They are what `python -m runner` is, or a module that tabletop starts to share its work or to render: processes with an id,
streams, a folder and variables, which may be killed, interrupted and given a terminal. What the interpreter itself does at
its start is not theirs, and hashes are the same in all: tests of a start, of limits and of variables that Python reads start
Python.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from runner import worker_processes
from runner.child_processes import own_variables
from runner.prompting import isolated_renderer
from tools.warm_server import NUMBER, sent

ROOT = Path(__file__).parent.parent

_socket: Path | None = None
"""Where this process calls the server: one that others call too, that which it was forked from, or one of its own."""


def serve_from(path: Path) -> None:
    """Call the server with this socket."""
    global _socket
    _socket = path


def address() -> Path:
    """The socket of the server, which is started when it is first asked for and ends with this process."""
    if _socket is None:
        until_the_end = ExitStack()
        atexit.register(until_the_end.close)
        path = Path(until_the_end.enter_context(TemporaryDirectory(prefix="tabletop-")), "server")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen()
            command = [sys.executable, "-m", "tools.warm_server", str(listener.fileno())]
            until_the_end.enter_context(
                subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, pass_fds=[listener.fileno()], start_new_session=True)
            )
        serve_from(path)
    assert _socket is not None
    return _socket


class ForkedProcess:
    """A process of the server, with the parts of `subprocess.Popen` that no stream is needed for. No status is lost."""

    def __init__(self, call: Mapping[str, Any], handles: Sequence[int]) -> None:
        """Its standard streams are the file descriptors `handles`, which are closed here."""
        self._server = socket.socket(socket.AF_UNIX)
        self._lock = threading.Lock()
        self.returncode: int | None = None
        self._server.connect(str(address()))
        text = json.dumps(call).encode()
        socket.send_fds(self._server, [sent(len(text))], handles)
        self._server.sendall(text)
        for handle in handles:
            os.close(handle)
        self.pid = self._number()

    def _number(self) -> int:
        told = self._server.recv(NUMBER, socket.MSG_WAITALL)
        assert len(told) == NUMBER, "the server of warm processes has ended"
        return int.from_bytes(told, "big", signed=True)

    def poll(self) -> int | None:
        """The exit status, negative after a signal; None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, negative after a signal. Raises TimeoutExpired after that many seconds."""
        if self.returncode is None and not select.select([self._server], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("tabletop", timeout or 0)
        with self._lock:
            if self.returncode is None:
                self.returncode = os.waitstatus_to_exitcode(self._number())
        return self.returncode

    def __del__(self) -> None:
        self._server.close()

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class WarmProcess(ForkedProcess):
    """A command that runs. Its streams are text."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        variables: Mapping[str, str],
        terminal: int | None = None,
        stdin: int | None = None,
        stdout: int | None = None,
        start_new_session: bool = False,
        is_python: bool = False,
    ) -> None:
        """The file descriptor `terminal` becomes all three streams; without it and others, output and errors are pipes. The
        words are those of `tabletop`, or of Python: `-c` and a text, or a file."""
        self.stdout: IO[str] | None = None
        self.stderr: IO[str] | None = None
        if terminal is None:
            (out, written), (errors, complained) = os.pipe(), os.pipe()
            self.stdout, self.stderr = (open(pipe, encoding="utf-8") for pipe in (out, errors))  # noqa: SIM115 -- until the end
            own = [os.open(os.devnull, os.O_RDONLY) if stdin is None else os.dup(stdin), written, complained]
            if stdout is not None:
                os.dup2(stdout, written)
        else:
            own = [os.dup(terminal) for _ in range(3)]
        call = {"words": words, "is_python": is_python, "folder": str(folder.absolute()), "variables": dict(variables)}
        how = {"has_terminal": terminal is not None, "has_session": start_new_session}
        super().__init__(call | how, own)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """The rest of output and errors, once it has ended. Kills it after that many seconds, and raises TimeoutExpired."""
        assert self.stdout is not None
        assert self.stderr is not None
        if self.stdout.closed:
            return "", ""
        with ThreadPoolExecutor(2) as readers:
            rest = [readers.submit(pipe.read) for pipe in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            finally:
                self.kill()
            output, errors = (found.result() for found in rest)
        self.stdout.close()
        self.stderr.close()
        return output, errors


class WarmModule(ForkedProcess):
    """A module of tabletop that runs in a process group of its own. Its input and output are pipes."""

    def __init__(self, module: str, arguments: Sequence[str], variables: Mapping[str, str], stderr: int | None) -> None:
        (read, own), (out, written) = os.pipe(), os.pipe()
        self.stdin, self.stdout = open(own, "wb"), open(out, "rb")  # noqa: SIM115 -- until the end
        errors = os.dup(2) if stderr is None else os.open(os.devnull, os.O_WRONLY)
        call = {"module": module, "words": arguments, "folder": os.getcwd(), "variables": dict(variables)}
        super().__init__(call, [read, written, errors])


def start_module(module: str, *arguments: str, variables: Mapping[str, str] | None = None, stderr: int | None = None) -> Any:
    """In place of `start_python`: the module in a warm process. Its errors are this process's, or go nowhere."""
    return WarmModule(module, arguments, own_variables() if variables is None else variables, stderr)


def replace_start_python() -> None:
    """Start what renders templates and what shares work so from now on."""
    isolated_renderer.start_python = worker_processes.start_python = start_module
