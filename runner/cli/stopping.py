"""Stopping: what Ctrl-C does to work that keeps its results and can be started again."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from runner.errors import PausedError


@contextmanager
def stoppable(what: str, kept: str = "matches that are reviewed") -> Iterator[None]:
    """Make Ctrl-C and the default signal of `kill` end the work with one sentence and the status of stopped work.

    `kept` are the results that the next call finds; empty for none.
    """
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        why = f"{what} was stopped before its end."
        again = f"The same command continues; {kept} are kept." if kept else "The same command starts again."
        raise PausedError(why, remedy=again) from None
    finally:
        signal.signal(signal.SIGTERM, before)
