"""Interrupts: the signals that ask a running command to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

STOP = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and the default signal of `kill`."""


def on_signals(act: Callable[[], object], *numbers: signal.Signals) -> None:
    """Have the running event loop call `act` when one of these signals arrives, in place of the default action."""
    for number in numbers:
        asyncio.get_running_loop().add_signal_handler(number, act)
