"""One bad log does not stop a folder: it is left out, named and counted, in every verb that reads folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.cli.command import tabletop
from tests.record.reseal import records_of, resealed

WRONG: dict[str, Any] = {
    "a list": [],
    "empty": {},
    "a number": 7,
    "of another phase": {"card": 1},
    "with a list in it": {"action": []},
}
VERBS = [
    ("standings", ".", "--honesty"),
    ("export", ".", "--sqlite", "-o", "../x.sqlite"),
    ("export", ".", "--csv", "--table", "claims", "-o", "-"),
    ("gallery", ".", "-o", "../site"),
    ("review", ".", "--playouts", "8"),
    ("standings", ".", "--review"),
    ("standings", ".", "--adjust", "bots"),
    ("replay", ".", "--verify"),
]
ALL = [*VERBS, ("logs", "."), ("pack", ".", "-o", "../x.pack")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sound logs, and one for each wrong shape of its third decision."""
    made = tmp_path_factory.mktemp("bad") / "logs"
    made.mkdir()
    for seed, name in ((1, "a.jsonl"), (2, "b.jsonl")):
        bots = ("--seat", "bot:steady", "--seat", "bot:random", "--seed", f"{seed}")
        done = tabletop(made, "play", "coup", *bots, "--max-turns", "4", "-q", "--log", name)
        assert done.returncode == 0, done.stderr
    for name, action in WRONG.items():
        records = records_of((made / "a.jsonl").read_bytes())
        decision = [record for record in records if record["kind"] == "decision"][2]
        decision["action"], records[0]["match"] = action, f"{abs(hash(name)):032x}"[:32]
        (made / f"bad {name}.jsonl").write_bytes(resealed(records))
    return made


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_a_log_that_does_not_replay_is_named_and_left_out(words: tuple[str, ...], folder: Path) -> None:
    done = tabletop(folder, *words)
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert done.returncode in (0, 4), said
    for name in WRONG:
        assert f"bad {name}.jsonl" in said, said


@pytest.fixture
def closed(folder: Path) -> Iterator[Path]:
    """A sub-folder that cannot be read, whoever runs the tests."""
    path = folder / "closed"
    path.mkdir(exist_ok=True)
    scan = os.scandir

    def scandir(at: Any = ".") -> Any:
        if Path(at).name == path.name:
            raise PermissionError(13, "Permission denied", str(at))
        return scan(at)

    with patch.object(os, "scandir", scandir):
        yield path


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_a_folder_that_cannot_be_read_is_named(words: tuple[str, ...], folder: Path, closed: Path) -> None:
    done = tabletop(folder, *words)
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert "closed" in said
