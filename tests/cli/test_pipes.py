"""Results in a pipe: a line a row, nothing folded, whatever the width of a terminal."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from runner.__main__ import main
from tests.cli.command import tabletop

LOG = "a-folder-with-a-long-name/dixiquote-20260801-120000-seed7-1f2e-played-on-by-somebody-else.jsonl"
SEATS = ["bot:steady", "bot:random", "bot:steady"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with one finished log, and what playing it printed."""
    folder = tmp_path_factory.mktemp("pipes")
    seats = [word for seat in SEATS for word in ("--seat", seat)]
    done = tabletop(folder, "play", "dixiquote", "--players", "3", *seats, "--max-rounds", "3", "--log", LOG, COLUMNS="60")
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_a_row_is_a_line_and_no_name_is_broken(played: tuple[Path, str]) -> None:
    folder, result = played
    logs = tabletop(folder, "logs", ".", COLUMNS="60").stdout
    standings = tabletop(folder, "standings", ".", COLUMNS="60").stdout
    games = tabletop(folder, "games", COLUMNS="60").stdout
    assert len([line for line in logs.splitlines() if line.startswith(LOG)]) == 1
    assert logs.splitlines()[-1] == "1 log: 1 finished"
    assert "Unreadable" in standings
    assert all("bot:" in line for line in standings.splitlines() if "steady" in line)
    assert len(games.splitlines()) == 5
    for shown in (result, logs, standings, games):
        assert not re.search(r" $", shown, re.MULTILINE)


@pytest.mark.parametrize(("encoding", "written"), [("ascii", b"*"), ("utf-8", "★".encode())])
def test_a_character_that_a_stream_lacks_becomes_a_similar_one(
    encoding: str, written: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = io.BytesIO()
    monkeypatch.setattr(sys, "argv", ["tabletop", "--version"])
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(kept, encoding=encoding))
    with pytest.raises(SystemExit):
        main()
    sys.stdout.write("★")
    sys.stdout.flush()
    assert kept.getvalue().splitlines()[-1] == written
