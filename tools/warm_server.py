"""A process that has everything imported and forks for each call: what it hands out are processes of the command `tabletop`,
of Python with a text or a file, or of a module that tabletop starts, in milliseconds.

`python -m tools.warm_server N` serves the socket that is file N, and ends with its standard input.
Each call is a line of JSON with three file descriptors, for standard input, output and error. It is answered with the id of
the process and, once that has ended, its status as `waitpid` has it. A process ends as any other of Python does, but for its
modules, which it would take longer to tear down than most commands run.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import runpy
import select
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

NUMBER = 8
"""Bytes of a length, an id or a status."""
HEAVY = (
    *("openai", "aiohttp", "runner.match.loop"),
    *("runner.agents.model_agent", "runner.export.page.match_page", "runner.arena.match_runner", "runner.api"),
)
"""Imported once, beside the verbs."""
_left: list[int] = []
"""The status with which this process leaves, once it is known."""


def sent(number: int) -> bytes:
    return number.to_bytes(NUMBER, "big", signed=True)


class Server:
    """The calls, and the processes that run for them."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._callers: dict[int, socket.socket] = {}

    def serve(self) -> dict[str, Any] | None:
        """Fork for every call, and end what still runs at the last. In a child: its call."""
        ended, ends = os.pipe()
        os.set_blocking(ends, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ends, warn_on_full_buffer=False)  # a handler alone may come too late to interrupt the wait
        while sys.stdin not in (ready := select.select([self._listener, sys.stdin, ended], [], [])[0]):
            if ended in ready:
                os.read(ended, 4096)
                self._reap()
            if self._listener in ready and (call := self._forked()) is not None:
                signal.set_wakeup_fd(-1)
                os.close(ended)
                os.close(ends)
                return call
        for pid in self._callers:
            os.kill(pid, signal.SIGKILL)
        for pid in self._callers:
            os.waitpid(pid, 0)
        return None

    def _forked(self) -> dict[str, Any] | None:
        """Take a call, and fork for it. In the child: the call."""
        caller, _ = self._listener.accept()
        size, handles, _, _ = socket.recv_fds(caller, NUMBER, 3)
        length = int.from_bytes(size, "big")
        text = caller.recv(length, socket.MSG_WAITALL) if length else b""
        is_whole = length and len(text) == length  # else the caller was killed
        if is_whole and (pid := os.fork()) == 0:
            for other in (self._listener, caller, *self._callers.values()):
                other.close()
            call: dict[str, Any] = json.loads(text)
            become(call, handles)
            return call
        for handle in handles:
            os.close(handle)
        if is_whole:
            self._callers[pid] = caller
            _tell(caller, pid)
        else:
            caller.close()
        return None

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                with self._callers.pop(pid) as caller:
                    _tell(caller, status)


def _tell(caller: socket.socket, number: int) -> None:
    with suppress(OSError):  # nobody asks any more
        caller.sendall(sent(number))


def become(call: dict[str, Any], handles: list[int]) -> None:
    """Be the process of a call, with its streams, folder and variables."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run in the background
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
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
    sys.stdout = sys.__stdout__ = _written(1, "strict", os.isatty(1) or call.get("is_shown", False))
    sys.stderr = sys.__stderr__ = _written(2, "backslashreplace", True)
    sys.argv = [call.get("module", "tabletop"), *call["words"]]


def _written(number: int, errors: str, is_line_buffered: bool) -> io.TextIOWrapper:
    raw = io.BufferedWriter(io.FileIO(number, "w", closefd=False))
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=is_line_buffered)


def load() -> None:
    """Import what commands need, and compile the templates of prompts. What shares their work is not started: it would have
    little to do. What renders templates in a process of its own is started by this server."""
    from runner import child_processes

    child_processes.available_cpus = lambda: 1
    import runner.cli

    verbs = [found.name for found in walk_packages(runner.cli.__path__, "runner.cli.")]
    for name in (*verbs, *HEAVY, "runner.__main__"):
        import_module(name)
    from tools import built_commands, compiled_templates, kept_cases, warm_processes

    warm_processes.replace_start_python()
    compiled_templates.keep()
    compiled_templates.compile_all()
    kept_cases.keep()
    built_commands.keep()
    built_commands.build_all()


def run(call: dict[str, Any]) -> None:
    """Run the command, Python or the module."""
    try:
        if call.get("is_python"):
            _run_python()
        else:
            import_module(call.get("module", "runner.__main__")).main()
    except SystemExit as leaving:
        _left.append(leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None))
        raise
    _left.append(0)


def _run_python() -> None:
    """Run `python -c TEXT` or `python FILE`."""
    del sys.argv[0]
    if sys.argv[0] == "-c":
        exec(sys.argv[1], {"__name__": "__main__"})  # the text of an example
    else:
        sys.path.insert(0, os.getcwd())
        runpy.run_path(sys.argv[0], run_name="__main__")


def _leave() -> None:
    """The last that is done at the end of a process whose status is known: threads and all else have ended."""
    if _left:
        gc.collect()
        for stream in (sys.stdout, sys.stderr):
            if not stream.closed:
                stream.flush()
        os._exit(_left[0] % 256)


def main() -> None:
    """Serve; in a child, be what was called."""
    atexit.register(_leave)
    with socket.socket(fileno=int(sys.argv[1])) as listener:
        from tools import warm_processes

        warm_processes.serve_from(Path(listener.getsockname()))
        load()
        gc.collect()
        gc.freeze()
        call = Server(listener).serve()
    if call is not None:
        run(call)


if __name__ == "__main__":
    main()
