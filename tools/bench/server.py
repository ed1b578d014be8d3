"""The offline model, served by a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(delay: float = 0.0) -> Iterator[str]:
    """The base URL of a server that answers at once, or after so many seconds."""
    words = ["--faults", "1", "--fault-kind", "slow", "--slowness", str(delay)] if delay else []
    command = [sys.executable, "-m", "runner", "offline-server", "--port", "0", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()
