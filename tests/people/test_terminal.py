"""People at a terminal: handing it over, leaving and coming back, and terminals that can do less."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from runner.errors import Exit
from runner.record.reader import read_log, read_sound_part
from runner.record.replay import whole_questions
from tests.cli.command import complaint, environment, tabletop
from tests.patience import PATIENCE
from tests.people.player import Player, checked
from tools.warm_processes import WarmProcess

CLEARED = b"\x1b[H\x1b[2J\x1b[3J"
COUP = (
    "play",
    "coup",
    "--num-players",
    "3",
    "--seat",
    "human",
    "--seat",
    "bot:steady",
    "--seat",
    "bot:random",
    "--seed",
    "5",
    "--speed",
    "0",
    "--max-turns",
    "8",
)
QUOTES = ("play", "dixiquote", "--num-players", "4", "--max-rounds", "4", "--target-score", "50", "--seed", "8", "--speed", "0")


def cards_of(value: Any) -> dict[str, str]:
    """The situations anywhere in a view, by id."""
    if isinstance(value, dict):
        own = {value["id"]: value["text"]} if {"id", "text"} <= value.keys() else {}
        return own | {name: text for part in value.values() for name, text in cards_of(part).items()}
    return {name: text for part in value for name, text in cards_of(part).items()} if isinstance(value, list) else {}


def test_two_people_hand_the_terminal_over_and_never_see_each_others_cards(tmp_path: Path) -> None:
    seats = ("--seat", "human", "--seat", "bot:random", "--seat", "human", "--seat", "bot:random")
    player = Player(*QUOTES, *seats, "--max-rounds", "3", "--log", "match.jsonl", folder=tmp_path, width=80, height=24)
    assert player.play(random.Random(2), text="A quiet line") == 0, player.text
    checked(tmp_path / "match.jsonl")
    known: dict[int, dict[str, str]] = {0: {}, 2: {}}
    for view in views_of(tmp_path / "match.jsonl"):
        if view["seat"] in known:
            known[view["seat"]] |= cards_of(view)
    parts = re.split(rb"Pass the keyboard to \x1b\[[0-9;]*mhuman (\d)", player.raw)
    turns = [(2 * int(person) - 2, shown) for person, shown in zip(parts[1::2], parts[2::2], strict=True)]
    assert {seat for seat, _ in turns} == {0, 2}
    for before in parts[:-1:2]:
        assert before.rstrip().endswith(CLEARED), "the screen and what has scrolled off it are cleared before the next person"
    for seat, shown in turns:
        other = 2 - seat
        hidden = known[other].items() - known[seat].items()
        assert hidden
        secret = shown.split(b"press Enter", 1)[1].decode("utf-8", "replace")
        assert CLEARED in shown
        assert not [name for name, text in hidden if name in secret or text[:20] in secret], f"P-{seat} sees P-{other}'s cards"


def views_of(path: Path) -> list[dict[str, Any]]:
    """The view of each question of a log."""
    log = read_log(path)
    return [log.expand(question["view"]) for question in whole_questions(log)]


# -- leaving and coming back ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leave", ["\x03", "q\r", "half a line\x04", "TERM", "gone"])
def test_whoever_leaves_can_come_back(leave: str, tmp_path: Path) -> None:
    player = Player(*COUP, "--log", "match.jsonl", folder=tmp_path, width=60, height=24)
    assert player.prompt()
    if leave == "TERM":
        player.type("half a line")
        os.kill(player.pid, signal.SIGTERM)
    elif leave != "gone":
        player.type(leave)
    assert (player.hung_up() if leave == "gone" else player.ended()) == Exit.PAUSED, player.text
    if leave != "gone":
        assert player.modes() == player.modes_before
        assert "`tabletop resume match.jsonl`" in player.text.replace("\n", "")
        assert player.raw.count(b"\x1b[?2004h") == player.raw.count(b"\x1b[?2004l")
        assert player.raw.rfind(b"\x1b[?25h") >= player.raw.rfind(b"\x1b[?25l")
    if leave == "half a line\x04":
        again = Player("resume", "match.jsonl", "--speed", "0", folder=tmp_path, width=60, height=24)
        assert again.prompt()
        again.type("l")
        again.wait_for("-- any key")
        again.say("")
        again.settle()
        assert b"The cards are shuffled" in again.raw, "the story so far is told again"
        assert again.play(random.Random(3)) == 0, again.text
        assert again.modes() == again.modes_before
    else:
        assert tabletop(tmp_path, "resume", "match.jsonl", "--seat", "P-0=bot:steady", "--quiet").returncode == 0
    kinds = [record["kind"] for record in checked(tmp_path / "match.jsonl")]
    assert [kinds.count(kind) for kind in ("pause", "resumed", "result")] == [1, 1, 1]


def test_a_person_takes_over_a_seat_in_a_fork_and_a_bot_takes_theirs(tmp_path: Path) -> None:
    bots = [word for _ in range(3) for word in ("--seat", "bot:steady")]
    tabletop(tmp_path, "play", "coup", "--num-players", "3", *bots, "--seed", "3", "--quiet", "--log", "match.jsonl")
    player = Player(
        "fork", "match.jsonl", "--at", "4", "--speed", "0", "--seat", "P-1=human", "--log", "fork.jsonl", folder=tmp_path
    )
    assert player.prompt()
    player.type("q\r")
    assert player.ended() == Exit.PAUSED
    done = tabletop(tmp_path, "resume", "fork.jsonl", "--seat", "P-1=bot:random", "--quiet")
    assert done.returncode == 0, done.stderr
    header = checked(tmp_path / "fork.jsonl")[0]
    assert [seat["kind"] for seat in header["seats"]] == ["bot", "human", "bot"]


def test_models_think_while_a_person_types(tmp_path: Path) -> None:
    seats = ("--seat", "human", "--seat", "offline", "--seat", "bot:random", "--seat", "offline")
    player = Player(*QUOTES, *seats, "--log", "match.jsonl", folder=tmp_path, width=80, height=30)
    rng, log = random.Random(1), tmp_path / "match.jsonl"
    while (prompt := player.prompt()) and "Submit the situation" not in player.text:
        player.answer(prompt, rng, "A line")
    player.type("1")  # half an answer
    end = time.monotonic() + PATIENCE
    while len(waiting := asked_together(log)) < 3 or not all(waiting.values()):
        assert time.monotonic() < end, waiting
        player._pump()
    player.type("\x03")
    assert player.ended() == Exit.PAUSED


def asked_together(path: Path) -> dict[int, bool]:
    """Which other seats are asked to submit in the last round so far, and whether they have answered."""
    records = [record for _, record in read_sound_part(path).records]
    questions = {r["question"]: r["seat"] for r in records if r["kind"] == "question" and r["role"] == "submitter"}
    answered = {r["question"] for r in records if r["kind"] == "attempt" and r["outcome"] == "answer"}
    return {seat: number in answered for number, seat in questions.items() if seat}


# -- terminals that can do less, and none --------------------------------------------------------------------------------


STREAMS = """
import sys
for stream in (sys.stdin, sys.stdout, sys.stderr):
    stream.reconfigure(encoding="ascii", errors="replace")
