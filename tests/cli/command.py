"""Running the command as a user does: in an empty folder, with a bare environment."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from queue import Queue
from tempfile import TemporaryFile
from typing import TextIO
from unittest.mock import patch

from runner import worker_processes
from runner.__main__ import main
from runner.arena import match_runner
from runner.llm.offline import FAULTS, Faults, OfflineModel
from runner.llm.offline_server import OfflineServer
from tests.patience import PATIENCE
from tools.warm_processes import WarmProcess

ROOT = Path(__file__).parents[2]
PRIVATE = re.compile(r"OPENROUTER|OPENAI|KEY_HOSTS|MODEL_PLAYER|DEFAULT_MODEL|TABLETOP|NO_COLOR|FORCE_COLOR|COLUMNS|LINES")

QUICK_FAULTS = tuple(fault for fault in FAULTS if fault not in ("drip", "slow"))


def environment(**extra: str) -> dict[str, str]:
    bare = {name: value for name, value in os.environ.items() if not PRIVATE.search(name)}
    return {**bare, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **extra}


def tabletop(folder: Path, *words: str, timeout: float = PATIENCE, **env: str) -> subprocess.CompletedProcess[str]:
    """The finished command. It runs in this process where that makes no difference: starting one takes most of a second."""
    if _needs_process(env):
        return tabletop_process(folder, *words, timeout=timeout, **env)
    return tabletop_here(folder, *words, timeout=timeout, **env)


def tabletop_process(folder: Path, *words: str, timeout: float = PATIENCE, **env: str) -> subprocess.CompletedProcess[str]:
    """The finished command, in a process of its own."""
    if not is_for_python(env):
        process = WarmProcess(words, folder, environment(**env))
        output, errors = process.communicate(timeout)
        return subprocess.CompletedProcess(words, process.wait(), output, errors)
    return subprocess.run(
        [sys.executable, "-m", "runner", *words],
        cwd=folder,
        env=environment(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


def _needs_process(env: Mapping[str, str]) -> bool:
    """Whether the interpreter itself is told something, or an event loop is running in this thread already."""
    return "PYTHONPATH" in env or is_for_python(env) or asyncio._get_running_loop() is not None


def is_for_python(env: Mapping[str, str]) -> bool:
    """Whether a variable tells the interpreter or the loader something, which reads it at its start; not where modules are."""
    return any(name.startswith(("PYTHON", "LC_", "LANG", "LD_")) and name != "PYTHONPATH" for name in env)


def tabletop_here(folder: Path, *words: str, timeout: float = PATIENCE, **env: str) -> subprocess.CompletedProcess[str]:
    """The finished command, in this process, and without worker processes: starting two takes longer than what tests give
    them to do. In tests/cli/test_folder_modules.py every verb has its own."""
    with (
        open(os.devnull, encoding="utf-8") as nothing,
        TemporaryFile("w+", encoding="utf-8") as out,
        TemporaryFile("w+", encoding="utf-8", errors="backslashreplace") as errors,
    ):
        with (
            chdir(folder),
            patch.dict(os.environ, environment(**env), clear=True),
            patch.multiple(sys, argv=["tabletop", *words], stdin=nothing, stdout=out, stderr=errors),
            one_processor(),
            _same_collector(),
            _limited(timeout) if threading.current_thread() is threading.main_thread() else _without_signals(),
        ):
            status = _status(errors)
        out.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(words, status, out.read(), errors.read())


def _status(errors: TextIO) -> int:
    """What the process would leave with."""
    try:
        main()
    except SystemExit as leaving:
        return int(leaving.code or 0)
    except TimeoutError:
        raise
    except Exception:
        errors.write(traceback.format_exc())
        return 1
    return 0


@contextmanager
def one_processor() -> Iterator[None]:
    """No worker processes, and one that plays matches of a tournament."""
    with ExitStack() as patches:
        for module in (worker_processes, match_runner):
            patches.enter_context(patch.object(module, "available_cpus", lambda: 1))
        yield


@contextmanager
def _without_signals() -> Iterator[None]:
    """Only the main thread can handle signals."""
    with patch.object(asyncio.SelectorEventLoop, "add_signal_handler", lambda *words: None):
        yield


@contextmanager
def _same_collector() -> Iterator[None]:
    before = gc.get_threshold()
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def too_slow(number: int, frame: object) -> None:
        raise TimeoutError(f"not done within {seconds} s")

    before = signal.signal(signal.SIGALRM, too_slow)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def start(folder: Path, *words: str, start_new_session: bool = False) -> WarmProcess:
    """The command, running."""
    return WarmProcess(words, folder, environment(), start_new_session=start_new_session)


def wait_while_running(process: WarmProcess, holds: Callable[[], bool]) -> None:
    """Wait until something holds. AssertionError when the process has ended before."""
    while not holds():
        assert process.poll() is None
        time.sleep(0.01)


def wait_for_log(process: WarmProcess, log: Path, size: int) -> None:
    """Wait until a log of the process has that many bytes."""
    wait_while_running(process, lambda: log.exists() and log.stat().st_size >= size)


@contextmanager
def offline_server_process(folder: Path, *words: str) -> Iterator[str]:
    """`tabletop offline-server` in a process of its own; its base URL."""
    process = start(folder, "offline-server", "--port", "0", *words)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield line.split()[-1]
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in errors


@contextmanager
def offline_server(seed: int = 0, mistakes: float = 0.0, faults: float = 0.0) -> Iterator[str]:
    """The server of the offline model in a thread of this process; its base URL. No fault takes time: how many of them a match
    meets depends on the words of its prompts, by the answers that they get."""
    urls: Queue[str] = Queue()
    loop = asyncio.new_event_loop()
    stopped = asyncio.Event()

    async def serve() -> None:
        async with OfflineServer(OfflineModel(seed, mistakes), Faults(faults, QUICK_FAULTS, retry_after=0)) as server:
            urls.put(server.base_url)
            await stopped.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        yield urls.get(timeout=PATIENCE)
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join()
        loop.close()


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a refused command; what was narrated before it does not count."""
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if line.startswith(("tabletop: ", "Error: "))]
    assert len(lines) == 1, done.stderr
    return lines[0]
