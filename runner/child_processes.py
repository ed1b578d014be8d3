"""Processes: how tabletop starts every Python process of its own, with which variables, and what this one may use.

A child imports what this process can import, and nothing from the current folder. It gets no variable but those on a list.
"""

import gc
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

_NEEDED = re.compile(r"PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|TMPDIR|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH")
_OWN = re.compile(r"PYTHON[A-Z0-9]+|XDG_[A-Z]+_(?:HOME|DIRS?)")
_GPU = re.compile(r"(?:CUDA|NVIDIA|HIP|HSA|ROCR|GPU|GGML|OMP|VK|SYCL|ONEAPI|ZE|METAL|MTL)_\w+")


def needed_variables() -> dict[str, str]:
    """The variables of this environment that any program needs: paths, language, time zone, terminal. No key is among them."""
    return _those(_NEEDED)


def own_variables(has_gpu: bool = False) -> dict[str, str]:
    """The variables for a Python process of tabletop: what any program needs, Python's own, and those of GPU libraries."""
    return {**needed_variables(), **_those(_OWN), **(_those(_GPU) if has_gpu else {}), **module_paths()}


def all_variables() -> dict[str, str]:
    """Every variable, for a process that calls models or functions in place of this one."""
    return {**os.environ, **module_paths()}


def start_python(
    module: str, *arguments: str, variables: Mapping[str, str] | None = None, **streams: Any
) -> subprocess.Popen[bytes]:
    """Start a module of tabletop in a process group of its own, which Ctrl-C does not reach. Its input and output are pipes."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=own_variables() if variables is None else variables,
        process_group=0,
        **streams,
    )


_is_child = False


def become_child() -> None:
    """Note that this process is a child, which starts no further ones to share its work."""
    global _is_child
    _is_child = True


def is_child() -> bool:
    return _is_child


def how_ended(status: int) -> str:
    """How a process ended, by its return code: the predicate of a sentence."""
    if status >= 0:
        return f"exited with status {status}"
    with suppress(ValueError):
        return f"was ended by {signal.Signals(-status).name}"
    return f"was ended by signal {-status}"


def _those(names: re.Pattern[str]) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if names.fullmatch(name)}


def module_paths() -> dict[str, str]:
    """Where a Python process finds modules: where this one does, never first in the current folder."""
    return {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def available_cpus() -> int:
    """The CPUs this process is allowed to run on; all of the machine's where the system has no affinity mask (macOS)."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_YOUNG = 10_000
"""Objects that come to be before the collector looks at them; by default 700, which many matches at once make in no time."""


def collect_seldom() -> None:
    """Search for cycles less often: states and events have none, so that the search finds little and costs much."""
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
