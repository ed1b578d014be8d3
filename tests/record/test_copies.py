"""Copies and forks of a log in a folder: a match counts once, and what is left out is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.arena.tournament_dir import logged_spending
from runner.record.log_folder import copies, summaries
from runner.record.log_summary import own_measures
from runner.record.reader import read_log
from tests.cli.command import tabletop
from tests.record.matches import small_log
from tests.record.reseal import records_of, resealed

BOTS = ("--seat", "bot:steady", "--seat", "bot:steady", "--seat", "bot:random")


@pytest.fixture
async def log(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    return await small_log(tmp_path / "logs" / "match.jsonl")


def copy_of(log: Path, name: str, lines: int | None = None) -> Path:
    path = log.with_name(name)
    path.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:lines]))
    return path


def standings(folder: Path, *words: str) -> dict[str, Any]:
    done = tabletop(folder, "standings", ".", "--json", *words)
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


def forked(log: Path, at: int = 3, *changes: str) -> Path:
    bots = changes or ("P-0=bot:random", "P-1=bot:random", "P-2=bot:random")
    words = ("--at", str(at), "--quiet", "--log", "fork.jsonl", *(word for bot in bots for word in ("--seat", bot)))
    done = tabletop(log.parent, "fork", log.name, *words)
    assert done.returncode == 0, done.stderr
    return log.with_name("fork.jsonl")


def test_forks_are_left_out_and_named_unless_asked_for(log: Path) -> None:
    alone = standings(log.parent)
    copy_of(forked(log), "fork copy.jsonl")
    found = standings(log.parent)
    assert found["games"] == alone["games"]
    assert found["logs"] == {"ended": 1, "forks": 1, "copies": 1}
    assert found["left_out"] == [
        {"log": "fork copy.jsonl", "why": "copies", "of": "fork.jsonl", "at": 3},
        {"log": "fork.jsonl", "why": "forks", "of": "match.jsonl", "at": 3},
    ]
    assert any("1 log forked from another match (fork.jsonl of match.jsonl at decision 3)" in note for note in found["notes"])
    asked = standings(log.parent, "--forks")
    assert asked["logs"] == {"ended": 2, "copies": 1}
    assert [note for note in asked["notes"] if note.startswith("Forks: 1 of 2 matches.")]


def test_a_folder_of_forks_alone_says_how_they_count(log: Path) -> None:
    forked(log)
    log.unlink()
    done = tabletop(log.parent, "standings", ".")
    assert done.returncode == 2
    assert "--forks counts them" in done.stderr


def test_a_fork_counts_from_its_decision_on(log: Path) -> None:
    """What was copied belongs to the players of the parent: decisions, penalties, mistakes and measures."""
    path = forked(log, 9)
    fork, parent = (summaries(log.parent)[name] for name in ("fork.jsonl", "match.jsonl"))
    assert (fork.fork_of, fork.fork_at, fork.fork_match) == ("match.jsonl", 9, read_log(log).header["match"])
    late = [record for record in records_of(path.read_bytes()) if record["kind"] == "decision"][8:]
    for seat, one in enumerate(fork.seats):
        assert one.decisions == sum(r["seat"] == seat and r["how"] == "answer" for r in late)
        assert one.penalties == sum(r["seat"] == seat and r["how"] == "strike_out" for r in late)
    assert sum(seat.decisions for seat in parent.seats) > sum(seat.decisions for seat in fork.seats)


def test_measures_count_from_the_fork_on(tmp_path: Path) -> None:
    """The same bots play the same match again, so that a later fork has less of the measures, and one at the deal has all."""
    assert tabletop(tmp_path, "play", "coup", *BOTS, "--seed", "2", "--quiet", "--log", "m.jsonl").returncode == 0
    parent = read_log(tmp_path / "m.jsonl")
    assert parent.result is not None
    found = []
    for at in ("1", "10", "18"):
        assert tabletop(tmp_path, "fork", "m.jsonl", "--at", at, "--quiet", "--log", f"{at}.jsonl").returncode == 0
        fork = read_log(tmp_path / f"{at}.jsonl")
        assert fork.result is not None
        assert [seat["measures"] for seat in fork.result["seats"]] == [seat["measures"] for seat in parent.result["seats"]]
        found.append(own_measures(fork))
    chances = [sum(count for seat in measures for _, count in seat.values()) for measures in found]
    assert found[0] == own_measures(parent)
    assert chances[0] > chances[1] > chances[2] > 0


def test_a_second_end_of_a_resumed_match_is_a_twin_and_the_first_end_counts(log: Path) -> None:
    """The same log resumed in two copies: both have ended, and not with the same lines."""
    for name in ("late.jsonl", "early.jsonl"):
        copy_of(log, name, 30)
    log.unlink()
    seats = ("--seat", "P-0=bot:random", "--seat", "P-2=bot:random")
    for name, seat in (("early.jsonl", "P-1=bot:random"), ("late.jsonl", "P-1=bot:steady")):
        assert tabletop(log.parent, "resume", name, *seats, "--seat", seat, "--quiet").returncode == 0
    found = standings(log.parent)
    assert found["logs"] == {"ended": 1, "twins": 1}
    assert found["left_out"] == [{"log": "late.jsonl", "why": "twins", "of": "early.jsonl", "at": None}]
    assert any("with a second end of a resumed match (late.jsonl of early.jsonl)" in note for note in found["notes"])


def test_a_tournament_is_resumed_beside_copies_of_its_logs(tmp_path: Path) -> None:
    words = ("tournament", "--game", "coup", "--seat", "a=offline,b=bot:random", "--players", "2", "--deals", "1")
    words = (*words, "--seed", "1", "--quiet", "-o", "t")
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
    assert after["logs"] == {"ended": len(paths), "copies": len(paths) - 1, "twins": 1}
    assert logged_spending(folder) == spent


async def test_a_list_of_many_copies_is_cut(log: Path) -> None:
    for number in range(22):
        copy_of(log, f"copy-{number}.jsonl")
    shown = " ".join(tabletop(log.parent, "logs", ".").stdout.split())
    assert shown.endswith("of match.jsonl, 2 more. Standings count a match once.")
