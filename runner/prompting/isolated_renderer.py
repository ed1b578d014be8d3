"""Isolated renderer: templates that may be a stranger's, rendered in a process with bounded memory and time.

The process runs this module. It reads pickled jobs (`messages` or `text`, template, context) and answers each with one line of
JSON. It is started with the folder of a pack, holds no keys, and ends with its input. macOS does not enforce the bound on
memory; the others hold there too.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import selectors
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from jinja2.exceptions import TemplateRuntimeError

from games.core import Choices, Question
from runner.child_processes import start_python
from runner.prompting.renderer import TemplateRenderer
from runner.prompting.template_errors import MEMORY, SECONDS, TOO_SLOW, PromptError, prompt_error

if TYPE_CHECKING:
    from runner.llm.request import Message

WALL_SECONDS = 60.0
"""Seconds after which a prompt is given up, whatever its process does. Its processor time is bounded by the process itself."""

_LARGEST_ANSWER = 8 * 2**20


class IsolatedRenderer:
    """Renders the templates of a folder in one process, started at the first prompt and replaced after a failure."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def messages(self, name: str, context: Mapping[str, object]) -> list[Message]:
        """The messages of a role's template. PromptError names template and line, or the bound it exceeds."""
        messages: list[Message] = self._rendered("messages", name, context)
        return messages

    def text(self, name: str, context: Mapping[str, object]) -> str:
        """The text of a template. PromptError names template and line, or the bound it exceeds."""
        return str(self._rendered("text", name, context))

    def _rendered(self, kind: str, name: str, context: Mapping[str, object]) -> Any:
        with self._lock:
            answer = self._answer(name, pickle.dumps((kind, name, _plain(context))))
        if "rendered" in answer:
            return answer["rendered"]
        template, line, why, missing = answer["fault"]
        raise PromptError(template, line, why, missing, self._folder)

    def _answer(self, name: str, job: bytes) -> dict[str, Any]:
        process = self._process = self._process or self._started(name)
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):
                process.stdin.write(job)
                process.stdin.flush()
            line = _line(process)
        except BaseException:
            self._end(process)
            raise
        if not line.endswith(b"\n"):
            raise PromptError(name, None, self._end(process), pack=self._folder)
        answer: dict[str, Any] = json.loads(line)
        if answer.get("is_spent"):
            self._end(process)
        return answer

    def _started(self, name: str) -> subprocess.Popen[bytes]:
        try:
            process = start_python("runner.prompting.isolated_renderer", str(self._folder.resolve()), stderr=subprocess.DEVNULL)
        except OSError as error:
            raise PromptError(name, None, f"no process can be started for it: {error.strerror}", pack=self._folder) from error
        weakref.finalize(self, _reap, process)
        return process

    def _end(self, process: subprocess.Popen[bytes]) -> str:
        """End the process; returns why it had failed, in words."""
        self._process = None
        return _reap(process)


def _line(process: subprocess.Popen[bytes]) -> bytes:
    """The line that the process answers; without its end if the process ends, takes too long or writes too much."""
    assert process.stdout is not None
    received, end = bytearray(), time.monotonic() + WALL_SECONDS
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while len(received) < _LARGEST_ANSWER and selector.select(max(0.0, end - time.monotonic())):
            chunk = os.read(process.stdout.fileno(), 2**16)
            received += chunk
            if not chunk or received.endswith(b"\n"):
                break
    return bytes(received)


def _reap(process: subprocess.Popen[bytes]) -> str:
    """Kill the process if it still runs, and wait for its end; returns what it had done wrong, in words."""
    status = process.poll()
    process.kill()
    for stream in filter(None, (process.stdin, process.stdout)):
        with suppress(OSError):
            stream.close()
    process.wait()
    if status is None:
        return f"it takes more than {WALL_SECONDS:g} seconds or writes more than a prompt may have"
    if -status == signal.SIGXCPU:
        return TOO_SLOW
    return f"the process that renders it ended with status {status}, for want of memory ({MEMORY >> 20} MiB) or by a crash"


def _plain(context: Mapping[str, object]) -> dict[str, object]:
    """The context as it can be sent: the choices of a question are worked out."""
    question = context.get("question")
    if not isinstance(question, Question):
        return dict(context)
    return {**context, "question": question._replace(choices=Choices(partial(tuple, tuple(question.choices))))}


_GRACE = 2
"""Seconds after which a prompt that does not let itself be interrupted is killed."""


class TooSlowError(TemplateRuntimeError):
    """A prompt takes too long to render."""


def main() -> None:
    """Answer the jobs on standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _interrupt)
    renderer = TemplateRenderer(Path(sys.argv[1]))
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_AS, address_space() + MEMORY)
    with suppress(EOFError, BrokenPipeError):
        while True:
            sys.stdout.write(json.dumps(_answer(renderer, *pickle.load(sys.stdin.buffer))) + "\n")
            sys.stdout.flush()


def _answer(renderer: TemplateRenderer, kind: str, name: str, context: Mapping[str, object]) -> dict[str, Any]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + SECONDS + _GRACE)
    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            return {"rendered": getattr(renderer, kind)(name, context)}
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except (PromptError, TooSlowError) as found:
        error = prompt_error(name, found)
        fault = error.template, error.line, error.why, error.missing
        return {"fault": fault, "is_spent": isinstance(error.__cause__, MemoryError)}


def _interrupt(*_: object) -> None:
    raise TooSlowError(TOO_SLOW)


def limit(what: int, value: int) -> None:
    """Set the soft limit; the hard limit stays, and so does a lower one."""
    hard = resource.getrlimit(what)[1]
    with suppress(ValueError, OSError):
        resource.setrlimit(what, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def address_space() -> int:
    """The bytes of address space of this process, 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * resource.getpagesize()


if __name__ == "__main__":
    main()