sys.argv[:2] = ["tabletop"]
from runner.__main__ import main
main()
"""
"""The command with the streams that Python has where PYTHONIOENCODING is `ascii:replace`."""


@pytest.mark.parametrize("limits", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"PYTHONIOENCODING": "ascii:replace"}], ids=str)
def test_a_match_is_played_on_a_terminal_that_can_do_less(
    limits: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In tests/screen/test_terminals.py, Python itself finds out what the terminal knows."""
    is_ascii = "PYTHONIOENCODING" in limits
    monkeypatch.setattr("tests.screen.terminal.WarmProcess", partial(WarmProcess, is_python=is_ascii))
    start, env = (("-c", STREAMS), {}) if is_ascii else ((), limits)
    words = (*start, *COUP[:-1], "5", "--log", "match.jsonl")
    player = Player(*words, folder=tmp_path, width=80, height=24, **env)
    wrong = ("999", "nonsense", "\x1b[A", "?", "u")
    assert player.play(random.Random(1), wrong=wrong) == 0, player.text
    checked(tmp_path / "match.jsonl")
    assert player.modes() == player.modes_before
    assert player.raw.isascii() or not is_ascii
    if "TERM" in limits:
        assert b"\x1b" not in player.raw
    if "NO_COLOR" in limits:
        assert not re.search(rb"\x1b\[[0-9;]*(3|4|9)[0-9]m", player.raw)


def piped(folder: Path, lines: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The finished command that reads these lines from a pipe."""
    given, typed = os.pipe()
    process = WarmProcess(words, folder, environment(), stdin=given)
    os.close(given)
    with open(typed, "w", encoding="utf-8") as pipe:
        pipe.write(lines)
    output, errors = process.communicate(90)
    return subprocess.CompletedProcess(words, process.wait(), output, errors)


def test_a_script_answers_line_by_line_and_the_end_of_its_lines_pauses(tmp_path: Path) -> None:
    done = piped(tmp_path, "nonsense\n?\n1\n1\n", *COUP, "--log", "match.jsonl")
    assert done.returncode == Exit.PAUSED
    assert done.stdout == ""
    assert "There is no" in done.stderr
    assert "human has left the table" in complaint(done)
    assert "\x1b" not in done.stderr
    (tmp_path / "answers").write_text("1\n" * 500)
    with (tmp_path / "answers").open() as answers:
        process = WarmProcess(("resume", "match.jsonl"), tmp_path, environment(), stdin=answers.fileno())
        output, errors = process.communicate(90)
    assert process.returncode == 0, errors
    assert output.startswith("Coup: result")
    assert {r["outcome"] for r in checked(tmp_path / "match.jsonl") if r["kind"] == "attempt"} == {"answer"}


def test_where_nobody_is_there_the_match_pauses(tmp_path: Path) -> None:
    done = tabletop(tmp_path, *COUP, "--quiet", "--log", "match.jsonl")
    assert done.returncode == Exit.PAUSED
    assert complaint(done).endswith("Resume it with `tabletop resume match.jsonl`.")


# -- what is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*COUP, "--view", "all"), "--view all shows more than human may know: use human or public."),
        (("play", "coup", "--seat", "Ann=human", "--view", "all"), "more than Ann may know: use Ann or public."),
        ((*COUP, "--view", "P-1"), "--view P-1 shows more than human may know"),
        (
            (*COUP[:6], "--seat", "human", "--view", "P-0"),
            "--view P-0 shows more than human 1 and human 2 may know: use public.",
        ),
        (("play", "coup", "--seat", "human+pack:."), 'The seat "human" is a person, which reads no prompts'),
        (("tournament", "plan.toml"), 'The seat "human" is a person at the terminal'),
        (("prompts", "compare", "coup", "built-in", "built-in", "--seat", "human"), "only models get prompts"),
    ],
)
def test_what_people_cannot_do_is_refused_in_a_sentence(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('games = ["coup"]\nagents = ["human", "bot:random"]\n')
    done = tabletop(tmp_path, *words)
    assert done.returncode == Exit.USAGE, done.stderr
    assert said in complaint(done)
