"""What shows that a log is the one that was published: its digest, a list of digests."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from runner.record.log_folder import summaries
from runner.record.reader import read_log
from runner.record.verify import check_digests, read_digests
from tests.cli.command import complaint, tabletop
from tests.record.matches import small_log

DAMAGED, USAGE = 4, 2


@pytest.fixture
async def log(tmp_path: Path) -> Path:
    return await small_log(tmp_path / "logs" / "match.jsonl")


def test_a_finished_match_prints_its_digest(tmp_path: Path) -> None:
    words = ("play", "dixiquote", "--max-rounds", "1", "--seat", "bot:random", "--log", "match.jsonl", "--quiet")
    plain = tabletop(tmp_path, *words).stderr
    digest = read_log(tmp_path / "match.jsonl").last
    assert f"Digest: {digest}\n" in plain
    (tmp_path / "match.jsonl").unlink()
    told = tabletop(tmp_path, *words[:-1], "--json").stderr
    assert f"Digest: {read_log(tmp_path / 'match.jsonl').last}\n" in told


def test_verify_takes_the_digest_that_was_published(log: Path) -> None:
    folder, digest = log.parent, read_log(log).last
    sound = tabletop(folder, "replay", log.name, "--verify", "--digest", digest)
    assert (sound.returncode, "as given" in sound.stdout) == (0, True)
    assert json.loads(tabletop(folder, "replay", log.name, "--verify", "--json").stdout)["digest"] == digest
    assert "rewritten as a whole" in tabletop(folder, "replay", log.name, "--verify").stdout
    other = tabletop(folder, "replay", log.name, "--verify", "--digest", "0" * 32)
    assert (other.returncode, digest in complaint(other)) == (DAMAGED, True)
    for words in (("--verify", "--digest", "12"), ("--digest", digest)):
        assert tabletop(folder, "replay", log.name, *words).returncode == USAGE


def test_standings_take_the_logs_of_a_list_and_no_others(log: Path, tmp_path: Path) -> None:
    assert tabletop(tmp_path, "logs", "logs", "--digests", "-o", "list").returncode == 0
    assert (tmp_path / "list").read_text() == f"{read_log(log).last}  match.jsonl\n"
    check_digests(summaries(log.parent), read_digests(tmp_path / "list"))
    words = ("standings", "logs", "--check-digests", "list", "--json")
    other = log.with_name("other.jsonl")
    shutil.copy(log, other)
    assert "1 log not in the list (other.jsonl)" in complaint(tabletop(tmp_path, *words))
    log.unlink()
    done = tabletop(tmp_path, *words)
    assert (done.returncode, "missing, unfinished or damaged (match.jsonl)" in complaint(done)) == (DAMAGED, True)
    (tmp_path / "list").write_text(f"{'0' * 32} *./other.jsonl\n\n")
    assert "1 log with another digest (other.jsonl)" in complaint(tabletop(tmp_path, *words))
    (tmp_path / "list").write_text("no list\n")
    assert "list, line 1" in complaint(tabletop(tmp_path, *words))


def test_the_options_for_signatures_say_what_takes_their_place(log: Path, tmp_path: Path) -> None:
    for words in (
        ("logs", "logs", "--sign", "key"),
        ("standings", "logs", "--signed-by", "key.pub"),
        ("replay", str(log), "--sign", "k"),
    ):
        done = tabletop(tmp_path, *words)
        assert (done.returncode, "is gone: sign the list of `tabletop logs" in complaint(done)) == (USAGE, True)


def test_nothing_is_written_through_a_link_that_stands_beside_a_log(log: Path, tmp_path: Path) -> None:
    (tmp_path / "own").write_text("keep")
    log.with_name("match.html").symlink_to(tmp_path / "own")
    done = tabletop(log.parent, "export", "--html", log.name)
    assert (done.returncode, "a link out of its folder" in complaint(done)) == (USAGE, True)
    assert (tmp_path / "own").read_text() == "keep"
