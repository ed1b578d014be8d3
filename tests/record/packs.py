"""Packs for tests: sound ones, and hostile ones that are made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tests.cli.command import tabletop

_PLAY = "play", "coup", "--seat", "bot:random", "--seat", "bot:random", "--max-turns", "12", "-q"


def season(folder: Path, names: Sequence[str]) -> Path:
    """A folder with a finished match of bots in each of these logs."""
    for seed, name in enumerate(names):
        done = tabletop(folder, *_PLAY, "--seed", str(seed), "--log", name)
        assert done.returncode == 0, done.stderr
    return folder


def packed(pack: Path, logs: Sequence[Path], base: Path) -> Path:
    """A pack of files, by their names within a folder, made by another program."""
    with ZipFile(pack, "w", ZIP_DEFLATED) as archive:
        for log in logs:
            archive.write(log, log.relative_to(base).as_posix())
    return pack


def forged(
    pack: Path,
    names: Sequence[str],
    content: bytes = b"{}\n",
    change: Callable[[ZipInfo], None] = lambda entry: None,
    method: int = ZIP_DEFLATED,
) -> Path:
    """A pack of logs with one content, whose list of members is changed before it is written."""
    with ZipFile(pack, "w", method) as archive:
        for name in names:
            archive.writestr(ZipInfo(name), content, method)
        for entry in archive.filelist:
            change(entry)
    return pack
