"""Dies with parent: a script that becomes another program, which Linux kills when the process that started it is gone.

`python dies_with_parent.py PARENT FILE NAME ARGUMENT...` runs FILE under the name NAME. PARENT is the starter's process id.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
_NOT_RUNNABLE = 126


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
