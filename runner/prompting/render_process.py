"""Render process: renders templates of strangers with bounded memory and processor time.

It reads pickled jobs (`messages` or `text`, template, context) and answers each with one line of JSON. It is started with the
folder of a pack, holds no keys, and ends with its input. macOS does not enforce the bound on memory; the others hold there too.
"""

import json
import pickle
import resource
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from jinja2.exceptions import TemplateRuntimeError

from runner.prompting.renderer import TemplateRenderer
from runner.prompting.template_errors import MEMORY, SECONDS, TOO_SLOW, PromptError, prompt_error

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
            answer = _answer(renderer, *pickle.load(sys.stdin.buffer))
            sys.stdout.write(json.dumps(answer) + "\n")
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
