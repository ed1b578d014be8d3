"""Packs for tests: sound ones, and hostile ones that are made by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from runner.record.pack_file import FOOTER, MAGIC, SKIPPABLE, SKIPPABLE_MAGIC
from runner.record.pack_frames import compressed
from runner.record.pack_writer import PackWriter
from tests.cli.command import tabletop

_PLAY = "play", "coup", "--seat", "bot:random", "--seat", "bot:random", "-q"


def season(folder: Path, names: Sequence[str]) -> Path:
    """A folder with a finished match of bots in each of these logs."""
    for seed, name in enumerate(names):
        done = tabletop(folder, *_PLAY, "--seed", str(seed), "--log", name)
        assert done.returncode == 0, done.stderr
    return folder


def packed(pack: Path, logs: Sequence[Path], base: Path) -> Path:
    """A pack of files, by their names within a folder."""
    with pack.open("wb") as file:
        writer = PackWriter(file)
        for log in logs:
            writer.add(log.relative_to(base).as_posix(), log)
        writer.end()
    return pack


def forged(pack: Path, frames: bytes, index: object) -> Path:
    """A pack of these frames with any index."""
    data = compressed(index if isinstance(index, bytes) else json.dumps(index).encode())
    head = SKIPPABLE.pack(SKIPPABLE_MAGIC, len(data) + FOOTER.size)
    pack.write_bytes(frames + head + data + FOOTER.pack(len(data), MAGIC))
    return pack
