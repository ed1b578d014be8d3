"""What a sentence on a mistake says: which thing, and what to do next. No library speaks for itself."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from runner.errors import PausedError
from tests.arena.paid_server import paid_server
from tests.cli.command import complaint, tabletop

PLAY = ("play", "coup", "--num-players", "2", "--seat", "bot:steady", "--seat", "bot:random", "--seed", "3", "-q")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a match."""
    assert tabletop(tmp_path, *PLAY, "--log", "match.jsonl").returncode == 0
    return tmp_path


def test_the_remedy_is_a_sentence_of_its_own() -> None:
    assert (
        str(PausedError("nobody answers (401: no account)", remedy="Try again."))
        == "nobody answers (401: no account). Try again."
    )
    assert str(PausedError("It was stopped.", remedy="Try again.")) == "It was stopped. Try again."


@pytest.mark.parametrize("other", ["r.jsonl", "./r.jsonl", "sub/../r.jsonl"])
def test_a_recording_and_a_log_are_two_files(other: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    done = tabletop(tmp_path, *PLAY, "--log", "r.jsonl", "--record", other)
    assert (done.returncode, complaint(done)) == (2, "tabletop: --record and --log name one file, r.jsonl: name two.")


def test_a_log_whose_last_line_is_cut_short_is_unfinished_and_can_be_resumed(folder: Path) -> None:
    lines = (folder / "match.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "cut.jsonl").write_bytes(b"".join(lines[:-1])[:-9])
    done = tabletop(folder, "replay", "cut.jsonl", "--verify")
    assert done.returncode == 0
    assert "the match is unfinished and can be resumed" in done.stdout
    assert f"line {len(lines) - 1}: the last line is cut short: `tabletop resume` removes it and continues." in done.stdout
    done = tabletop(folder, "replay", ".", "--verify")
    assert done.returncode == 0
    assert "unfinished cut.jsonl  line " in done.stdout
    assert tabletop(folder, "resume", "cut.jsonl", "-q").returncode == 0
    assert (folder / "cut.jsonl").read_bytes().count(b"\n") > len(lines) - 2


def test_a_log_that_has_ended_with_a_torn_line_after_it_is_damaged(folder: Path) -> None:
    with (folder / "match.jsonl").open("ab") as file:
        file.write(b'{"kind":"pause"')
    assert tabletop(folder, "replay", "match.jsonl", "--verify").returncode == 4


@pytest.mark.parametrize("words", [(*PLAY, "--log", "x.txt"), ("fork", "match.jsonl", "--at", "2", "-q", "--log", "x.txt")])
def test_a_log_of_another_name_is_told_to_be_found_by_no_folder(words: tuple[str, ...], folder: Path) -> None:
    done = tabletop(folder, *words)
    assert done.returncode == 0
    assert "Note: x.txt does not end in .jsonl: verbs on folders, such as `standings`, do not find it.\n" in done.stderr


def test_an_address_with_the_wrong_scheme_is_corrected_after_one_try(tmp_path: Path) -> None:
    with paid_server(0) as server:
        address = server.url.replace("http://", "https://")
        done = tabletop(tmp_path, *PLAY[:4], "--seat", f"x@{address}", "--seat", "bot:steady", "-q")
    assert done.returncode == 5
    assert "speaks no TLS: write http:// in place of https://" in complaint(done)


def test_a_port_in_use_is_named_in_few_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = tabletop(tmp_path, "offline-server", "--port", str(port))
    assert (done.returncode, done.stderr) == (
        2,
        f"tabletop: Cannot listen on port {port} of 127.0.0.1: Address already in use.\n",
    )


@pytest.mark.parametrize(
    "words",
    [
        "replay match.jsonl --verify",
        "export match.jsonl --csv -o -",
        "fork match.jsonl --at 2 -q",
        "resume match.jsonl",
        "watch match.jsonl --plain",
        "standings .",
        "play coup --seat bot:steady --seat bot:steady --prompts . -q",
        "logs .",
        "play coup --playback match.jsonl -q",
        "prompts render match.jsonl --at 1",
    ],
)
def test_whether_a_file_can_be_read_is_found_out_by_reading_it(
    words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_, **__: False)  # what the library asks before it refuses in its own words
    done = tabletop(folder, *words.split())
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("play chess", 'There is no game "chess": the games are "cat_in_the_box", "coup", "dixiquote" or "oriflamme".'),
        ("play coop", 'There is no game "coop": did you mean coup?'),
        ("rules chess", 'There is no game "chess": the games are "cat_in_the_box", "coup", "dixiquote" or "oriflamme".'),
        ("doctro", 'There is no command "doctro": did you mean doctor?'),
        ("replay match.jsonl --plain --view Q", 'Unknown view "Q": use all, public, or a seat'),
        ("logs . --game Coup", 'There is no game "Coup": the games are '),
        ("review match.jsonl --playouts 8 --seat Q", 'There is no seat "Q": the seats are '),
    ],
)
def test_what_was_typed_stands_in_double_quotation_marks(words: str, sentence: str, folder: Path) -> None:
    done = tabletop(folder, *words.split())
    assert done.returncode == 2
    assert complaint(done).startswith(f"tabletop: {sentence}")


def test_the_help_of_play_asks_for_a_game(tmp_path: Path) -> None:
    assert tabletop(tmp_path, "play", "--help").stdout.startswith("Usage: tabletop play GAME [OPTIONS]\n")


@pytest.mark.parametrize(
    "words", ["export match.jsonl --html", "export . --table seats --csv", "review match.jsonl --playouts 8 --html"]
)
def test_a_folder_that_a_file_makes_is_told(words: str, folder: Path) -> None:
    done = tabletop(folder, *words.split(), "-q", "-o", "new/er/x")
    assert done.returncode == 0
    assert "Note: new/er is a new folder.\n" in done.stderr
    assert (folder / "new/er/x").exists()
