"""Terminals of all sorts: without colours, dumb, not UTF-8, changed in size, left in every way."""

from __future__ import annotations

import os
import re
import signal
from functools import partial
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

import games
from runner.screen.consoles import use_ascii_fallback
from tests.cli.command import environment, tabletop
from tests.patience import PATIENCE
from tests.screen.terminal import Terminal
from tools.warm_processes import WarmProcess

BOTS = ["--seat", "bot:steady"] * 2
COUP = ["play", "coup", "--players", "2", *BOTS, "--seed", "3"]
SHORT = {"dixiquote": ("--max-rounds", "2")}
WEIGHT = re.compile(rb"\x1b\[[0123](;[0123])*m")
"""Bold, dim and italic: no colour."""
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}
STREAMS = """
import sys
for stream in (sys.stdin, sys.stdout, sys.stderr):
    stream.reconfigure(encoding="ascii", errors="surrogateescape")
sys.argv[:2] = ["tabletop"]
from runner.__main__ import main
main()
"""
"""The command with the streams that Python has where the variables `ASCII` are set."""
in_ascii = partial(WarmProcess, is_python=True)


def test_no_colour_and_a_dumb_terminal_get_lines(tmp_path: Path) -> None:
    told = tabletop(tmp_path, *COUP, "--log", "log.jsonl").stderr
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        terminal = Terminal("watch", "log.jsonl", folder=tmp_path, width=200, **env)
        assert terminal.ended() == 0
        raw = WEIGHT.sub(b"", terminal.raw)
        assert b"\x1b" not in raw
        assert b"\x1b" not in terminal.raw or "TERM" not in env
        lines = raw.decode().replace("\r", "").split("\n")
        assert set(told.splitlines()[:-2]) <= set(lines)
    plain = Terminal("watch", "log.jsonl", "--plain", folder=tmp_path, width=200)
    assert plain.ended() == 0
    assert b"\x1b[?25l" not in plain.raw


