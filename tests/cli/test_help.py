"""Every `--help` in one style, its examples taken by the command, and what the shell completes."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from runner.cli.app import PANELS, app
from runner.cli.lazy_groups import LazyGroup, command_of
from runner.match.header import package_version
from tests.cli.command import complaint, environment, tabletop
from tests.patience import PATIENCE

ORDER = (
    *("--num-players", "--seat", "--rules", "--seed", "--prompts", "--budget"),
    *("--view", "--speed", "--thoughts", "--plain", "--json-events", "--quiet", "--json"),
)
"""Options that several verbs have stand in this order in each."""


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with the words that call for it."""
    for name in group.lines():
        command = group.load(name)
        if isinstance(command, LazyGroup):
            yield from commands(command, (*path, name))
        yield (*path, name), command


ROOT = command_of(app, "tabletop")
COMMANDS = [pytest.param(path, command, id=" ".join(path)) for path, command in commands(ROOT)]
each_command = pytest.mark.parametrize(("path", "command"), COMMANDS)


def examples(command: Any) -> list[str]:
    """The examples of a help text, those of it that go through a pipe up to it."""
    _, told, line = re.sub(r"\s+", " ", command.help).partition("Example")
    assert told, "no example"
    text = re.sub(r"^s?: ", "", line)
    return [example.split(" | ")[0].strip() for example in text.split(" · ")]


@each_command
def test_help_says_what_it_does_with_an_example_that_works(path: tuple[str, ...], command: Any) -> None:
    first = command.help.split("\n")[0]
    assert first[0].isupper()
    assert first.endswith((".", ".\f"))
    for example in examples(command):
        words = shlex.split(example)
        assert words[0] == "tabletop"
        assert tuple(words[1 : 1 + len(path)]) == path, example
        rest, found = words[1 + len(path) :], command
        while isinstance(found, LazyGroup):
            found, rest = found.load(rest[0]), rest[1:]
        found.make_context(found.name, rest)


@each_command
def test_options_are_told_alike_and_in_the_same_order(path: tuple[str, ...], command: Any) -> None:
    options = [param for param in command.params if param.param_type_name == "option"]
    for param in options:
        assert param.help, param.name
        assert param.help[0].isupper() or param.help[0] in "`-" or len(path) > 1, param.help
        assert param.help[-1] in ".]", param.help
    shared = [param.opts[0] for param in options if param.opts[0] in ORDER]
    assert shared == sorted(shared, key=ORDER.index)
    for param in command.params:
        assert param.param_type_name == "option" or param.metavar, f"{param.name} has no word of its own"


def completed(folder: Path, line: str) -> list[str]:
    """What bash is told to complete at the end of a line."""
    env = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1), "_TABLETOP_COMPLETE": "complete_bash"}
    done = tabletop(folder, **env)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_shell_completes_verbs_games_options_seats_logs_and_views(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "one[1].jsonl").touch()
    (tmp_path / "agents.toml").write_text('[quick]\nmodel = "m"\nbase_url = "http://127.0.0.1:1/v1"\n')
    assert completed(tmp_path, "tabletop pl") == ["play"]
    assert completed(tmp_path, "tabletop play c") == ["cat_in_the_box", "coup"]
    assert "--num-players" in completed(tmp_path, "tabletop play coup --n")
    assert completed(tmp_path, "tabletop play coup --seat q") == ["quick"]
    assert completed(tmp_path, "tabletop resume logs/one[1].jsonl --seat P-1=h") == ["P-1=human"]
    assert completed(tmp_path, "tabletop play dixiquote --scoring r") == ["revised"]
    assert completed(tmp_path, "tabletop rules d") == ["dixiquote"]
    assert completed(tmp_path, "tabletop replay ") == ["logs/one[1].jsonl"]
    assert completed(tmp_path, "tabletop watch logs/one[") == ["logs/one[1].jsonl"]
    assert completed(tmp_path, "tabletop watch x --view pu") == ["public"]
    assert completed(tmp_path, "tabletop prompts ren") == ["render"]


def test_completion_can_be_installed() -> None:
    words = [sys.executable, "-m", "runner", "--show-completion", "bash"]
    named = environment(_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")  # there may be no shell above a test
    done = subprocess.run(words, env=named, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert "_TABLETOP_COMPLETE=complete_bash" in done.stdout
    assert isinstance(app, typer.Typer)


def test_long_help_has_its_options_under_headings_and_few_of_them(tmp_path: Path) -> None:
    told = tabletop(tmp_path, "play", "coup", "--help", COLUMNS="80").stdout
    headings = re.findall(r"^(\S.*):$", told, re.MULTILINE)
    assert headings == ["Players", "Rules of the game", "Models and money", "Watching", "Files and results", "Rare"]
    assert max(map(len, told.splitlines())) <= 80
    for path, command in commands(ROOT):
        options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
        shared = [param for param in options if param.rich_help_panel is None]
        assert len(shared) <= {"play": 22, "tournament": 44, "export": 18, "exam": 17}.get(path[0], 16), path


def test_verbs_stand_under_headings(tmp_path: Path) -> None:
    told = tabletop(tmp_path, "--help").stdout
    assert re.findall(r"^(\S.*):$", told, re.MULTILINE) == [*PANELS, "Options"]


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("", "--help"),
        ("help", "--help"),
        ("help play", "play --help"),
        ("help prompts ask", "prompts ask --help"),
        ("play help", "play --help"),
    ],
)
def test_help_is_a_word_too(words: str, same: str, tmp_path: Path) -> None:
    done, other = tabletop(tmp_path, *words.split()), tabletop(tmp_path, *same.split())
    assert (done.returncode, done.stdout, done.stderr) == (0, other.stdout, "")
    assert done.stdout.startswith("Usage: tabletop")


def test_play_asks_for_a_game(tmp_path: Path) -> None:
    assert tabletop(tmp_path, "play", "--help").stdout.startswith("Usage: tabletop play GAME [OPTIONS]\n")


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    done = tabletop(tmp_path, "--version")
    assert (done.returncode, done.stdout) == (0, f"tabletop {package_version()}\n")


def test_the_name_of_a_game_plays_it(tmp_path: Path) -> None:
    words = ("coup", "--seat", "bot:random", "--seat", "bot:random", "--seed", "1", "--json", "--quiet")
    done, other = (tabletop(tmp_path, *more, *words, "--log", f"{len(more)}.jsonl") for more in ((), ("play",)))
    assert (done.returncode, done.stdout) == (0, other.stdout)
    assert tabletop(tmp_path, "coup", "--num-players", "9").returncode == 2
    assert complaint(tabletop(tmp_path, "chess")).startswith('tabletop: There is no command "chess": choose one of play, ')
