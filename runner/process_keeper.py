"""Process keeper: a script that runs another program, and on Linux ends it, and all that it has started, with this process.

`python process_keeper.py PARENT become FILE NAME ARGUMENT...` becomes FILE under the name NAME; Linux kills it when its parent,
the process PARENT, is gone.

`python process_keeper.py PARENT keep GRACE REPORT FILE NAME ARGUMENT...` starts FILE and stays. Linux hands it every process
that the program has started and left, in whatever session or group. It ends them all when the program exits, when its parent is
gone, or at SIGTERM: by SIGTERM, and after GRACE seconds by SIGKILL. It writes what it could not end to the file descriptor
REPORT, and leaves as the program did.
"""

import ctypes
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_NOT_RUNNABLE = 126
_BECOME, _KEEP = "become", "keep"
_POLL = 0.02
_TOLD = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def bound_to_this(words: Sequence[str]) -> list[str]:
    """The words that start a program which does not outlive this process, where the system offers that."""
    file, *arguments = words
    return [*_script(_BECOME), file, file, *arguments] if can_keep() else [file, *arguments]


def kept(words: Sequence[str], grace: float, report: int) -> list[str]:
    """The words that start a program of which nothing outlives this process, where the system offers that."""
    file, *arguments = words
    return [*_script(_KEEP), str(grace), str(report), file, file, *arguments] if can_keep() else [file, *arguments]


def can_keep() -> bool:
    """Whether the system hands a process all that its programs have started."""
    return sys.platform == "linux" and bool(sys.executable)


def _script(how: str) -> list[str]:
    return [sys.executable, "-I", "-S", os.path.abspath(__file__), str(os.getpid()), how]


def main(parent: str, how: str, *words: str) -> None:
    """Do what the command line says."""
    library = ctypes.CDLL(None)
    library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL if how == _BECOME else signal.SIGTERM)
    if how == _KEEP:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, *_TOLD})
    if os.getppid() != int(parent):
        sys.exit(1)
    if how == _BECOME:
        _become(*words)
    library.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    grace, report, *command = words
    _keep(library, float(grace), int(report), command)


def _become(file: str, *words: str) -> None:
    try:
        os.execv(file, words)
    except OSError as error:
        sys.stderr.write(f"{file} cannot be run: {error.strerror}\n")
        sys.stderr.flush()
        os._exit(_NOT_RUNNABLE)


def _keep(library: ctypes.CDLL, grace: float, report: int, command: Sequence[str]) -> None:
    """Start the program, wait for its end or the signal to end it, end the rest, and leave as the program did."""
    keeper, program = os.getpid(), os.fork()
    if program == 0:
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.close(report)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, *_TOLD})
        if os.getppid() == keeper:
            _become(*command)
        os._exit(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # the program alone holds its pipes
        os.dup2(nowhere, stream)
    ended: dict[int, int] = {}
    while program not in ended and signal.sigwait({signal.SIGCHLD, *_TOLD}) == signal.SIGCHLD:
        has_children(ended)
    with suppress(OSError):
        os.write(report, ", ".join(end_all(grace, ended)).encode())
    _leave_with(ended.get(program, 0))


def end_all(grace: float, ended: dict[int, int]) -> list[str]:
    """End all that this process and its programs have started; what is left, by process id and name."""
    for number, until in ((signal.SIGTERM, time.monotonic() + grace), (signal.SIGKILL, time.monotonic() + 2 * grace)):
        told = set[int]()
        while has_children(ended) and time.monotonic() < until:
            for pid in descendants():
                if pid not in told or number == signal.SIGKILL:
                    told.add(pid)
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, number)
            time.sleep(_POLL)
    return [f"{pid} ({name})" for pid, name in descendants().items()] if has_children(ended) else []


def has_children(ended: dict[int, int]) -> bool:
    """Whether a process is left, after the status of each that has ended was noted."""
    try:
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            ended[found[0]] = found[1]
    except ChildProcessError:
        return False
    return True


def descendants() -> dict[int, str]:
    """The name of every process that runs below this one, by its id."""
    children = defaultdict[int, list[tuple[int, str]]](list)
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
            start, _, rest = file.read().rpartition(")")
            state, parent = rest.split()[:2]
            if state not in "ZX":
                children[int(parent)].append((int(entry), start.partition("(")[2]))
    found, waiting = dict[int, str](), [os.getpid()]
    while waiting:
        new = children[waiting.pop()]
        found.update(new)
        waiting += [pid for pid, _ in new]
    return found


def _leave_with(status: int) -> None:
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        with suppress(OSError):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main(*sys.argv[1:])
