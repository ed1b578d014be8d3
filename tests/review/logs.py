"""Small matches between bots for tests of reviews."""

from __future__ import annotations

from pathlib import Path

from tests.cli.command import tabletop

PLAYOUTS = 8
GAME = "cat_in_the_box"


def play(folder: Path, name: str = "match.jsonl", game: str = GAME, seed: int = 1, *words: str) -> Path:
    """A match with three players, in a log."""
    bots = ("--seat", "bot:steady", "--seat", "bot:random", "--seat", "bot:random")
    done = tabletop(folder, "play", game, *bots, "--seed", str(seed), "--log", name, "--quiet", *words)
    assert done.returncode == 0, done.stderr
    return folder / name