@pytest.mark.parametrize("game", games.names())
def test_a_terminal_that_knows_ascii_alone_shows_everything(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One game where Python itself finds out what the terminal knows."""
    monkeypatch.setattr("tests.screen.terminal.WarmProcess", in_ascii)
    words = ("play", game, "--players", str(games.load(game).players[0]), *BOTS, "--seed", "2", *SHORT.get(game, ()))
    start, env = ((), ASCII) if game == "coup" else (("-c", STREAMS), {})
    live = Terminal(*start, *words, "--speed", "0.001", "--log", "log.jsonl", folder=tmp_path, **env)
    live.wait_for("Press any key")
    live.type("x")
    assert live.ended() == 0, live.text
    assert live.raw.isascii()
    assert games.load(game).title.encode() in live.raw
    assert b"* wins" in live.raw
    assert b"\x1b[?25l" in live.raw


def test_a_pipe_that_knows_ascii_alone_gets_everything(tmp_path: Path) -> None:
    tabletop(tmp_path, *COUP, "--quiet", "--log", "log.jsonl")
    done = tabletop(tmp_path, "replay", "log.jsonl", "--plain", **ASCII)
    rules = in_ascii(("-c", STREAMS, "rules", "coup"), tmp_path, environment()).communicate(PATIENCE)
    for output, errors in ((done.stdout, done.stderr), rules):
        assert output.isascii()
        assert output
        assert errors == ""


def test_every_sign_of_the_screen_has_its_likeness(tmp_path: Path) -> None:
    """What the games and the seats draw with is never a question mark."""
    kept = (Path(__file__).parents[1] / "terminal" / "goldens").glob("*.txt")
    signs = {letter for file in kept for letter in file.read_text(encoding="utf-8") if ord(letter) > 126}
    with (tmp_path / "file").open("w", encoding="ascii") as file:
        use_ascii_fallback(file)
        file.write("".join(signs))
    text = (tmp_path / "file").read_bytes()
    assert len(text) == len(signs)
    assert b"?" not in text


def test_the_table_follows_the_size_of_the_terminal(tmp_path: Path) -> None:
    terminal = Terminal(*COUP, "--speed", "0.05", "--log", "log.jsonl", folder=tmp_path, width=120, height=24)
    for width, height in ((120, 24), (60, 24), (200, 40), (80, 24), (60, 30)):
        terminal.resize(width, height)
        terminal.wait_for("Coup · turn")
        terminal.wait_until(lambda: terminal.text.count("Coup · turn") == 1 and terminal.text.count("Coins") == 1)
        assert len(terminal.screen.display) == height
    terminal.wait_for("Press any key")
    terminal.type("x")
    assert terminal.ended() == 0
    assert "P-" in terminal.text
    assert terminal.raw.rindex(b"\x1b[?25h") > terminal.raw.rindex(b"\x1b[?25l")


def test_a_text_that_is_being_typed_is_drawn_again_in_another_size(tmp_path: Path) -> None:
    words = ("play", "dixiquote", "--seat", "human", *["--seat", "bot:steady"] * 3, "--seed", "5", "--speed", "0")
    terminal = Terminal(*words, "--log", "log.jsonl", folder=tmp_path)
    terminal.wait_for("situation>")
    terminal.type("1\r")
    terminal.wait_for("quote>")
    terminal.type("One more sill")
    terminal.wait_for("quote> One more sill")
    before = len(terminal.raw)
    terminal.resize(60, 24)
    terminal.wait_until(lambda: b"One more sill" in terminal.raw[before:].partition(b"\x1b[2J")[2])
    terminal.wait_until(lambda: "quote> One more sill" in terminal.text)
    terminal.type("\x03")
    assert terminal.ended() == 3


def endings() -> list[object]:
    return [
        pytest.param("\x03", None, 3, id="ctrl-c"),
        pytest.param("", signal.SIGTERM, 3, id="sigterm"),
        pytest.param("", None, 0, id="end"),
    ]


@pytest.mark.parametrize(("keys", "number", "status"), endings())
def test_the_terminal_is_left_as_it_was(keys: str, number: signal.Signals | None, status: int, tmp_path: Path) -> None:
    speed = "0.3" if status else "0.01"
    terminal = Terminal(*COUP, "--speed", speed, "--log", "log.jsonl", folder=tmp_path)
    before = terminal.modes()
    terminal.wait_for("Coup · turn")
    terminal.type("keys pressed meanwhile\n")
    assert terminal.modes() != before or status == 0
    if number is not None:
        os.kill(terminal.pid, number)
    if not status:
        terminal.wait_for("Press any key")
    terminal.type(keys or "x")
    assert terminal.ended() == status
    assert terminal.modes() == before
    assert terminal.raw.rindex(b"\x1b[?25h") > terminal.raw.rindex(b"\x1b[?25l")
    assert "keys pressed" not in terminal.text
    left = terminal.raw.decode().rpartition("\x1b[?1049l")[2]
    assert left.count(" · turn ") == 1
    assert ("tabletop resume log.jsonl" in left) == (status == 3)


def test_a_refused_key_leaves_it_as_it_was(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_json({"error": {"message": "no"}}, status=401)
    seats = ["--seat", f"m@{httpserver.url_for('/v1')}", "--seat", "bot:steady"]
    terminal = Terminal("play", "coup", "--players", "2", *seats, "--log", "log.jsonl", folder=tmp_path)
    before = terminal.modes()
    assert terminal.ended() == 5, terminal.text
    assert terminal.modes() == before
    assert terminal.raw.rindex(b"\x1b[?25h") > terminal.raw.rindex(b"\x1b[?25l")


def test_a_command_to_type_is_never_broken_in_two(tmp_path: Path) -> None:
    words = [
        "play",
        "dixiquote",
        "--players",
        "3",
        "--quiet",
        "--budget-tokens",
        "1",
        "--log",
        "h60.jsonl",
        "--seat",
        "offline",
    ]
    terminal = Terminal(*words, folder=tmp_path, width=60)
    assert terminal.ended() == 3
    said = [line.rstrip() for line in terminal.screen.display]
    assert any("`tabletop resume h60.jsonl --budget-tokens " in line for line in said), terminal.text
