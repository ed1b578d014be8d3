"""Broken packages: each is named with its reason, and harms neither our games nor those of others."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

import games
from runner.workshop.new_pack import start_game
from tests.cli.command import complaint, tabletop
from tests.packaging.installed import on_path, write_package

BROKEN = {
    "raising": ("raise RuntimeError('no board')", "RuntimeError: no board"),
    "leaving": ("import sys; sys.exit(3)", "SystemExit: 3"),
    "incomplete": ("import a_module_that_is_missing", "No module named 'a_module_that_is_missing'"),
    "unwritten": ("GAME = = 1", "SyntaxError"),
    "number": ("GAME = 7", "number:GAME is a value of type int, not a Game"),
    "nameless": ("", "has no attribute 'GAME'"),
    "coloured": ("raise RuntimeError('\\x1b[31mred')", "RuntimeError"),
    "talking": ("print('a word'); raise RuntimeError('quiet')", "RuntimeError: quiet"),
    "renamed": ("from games.coup import GAME", 'its Game has the name "coup"'),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("site")
    for name, (source, _) in BROKEN.items():
        write_package(folder, name, source)
    write_package(folder, "coup", "from games.coup import GAME", package="other_coup")
    write_package(folder, "Bad Name", "raise RuntimeError('never loaded')", package="bad_name")
    start_game(folder / "package", "high_card")
    source = folder / "package" / "high_card"
    source.rename(folder / "high_card")
    write_package(folder, "high_card", (folder / "high_card" / "__init__.py").read_text(encoding="utf-8"))
    with on_path(folder):
        yield folder


def test_every_broken_game_is_named_with_its_reason(site: Path, tmp_path: Path) -> None:
    done = tabletop(tmp_path, "games")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == [*games.registry.OWN[:3], "high_card", "oriflamme"]
    lines = done.stderr.splitlines()
    for name, (_, reason) in BROKEN.items():
        found = [line for line in lines if f'The game "{name}" of the package "tabletop-{name}" cannot be used' in line]
        assert len(found) == 1, name
        assert reason in found[0]
    assert any("other_coup" in line and "a game of tabletop itself" in line for line in lines)
    assert any("bad_name" in line and "lower-case letters" in line for line in lines)
    assert "Traceback" not in done.stderr
    assert ("\x1b" in done.stderr, "a word" in done.stdout) == (False, False)


def test_doctor_shows_where_a_package_failed(site: Path, tmp_path: Path) -> None:
    done = tabletop(tmp_path, "doctor", "--no-trial", "--seat", "bot:steady")
    assert done.returncode == 5
    assert "raise RuntimeError('no board')" in done.stdout
    assert "ok    High Card" in done.stdout


def test_a_broken_game_cannot_be_played_and_others_can(site: Path, tmp_path: Path) -> None:
    done = tabletop(tmp_path, "play", "raising")
    assert (done.returncode, "RuntimeError: no board" in complaint(done)) == (5, True)
    assert "lower-case letters" in complaint(tabletop(tmp_path, "play", "Bad Name"))
    for name in ("coup", "high_card"):
        done = tabletop(tmp_path, "play", name, "--seat", "bot:random", "--seat", "bot:steady", "-q", "--json")
        assert done.returncode == 0, done.stderr
    assert games.load("coup").state_type.__module__ == "games.coup.state"


@pytest.mark.parametrize(
    "table",
    [
        "raise ImportError('no paint')",
        "def table(view, own, names): return view['no paint']",
        "from games.core.scene import *\ndef table(view, own, names): return Scene(names, (Table((), (Row(((),)),)),))",
    ],
)
def test_a_table_that_fails_is_replaced_by_a_plain_one(table: str, tmp_path: Path) -> None:
    start_game(tmp_path / "package", "paintless")
    (tmp_path / "package" / "paintless").rename(tmp_path / "paintless")
    source = (tmp_path / "paintless" / "__init__.py").read_text(encoding="utf-8")
    write_package(tmp_path, "paintless", source, table=table)
    with on_path(tmp_path):
        seats = ("--seat", "bot:steady", "--seat", "bot:random")
        played = tabletop(tmp_path, "play", "paintless", *seats, "--seed", "7", "-q", "--json", "--log", "m.jsonl")
        assert played.returncode == 0, played.stderr
        picture = tabletop(tmp_path, "export", "m.jsonl", "--svg", "--at", "1", "-o", "-")
        assert picture.returncode == 0, picture.stderr
        assert "The game's own table does not work" in unescape(picture.stdout).replace("\xa0", " ")
        written = tabletop(tmp_path, "export", "m.jsonl", "--html", "-o", "-")
        assert written.returncode == 0, written.stderr
        assert "The game's own table does not work" in written.stdout
        checked = tabletop(tmp_path, "doctor", "--no-trial", "--seat", "bot:steady")
        assert (checked.returncode, "Traceback" in checked.stdout) == (5, True)
        assert "its table does not work" in checked.stdout
