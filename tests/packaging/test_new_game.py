"""The skeleton of a game, installed as a package of its own: every verb plays it, and its tests find faults."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import ROOT, complaint, environment, tabletop
from tests.packaging.installed import install, on_path
from tests.patience import PATIENCE
from tools.warm_processes import WarmProcess

NAME = "high_card"
SEATS = ("--seat", "bot:steady", "--seat", "offline", "--seat", "bot:random")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("author")
    done = tabletop(folder, "new-game", NAME)
    assert (done.returncode, done.stderr) == (0, "")
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert written == {line for line in done.stdout.splitlines() if line.startswith(NAME)}
    return folder / NAME


@pytest.fixture(scope="module")
def site(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("site")
    install(package, folder)
    with on_path(folder):
        yield folder


@pytest.fixture(scope="module")
def played(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    done = tabletop(folder, "play", NAME, *SEATS, "--seed", "7", "--tricks", "2", "--log", "m.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["game"] == NAME
    return folder


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("games",), "high_card       2-4"),
        (("rules", NAME), "# High Card"),
        (("rules", NAME, "--phases"), "Card Choice"),
        (("play", NAME, "-h"), "--tricks"),
        (("replay", "m.jsonl", "--verify"), "Sound: 6 decisions replay as logged"),
        (("replay", "m.jsonl", "--plain"), "takes the trick"),
        (("replay", "m.jsonl", "--plain", "--view", "P-1"), "(only offline) offline chooses"),
        (("logs", "."), "high_card"),
        (("export", "m.jsonl", "--html", "-o", "-"), "High Card"),
        (("export", "m.jsonl", "--markdown", "-o", "-"), "takes the trick"),
        (("fork", "m.jsonl", "--at", "3", "--seat", "P-1=bot:steady", "--log", "f.jsonl", "-q"), "wins"),
        (("prompts", "list", NAME), "high_card/player.j2"),
        (("prompts", "show", NAME, "player"), "shared/answer.j2"),
        (("prompts", "render", "m.jsonl", "--at", "2"), "Which card do you play?"),
        (("prompts", "new", "mine", NAME), "mine/high_card/player.j2"),
        (
            ("tournament", "--game", NAME, "--seat", "bot:steady,bot:random", "--deals", "1", "-o", "t", "-q"),
            "6 of 6 matches",
        ),
        (("doctor", "--seat", "offline"), "High Card: rules version 1, 1 prompts"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_verb_works_with_the_game(played: Path, words: tuple[str, ...], expected: str) -> None:
    done = tabletop(played, *words)
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_the_prompts_of_the_game_have_no_faults(played: Path) -> None:
    done = tabletop(played, "prompts", "lint", "--game", NAME, "--matches", "1")
    assert done.returncode == 0, done.stderr
    assert "no faults" in done.stdout
    assert "no notes" in done.stdout


def test_the_page_on_writing_a_game_shows_parts_of_the_skeleton(package: Path) -> None:
    page = (ROOT / "docs" / "writing-a-game.md").read_text(encoding="utf-8")
    shown = re.findall(r'^```\w+ title="high_card/(\S+)"\n(.*?)^```$', page, re.DOTALL | re.MULTILINE)
    assert len(shown) == 6
    for name, text in shown:
        whole = (package / name).read_text(encoding="utf-8")
        assert [part for part in re.split(r"\n *# …\n", text) if part.strip("\n") not in whole] == [], name


def test_a_name_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    for name, why in (
        ("coup", "There is a game"),
        ("json", "There is a Python package"),
        ("winreg", "There is a Python package"),
        ("class", "is a keyword of Python"),
        ("match", "is a keyword of Python"),
        ("High", "cannot be the name"),
        ("a__b", "cannot be the name"),
        ("../x", "cannot be the name"),
        ("x" * 41, "cannot be the name"),
    ):
        done = tabletop(tmp_path, "new-game", name)
        assert (done.returncode, why in complaint(done)) == (2, True), name
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert "exists already" in complaint(tabletop(tmp_path, "new-game", "fresh_game", "-o", "full"))
    assert not list(tmp_path.glob("*/*.toml"))


FAULTS = {
    "a choice that the wrong seat hears of": ("CARDS[move]}, (seat,))", "CARDS[move]}, ((seat + 1) % self.setup.players,))"),
    "a view that shows who has answered": ('"trick": self.round,', '"trick": self.round, "waits": list(self.pending),'),
    "a strike-out that nothing follows": (
        "return self.apply(seat, card, events)._replace(origin=(self, seat, STRIKE_OUT))",
        "return self._replace(origin=(self, seat, STRIKE_OUT))",
    ),
    "worlds that are the true state": ("return self._replace(hands=tuple(hands), chosen=tuple(cards))", "return self"),
    "worlds that ignore the own hand": (
        "own = set() if seat is None else {*self.hands[seat], self.chosen[seat]}",
        "own = set()",
    ),
    "worlds that ignore the cards played": ("if card not in played | own", "if card not in own"),
    "a schema with a value that nobody may answer": ("card = one_of([CARDS", 'card = one_of(["none"] + [CARDS'),
    "a bot that deals the seed again": (
        "is_strong = cards[-1].move >= len(CARDS) - 4",
        "is_strong = sum(map(sum, type(state).begin(state.setup.players, state.setup.seed).hands[:seat])) % 2",
    ),
    "a bot that loses on purpose": ("return cards[-1] if is_strong or is_last else cards[-2]", "return cards[0]"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_tests_of_a_game_find_a_fault(fault: str, package: Path, tmp_path: Path) -> None:
    before, after = FAULTS[fault]
    copied = tmp_path / NAME
    subprocess.run(["cp", "-r", str(package / NAME), str(copied)], check=True)
    at = copied / ("bots.py" if "bot" in fault else "state.py")
    source = at.read_text(encoding="utf-8")
    assert source.count(before) == 1
    at.write_text(source.replace(before, after), encoding="utf-8")
    run = "import sys, pytest; sys.exit(pytest.main(sys.argv[2:]))"
    process = WarmProcess(("-c", run, *how(package / "tests")), tmp_path, variables(tmp_path), is_python=True)
    output, errors = process.communicate(PATIENCE)
    assert (process.wait(), errors) == (1, ""), output


def test_the_tests_of_the_skeleton_pass(package: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *how(package / "tests")],
        cwd=package,
        env=variables(package),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout


def how(tests: Path) -> tuple[str, ...]:
    """Until the first failure, and without settings and plug-ins of others."""
    return ("-q", "-x", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(tests), str(tests))


def variables(folder: Path) -> dict[str, str]:
    """The package in the folder is found."""
    return environment(PYTHONPATH=f"{folder}:{ROOT}", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
