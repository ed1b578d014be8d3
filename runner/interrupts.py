"""Interrupts: the signals that ask a running command to stop."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STOP = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and the default signal of `kill`."""

PATIENCE = 5.0
"""Seconds that a busy event loop has to act on a signal."""


def on_signals(act: Callable[[], object], *numbers: signal.Signals) -> None:
    """Have the running event loop call `act` when one of these signals arrives, in place of the default action.

    A loop that code of a bot or a game blocks cannot act: KeyboardInterrupt ends that code at the next signal, or after
    `PATIENCE` seconds.
    """
    for number in numbers:
        _Interrupt(act, number).listen(asyncio.get_running_loop())


@contextmanager
def interrupted_afterwards() -> Iterator[None]:
    """Hold Ctrl-C back until the end of a short step, such as making an event loop, which would print a traceback.

    KeyboardInterrupt is raised at the end instead. Without effect in other threads than the main one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: arrived.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if arrived:
        raise KeyboardInterrupt


class _Interrupt:
    """One signal and what it does."""

    def __init__(self, act: Callable[[], object], number: signal.Signals) -> None:
        self._act, self._number = act, number
        self._waiting: threading.Timer | None = None

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Handle the signal: the loop is woken by the file descriptor that it watches, whatever the handler is."""
        loop.add_signal_handler(self._number, self._on_loop)
        if threading.current_thread() is threading.main_thread():
            signal.signal(self._number, self._at_once)
            signal.siginterrupt(self._number, False)

    def _on_loop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        self._act()

    def _at_once(self, *_: object) -> None:
        if self._waiting is not None:
            raise KeyboardInterrupt
        self._waiting = threading.Timer(PATIENCE, signal.raise_signal, [self._number])
        self._waiting.daemon = True
        self._waiting.start()
