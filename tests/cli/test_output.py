"""Standard output that cannot be written, and readers that go away."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from games.search import grading
from runner.record.reader import read_log
from tests.cli.command import complaint, environment, tabletop
from tests.patience import PATIENCE
from tools.warm_processes import WarmProcess

COMMAND = f"{shlex.quote(sys.executable)} -m runner"
SEATS = "--seat bot:steady --seat bot:steady --players 2 --seed 1"
SHORT = "--players 3 --max-rounds 2 --seed 1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a match."""
    folder = tmp_path_factory.mktemp("output")
    assert tabletop(folder, "play", "coup", *SEATS.split(), "-q", "--log", "match.jsonl").returncode == 0
    return folder


def shell(folder: Path, script: str) -> tuple[list[int], str]:
    """The exit statuses of the parts of a pipe, and what stands on standard error."""
    script = f'{script.format(tabletop=COMMAND)}; echo "${{PIPESTATUS[@]}}" >&3'
    words = ["bash", "-c", f"exec 3>statuses; {script}"]
    done = subprocess.run(words, cwd=folder, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False)
    return [int(word) for word in (folder / "statuses").read_text().split()], done.stderr


def written(folder: Path, words: str, output: int, *start: str) -> tuple[int, str]:
    """The exit status of a command with this file descriptor as its output, and what stands on standard error."""
    process = WarmProcess([*start, *words.split()], folder, environment(), stdout=output, is_python=bool(start))
    _, said = process.communicate(90)
    return process.wait(), said


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "games --json",
        "replay match.jsonl --plain",
        "export match.jsonl --csv -o -",
        f"play coup {SEATS} -q --log full.jsonl",
    ],
)
def test_output_that_cannot_be_written_is_one_sentence(words: str, folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        status, said = written(folder, words, full.fileno())
    assert status == 2
    assert said.splitlines()[-1] == "tabletop: Cannot write to standard output: No space left on device."
    assert "Traceback" not in said


CLOSED = """
import os, sys
os.close(1)
sys.stdout = sys.__stdout__ = None
sys.argv[:2] = ["tabletop"]
from runner.__main__ import main
main()
"""
"""The command with the standard output that Python has where a shell has closed it."""


@pytest.mark.parametrize("words", ["--help", "replay match.jsonl --plain", "export match.jsonl --csv -o -"])
def test_a_reader_that_goes_away_is_no_error(words: str, folder: Path) -> None:
    """One of those that have no output at all is started by a shell."""
    reader, writer = os.pipe()
    os.close(reader)
    assert written(folder, words, writer) == (0, "")
    if words == "--help":
        assert shell(folder, f"{{tabletop}} {words} >&-") == ([0], "")
    else:
        assert written(folder, words, writer, "-c", CLOSED) == (0, "")
    os.close(writer)


@pytest.mark.parametrize(("where", "why"), [(" | head -n 2", "Broken pipe"), (" >/dev/full", "No space left on device")])
def test_a_match_whose_events_nobody_reads_is_paused(where: str, why: str, folder: Path) -> None:
    log = folder / f"paused-{len(where)}.jsonl"
    words = f"play dixiquote {SHORT} --json-events -q --log {log.name}"
    if where == " >/dev/full":
        with open("/dev/full", "wb") as full:
            status, said = written(folder, words, full.fileno())
    else:
        (status, _), said = shell(folder, f"{{tabletop}} {words}{where}")
    assert status == 3
    sentence = f"tabletop: The match is paused: output can no longer be written: {why}."
    assert said.splitlines()[-1] == f"{sentence} Resume it with `tabletop resume {log.name}`."
    assert "Traceback" not in said
    assert [record["kind"] for _, record in read_log(log).records][-1] == "pause"
    assert tabletop(folder, "resume", log.name, "-q").returncode == 0


@pytest.mark.parametrize("path", ["/dev/full", "/dev/null"])
def test_a_log_has_to_be_a_file(path: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, "play", "coup", *SEATS.split(), "-q", "--log", path)
    assert (done.returncode, done.stderr) == (2, f"tabletop: The log {path} cannot be written: it is not a regular file.\n")


def test_the_log_of_a_match_with_models_has_to_have_a_name(tmp_path: Path) -> None:
    seats = ("--seat", "offline", "--seat", "bot:steady")
    done = tabletop(tmp_path, "play", "coup", *seats, "-q", "--log", "")
    assert (done.returncode, complaint(done)) == (2, "tabletop: The log . cannot be written: Is a directory.")


def test_a_match_that_cannot_begin_leaves_no_log(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = tabletop(tmp_path, "play", "coup", *SEATS.split(), "-q", "--log", "log.jsonl", "--record", "file/replies.jsonl")
    assert done.returncode == 2
    assert "file/replies.jsonl cannot be written" in done.stderr
    assert not (tmp_path / "log.jsonl").exists()
    done = tabletop(tmp_path, "resume", "nosuch.jsonl")
    assert (done.returncode, done.stderr) == (2, "tabletop: There is no log, folder or pack nosuch.jsonl.\n")


def test_a_damaged_log_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl").write_text("{")
    for words in (["export", "--csv"], ["replay", "--plain"], ["replay", "--verify"], ["fork", "--at", "1"], ["resume"]):
        done = tabletop(tmp_path, words[0], "cut.jsonl", *words[1:])
        assert (done.returncode, done.stderr) == (4, "tabletop: cut.jsonl, line 1: the header is cut short.\n")


def test_a_log_cut_short_is_named_once(folder: Path) -> None:
    (folder / "torn.jsonl").write_bytes((folder / "match.jsonl").read_bytes()[:-9])
    for words in (["export", "--csv"], ["replay", "--plain"]):
        done = tabletop(folder, words[0], "torn.jsonl", *words[1:])
        assert done.returncode == 4
        assert done.stderr.startswith("tabletop: torn.jsonl, line ")
        assert done.stderr.count("torn.jsonl") == 1
    verified = tabletop(folder, "replay", "torn.jsonl", "--verify")
    assert (verified.returncode, verified.stdout.count("is cut short: `tabletop resume` removes it and continues.")) == (0, 1)


@pytest.mark.parametrize(
    "words",
    [
        ("review", "match.jsonl", "--playouts", "8", "--html"),
        ("gallery", ".", "-o", "../site"),
        ("pack", ".", "-o", "all.pack"),
        ("standings", ".", "--review"),
        ("export", ".", "--table", "seats", "--csv"),
    ],
)
def test_a_quiet_verb_prints_its_result_alone(
    words: tuple[str, ...], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading, "PLAYOUTS_AHEAD", 8)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "match.jsonl").write_bytes((folder / "match.jsonl").read_bytes())
    done = tabletop(tmp_path / "logs", *words, "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
