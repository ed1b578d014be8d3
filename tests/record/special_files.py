"""Files that are not regular, each made in a folder."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(f"/proc/self/fd/{here}/{path.name}")  # the name of a socket has at most 100 letters
    finally:
        os.close(here)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _empty_device(path: Path) -> None:
    path.symlink_to("/dev/null")


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**41)


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


SPECIAL: Mapping[str, Callable[[Path], None]] = {
    "pipe": _pipe,
    "socket": _socket,
    "zero": _endless,
    "null": _empty_device,
    "folder": Path.mkdir,
    "huge": _huge,
    "loop": _loop,
}
"""How to make each kind at a path."""
