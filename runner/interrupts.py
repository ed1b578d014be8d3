"""Interrupts: the signals that ask a running command to stop."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from games.core import GameFault
from games.guarded import running_hook

STOP = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and the default signal of `kill`."""

HOOK_SECONDS = 60.0
"""Seconds of processor time without a turn of the event loop after which a hook of a game counts as endless."""

PATIENCE = 5.0
"""Seconds that a busy event loop has to act on a signal."""


def on_signals(act: Callable[[], object], *numbers: signal.Signals) -> None:
    """Have the running event loop call `act` when one of these signals arrives, in place of the default action. A loop that
    code of a bot or a game blocks cannot act: KeyboardInterrupt ends that code at the next signal, or after `PATIENCE`
    seconds. Without effect in other threads than the main one."""
    if threading.current_thread() is threading.main_thread():
        for number in numbers:
            _listen(act, number)


@contextmanager
def interrupted_afterwards() -> Iterator[None]:
    """Hold Ctrl-C back until the end of a short step, such as making an event loop, which would print a traceback.
    KeyboardInterrupt is raised at the end instead. Without effect in other threads than the main one."""
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


@contextmanager
def endless_hooks_end() -> Iterator[None]:
    """Raise GameFault in a hook of another package's game that blocks the running event loop for `HOOK_SECONDS`. Without effect
    in other threads than the main one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    signal.signal(signal.SIGVTALRM, _end_hook)
    waiting: asyncio.TimerHandle | None = None

    def start_again() -> None:
        nonlocal waiting
        signal.setitimer(signal.ITIMER_VIRTUAL, HOOK_SECONDS)
        waiting = loop.call_later(HOOK_SECONDS / 10, start_again)

    start_again()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if waiting is not None:
            waiting.cancel()


def _end_hook(_: int, frame: FrameType | None) -> None:
    if (found := running_hook(frame)) is not None:
        raise GameFault(*found, f"it has not ended after {HOOK_SECONDS:g} s of processor time")


def _listen(act: Callable[[], object], number: signal.Signals) -> None:
    """Handle one signal: the loop is woken by the file descriptor that it watches, whatever the handler is."""
    waiting: threading.Timer | None = None

    def on_loop() -> None:
        nonlocal waiting
        if waiting is not None:
            waiting.cancel()
            waiting = None
        act()

    def at_once(*_: object) -> None:
        nonlocal waiting
        if waiting is not None:
            raise KeyboardInterrupt
        waiting = threading.Timer(PATIENCE, signal.raise_signal, [number])
        waiting.daemon = True
        waiting.start()

    asyncio.get_running_loop().add_signal_handler(number, on_loop)
    if threading.current_thread() is threading.main_thread():
        signal.signal(number, at_once)
        signal.siginterrupt(number, False)
