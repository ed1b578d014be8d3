"""A quick `tabletop` and `python` for examples: one process imports everything once and forks for every command.

Both commands on the examples' path hand their arguments, folder, environment and standard streams over a socket and
leave with the status they get back. So a command costs milliseconds in place of half a second, in a shell like any other.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

SOCKET = "server"
HEAVY = (
    *("openai", "aiohttp", "runner.match.loop"),
    *("runner.agents.model_agent", "runner.export.page.match_page", "runner.arena.match_runner", "runner.api"),
)
"""Imported once, beside the verbs."""

CLIENT = """\
#!{python} -IS
import json, os, socket, sys
call = json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode()
os.chdir({folder!r})
with socket.socket(socket.AF_UNIX) as server:
    server.connect({socket!r})
    socket.send_fds(server, [len(call).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(call)
    sys.exit(server.recv(1)[0])
"""


@contextmanager
def serving(folder: Path, environment: dict[str, str]) -> Iterator[Path]:
    """Run a server; the folder with the commands to put on the path."""
    commands = folder / "bin"
    commands.mkdir()
    for name in ("tabletop", "python"):
        client = commands / name
        client.write_text(CLIENT.format(python=sys.executable, folder=str(folder), socket=SOCKET), encoding="utf-8")
        client.chmod(0o755)
    command = [sys.executable, "-m", "tools.example_server"]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        server.stdout.readline()
        try:
            yield commands
        finally:
            server.terminate()


def main() -> None:
    """Serve calls until the process is terminated."""
    load()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(SOCKET)
        server.listen()
        print("ready", flush=True)  # noqa: T201 -- tells the parent
        signal.signal(signal.SIGCHLD, lambda *_: reap())
        while True:
            connection, _ = server.accept()
            if os.fork() == 0:
                server.close()
                return answer(connection)
            connection.close()


def load() -> None:
    """Import what commands need, and compile the templates of prompts. They start no worker processes, each of which would
    import everything again."""
    from runner import child_processes

    child_processes.available_cpus = lambda: 1
    import runner.cli

    verbs = [found.name for found in walk_packages(runner.cli.__path__, "runner.cli.")]
    for name in (*verbs, *HEAVY, "runner.__main__"):
        import_module(name)
    from tools import compiled_templates, kept_cases

    compiled_templates.keep()
    compiled_templates.compile_all()
    kept_cases.keep()
    gc.collect()
    gc.freeze()


def reap() -> None:
    """Wait for what has ended, so that its processor time is this process's."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def answer(connection: socket.socket) -> None:
    """Run the command of one call in a process of its own, and send its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, streams, _, _ = socket.recv_fds(connection, 4, 3)
    with connection.makefile("rb") as reader:
        words, folder, environment = json.loads(reader.read(int.from_bytes(size, "big")))
    child = os.fork()
    if child == 0:
        connection.close()
        become(words, folder, environment, streams)
    else:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.sendall(bytes([status % 256]))


def become(words: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> None:
    """Be the command."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.environ["PATH"] = environment["PATH"].partition(os.pathsep)[2]  # programs in seats are started by the real Python
    command, *sys.argv = Path(words[0]).name, *words
    status: object = 0
    try:
        if command == "tabletop":
            import_module("runner.__main__").main()
        else:
            run_python()
    except SystemExit as end:
        status = end.code
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(int(status or 0))  # tearing down every module would take longer than the command


def run_python() -> None:
    """Run `python -c TEXT` or `python FILE`."""
    del sys.argv[0]
    if sys.argv[0] == "-c":
        exec(sys.argv[1], {"__name__": "__main__"})  # the text of an example
    else:
        sys.path.insert(0, os.getcwd())
        runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
