"""Dies with parent: a script that becomes another program, which Linux kills when the process that started it is gone.

`python dies_with_parent.py PARENT FILE NAME ARGUMENT...` runs FILE under the name NAME. PARENT is the starter's process id.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1
_NOT_RUNNABLE = 126


def bound_to_this(words: Sequence[str]) -> list[str]:
    """The words that start a program which does not outlive this process, where the system offers that."""
    file, *arguments = words
    if sys.platform != "linux" or not sys.executable:
        return [file, *arguments]
    return [sys.executable, "-I", "-S", os.path.abspath(__file__), str(os.getpid()), file, file, *arguments]


def main(parent: str, file: str, *words: str) -> None:
    """Ask for SIGKILL at the end of the parent, then become the program. Exit status 126 when it cannot be run."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        sys.exit(1)
    try:
        os.execv(file, words)
    except OSError as error:
        sys.stderr.write(f"{file} cannot be run: {error.strerror}\n")
        sys.exit(_NOT_RUNNABLE)


if __name__ == "__main__":
    main(*sys.argv[1:])
