"""Commands without a log, or with a folder, use the newest one; a decision that a log does not have is refused alike."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.command import complaint, tabletop

PLAY = ("play", "coup", "--players", "2", "--seat", "bot:steady", "--seat", "bot:steady", "--seed", "3", "-q")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose sub-folder `logs` has two logs; the one with the smaller name is newer."""
    found = tmp_path_factory.mktemp("newest")
    assert tabletop(found, *PLAY, "--log", "logs/in/b.jsonl").returncode == 0
    (found / "logs/a.jsonl").write_bytes((found / "logs/in/b.jsonl").read_bytes())
    os.utime(found / "logs/in/b.jsonl", (1, 1))
    (found / "logs/events.jsonl").write_text('{"event": "begun"}\n')
    return found


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "--plain"),
        ("replay", "logs", "--plain"),
        ("replay", "--verify"),
        ("export", "--csv", "-o", "-"),
        ("export", "logs", "--markdown", "-o", "-"),
        ("fork", "--at", "2", "-q"),
        ("fork", "logs", "--at", "2", "-q"),
        ("review", "--playouts", "8"),
    ],
    ids=" ".join,
)
def test_the_newest_log_is_taken_and_named_on_standard_error(words: tuple[str, ...], folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.jsonl")}
    done = tabletop(folder, *words)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Newest log: logs/a.jsonl\n")
    assert done.stdout
    for path in set(folder.rglob("*.jsonl")) - before.keys():
        path.unlink()


def test_csv_of_one_log_says_how_to_have_the_others(folder: Path) -> None:
    words = "--table decisions --csv takes all"
    assert words in tabletop(folder, "export", "logs", "--csv", "-o", "-").stderr
    assert words not in tabletop(folder, "export", "logs/a.jsonl", "--csv", "-o", "-").stderr
    assert words not in tabletop(folder, "export", "logs/in", "--csv", "-o", "-").stderr


def test_tables_of_a_folder_have_all_logs(folder: Path) -> None:
    (folder / "logs/events.jsonl").unlink()
    for words in (("--table", "matches", "--csv", "-o", "-"), ("logs", "--table", "matches", "--csv", "-o", "-")):
        assert len(tabletop(folder, "export", *words).stdout.splitlines()) == 3


@pytest.mark.parametrize(
    "words", [("replay",), ("replay", "."), ("fork", "--at", "1"), ("export", "--html"), ("review",)], ids=str
)
def test_without_any_log_one_sentence_says_so(words: tuple[str, ...], tmp_path: Path) -> None:
    done = tabletop(tmp_path, *words)
    assert done.returncode == 2
    assert complaint(done).startswith(("tabletop: No log is named", "tabletop: There are no logs (*.jsonl) in "))


@pytest.mark.parametrize("words", [("replay", "--plain"), ("fork",), ("prompts", "render", "logs/a.jsonl")], ids=" ".join)
def test_a_decision_that_the_match_does_not_have_is_refused_alike(words: tuple[str, ...], folder: Path) -> None:
    last = len(tabletop(folder, "export", "logs/a.jsonl", "--csv", "-o", "-").stdout.splitlines()) - 1
    done = tabletop(folder, *words, "--at", "999")
    assert done.returncode == 2
    assert complaint(done).endswith(f"--at 999: the match has the decisions 1 to {last}.")


def test_a_transcript_can_start_after_a_decision(folder: Path) -> None:
    whole, part = (tabletop(folder, "replay", "logs/a.jsonl", "--plain", "--at", at).stdout for at in ("0", "4"))
    first = next(number for number, line in enumerate(whole.splitlines()) if line.startswith("    5 "))
    assert part.splitlines()[3:] == whole.splitlines()[first:]


@pytest.mark.parametrize("words", [("resume", "-q"), ("watch", "-q"), ("prompts", "render", "--at", "1")], ids=" ".join)
def test_verbs_that_take_one_log_take_the_newest(words: tuple[str, ...], folder: Path) -> None:
    (folder / "logs/events.jsonl").write_text('{"event": "begun"}\n')
    done = tabletop(folder, *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(
    "words",
    [
        *("logs no", "pack no", "standings no", "review no", "gallery no -o site", "watch no --wait 0"),
        *("resume no", "fork no --at 1"),
        *("replay no", "replay no --verify", "export no --html", "export no --csv", "export no --table seats --csv"),
        *("prompts render no --at 1", "prompts ask no --at 1"),
    ],
)
def test_a_log_that_is_not_there_is_refused_alike(words: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, *words.split())
    assert (done.returncode, complaint(done)) == (2, "tabletop: There is no log, folder or pack no.")


def test_one_log_is_listed(folder: Path) -> None:
    path = Path("logs/a.jsonl")
    done = tabletop(folder, "logs", str(path), "--json")
    assert [found["path"] for found in json.loads(done.stdout)] == [str(path)]
    assert tabletop(folder, "logs", str(path)).stdout.splitlines()[-1] == "1 log: 1 finished"
