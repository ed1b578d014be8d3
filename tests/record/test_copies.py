"""Copies and forks of a log in a folder: a match counts once, and what is left out is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.arena.ledger import logged_spending
from runner.record.log_copies import copies
from runner.record.log_folder import summaries
from tests.cli.command import tabletop
from tests.record.matches import small_log
from tests.record.reseal import records_of, resealed


@pytest.fixture
async def log(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    return await small_log(tmp_path / "logs" / "match.jsonl")


def copy_of(log: Path, name: str, lines: int | None = None) -> Path:
    path = log.with_name(name)
    path.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:lines]))
    return path


def standings(folder: Path) -> dict[str, Any]:
    done = tabletop(folder, "standings", ".", "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_copied_match_counts_once_and_the_copies_are_named(log: Path) -> None:
    alone = standings(log.parent)
    for name in ("match (2).jsonl", "old match.jsonl"):
        copy_of(log, name)
    found = standings(log.parent)
    assert found["games"] == alone["games"]
    assert found["logs"] == {"ended": 1, "copies": 2}
    assert found["notes"] == [
        "Left out: 2 logs copied from another log of the folder "
        "(match (2).jsonl of match.jsonl, old match.jsonl of match.jsonl)."
    ]


def test_an_unfinished_copy_of_a_finished_match_is_no_unfinished_match(log: Path) -> None:
    copy_of(log, "a.jsonl", 12)
    found = standings(log.parent)
    assert found["logs"] == {"ended": 1, "copies": 1}
    assert not any("unfinished" in note for note in found["notes"])


def test_copies_are_listed_with_the_log_that_counts(log: Path) -> None:
    copy_of(log, "copy.jsonl")
    assert "Copies: match.jsonl of copy.jsonl. Standings count a match once." in tabletop(log.parent, "logs", ".").stdout
    listed = json.loads(tabletop(log.parent, "logs", ".", "--json").stdout)
    assert [(Path(one["path"]).name, one["copy_of"]) for one in listed] == [("copy.jsonl", None), ("match.jsonl", "copy.jsonl")]


def test_logs_without_an_id_are_copies_where_every_line_is_the_same(log: Path) -> None:
    records = records_of(log.read_bytes())
    del records[0]["match"]
    log.write_bytes(resealed(records))
    copy_of(log, "again.jsonl")
    records[0]["created"] = "2020-01-01T00:00:00+00:00"
    log.with_name("other.jsonl").write_bytes(resealed(records))
    assert copies(summaries(log.parent)) == {"match.jsonl": "again.jsonl"}


def test_a_damaged_copy_is_named_as_damaged(log: Path) -> None:
    raw = log.read_bytes()
    log.with_name("a.jsonl").write_bytes(raw[:5000] + b"!" + raw[5001:])
    found = standings(log.parent)
    assert found["logs"] == {"ended": 1, "damaged": 1}
    assert [note for note in found["notes"] if note.startswith("Left out, damaged: a.jsonl: ")]


def test_forks_count_as_matches_and_are_said_to_be_forks(log: Path) -> None:
    bots = ("--seat", "P-0=bot:random", "--seat", "P-1=bot:random", "--seat", "P-2=bot:random")
    assert tabletop(log.parent, "fork", log.name, "--at", "3", *bots, "--quiet", "--log", "fork.jsonl").returncode == 0
    copy_of(log.with_name("fork.jsonl"), "fork copy.jsonl")
    found = standings(log.parent)
    assert found["logs"] == {"ended": 2, "copies": 1}
    assert "Forks: 1 of 2 matches. A fork shares its first decisions with the match it came from." in found["notes"]


def test_a_tournament_is_resumed_beside_copies_of_its_logs(tmp_path: Path) -> None:
    words = ("tournament", "--game", "coup", "--agents", "a=offline,b=bot:random", "--players", "2", "--deals", "1")
    words = (*words, "--seed", "1", "--quiet", "--out", "t")
    assert tabletop(tmp_path, *words).returncode == 0
    folder = tmp_path / "t"
    before, spent, paths = standings(folder), logged_spending(folder), sorted(folder.rglob("*.jsonl"))
    contents = [path.read_bytes() for path in paths]
    for path in paths:
        copy_of(path, f"{path.stem} copy.jsonl")
    copy_of(paths[0], paths[0].name, 9)
    assert tabletop(tmp_path, *words).returncode == 0
    assert records_of(paths[0].read_bytes())[-1] == records_of(contents[0])[-1]
    assert [path.read_bytes() for path in paths[1:]] == contents[1:]
    after = standings(folder)
    assert [game["matches"] for game in after["games"]] == [game["matches"] for game in before["games"]]
    assert after["logs"] == {"ended": len(paths), "copies": len(paths)}
    assert logged_spending(folder) == spent
