"""CPU count: how many processors this process may use."""

from __future__ import annotations

import os
import sys


def available_cpus() -> int:
    """The CPUs this process is allowed to run on; all of the machine's where the system has no affinity mask (macOS)."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
