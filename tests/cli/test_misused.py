"""Arguments that the command line rejects: one sentence with the option, the value and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner import gc_tuning
from tests.cli.command import complaint, tabletop, tabletop_process


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("play coup --seed x", '--seed "x": it has to be a whole number.'),
        ("play coup --sed 1", "Unknown option --sed: did you mean --seat or --seed or --speed?"),
        ("logs --zzz", "Unknown option --zzz: see `tabletop logs -h`."),
        ("play coup --mistakes 3", '--mistakes "3": it has to be 1 or less.'),
        ("play coup --seed", "--seed needs a value: see `tabletop -h`."),
        ("play coup --quiet=3", "--quiet takes no value: see `tabletop -h`."),
        ("resume", "LOG is missing: see `tabletop resume -h`."),
        ("resume a b", "Got unexpected extra argument(s) (b): see `tabletop resume -h`."),
        ("logs --state odd", "--state \"odd\": it has to be one of 'finished', 'resumable', 'running', 'failed', 'damaged'."),
    ],
)
def test_a_word_that_cannot_be_taken_gets_one_sentence(words: str, sentence: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, *words.split())
    assert done.returncode == 2
    assert complaint(done) == f"tabletop: {sentence}"
    assert done.stderr.count("\n") == 1


def test_no_word_at_all_is_answered_with_the_help(tmp_path: Path) -> None:
    for words in ([], ["play"]):
        done = tabletop(tmp_path, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("Usage: tabletop")


STATUSES = [("games", 0), ("play coup --seed x", 2), ("replay torn", 4), ("play coup --seat a/b", 5)]


@pytest.mark.parametrize(("words", "status"), STATUSES)
def test_a_process_of_its_own_prints_the_same_and_leaves_with_that_status(words: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "torn").write_text("{}\n")
    own, here = tabletop_process(tmp_path, *words.split()), tabletop(tmp_path, *words.split())
    assert own.returncode == here.returncode == status
    assert (own.stdout, own.stderr) == (here.stdout, here.stderr)


def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(gc_tuning, "collect_seldom", interrupted)
    done = tabletop(tmp_path, "games")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
