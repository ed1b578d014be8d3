"""What the wheel and the source package carry, built without a network."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.cli.command import environment
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
KINDS = {
    "games": {".py", ".md", ".typed"},
    "runner": {".py", ".html", ".css", ".js", ".json", ".md", ".png", ".svg", ".toml", ".txt", ".typed"},
    "prompts": {".j2", ".toml", ".md"},
    "decks": {".json"},
    "docs/skills": {".md"},
}
DATA = {"prompts": "runner/_data/prompts", "decks": "games/_data/decks", "docs/skills": "runner/_data/skills"}
"""Where the wheel has the folders that are no packages."""

BUILD = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]), b.build_sdist(sys.argv[1]))"
USE = """\
import games, runner
from games.core import decks
from runner.prompting.renderer import built_in_folder
assert decks.load("situations")["cards"]
print(built_in_folder(), *sorted(built_in_folder().glob("*/*.j2")), sep="\\n")
"""


def carried() -> set[str]:
    """What has to be in every package: the files of the rooms, whatever their kind."""
    found = {path for room in KINDS for path in (ROOT / room).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    return {path.relative_to(ROOT).as_posix() for path in found}


def in_wheel(name: str) -> str:
    """Where the wheel has a file."""
    room = room_of(name)
    return DATA.get(room, room) + name.removeprefix(room)


def room_of(name: str) -> str:
    return next(room for room in KINDS if name.startswith(f"{room}/"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-c", BUILD, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    wheel, source = done.stdout.split()
    return folder / wheel, folder / source


def test_the_wheel_carries_every_file_of_the_rooms_and_nothing_else(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        facts = {name.rpartition("/")[2]: wheel.read(name).decode() for name in wheel.namelist() if ".dist-info/" in name}
    assert names == {in_wheel(name) for name in carried()}
    assert {name.partition("/")[0] for name in names} == {"games", "runner"}
    assert "tabletop = runner.__main__:main" in facts["entry_points.txt"]


def test_an_unpacked_wheel_finds_its_prompts_and_decks(built: tuple[Path, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        wheel.extractall(tmp_path)
    env = environment() | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", USE], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folder, *templates = done.stdout.splitlines()
    assert Path(folder) == tmp_path / DATA["prompts"]
    assert len(templates) == len(list((ROOT / "prompts").glob("*/*.j2")))


def test_the_source_package_carries_what_a_developer_needs(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    house = {"pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "constraints.txt", ".env.example"}
    house |= {".ci/run", ".pre-commit-config.yaml", "mkdocs.yml", "docs/index.md", "tests/test_layers.py"}
    assert carried() | house <= names
    assert not {name for name in names if name.split("/")[0] in (".env", "logs", "tournaments") or "__pycache__" in name}


def test_rooms_hold_only_the_kinds_of_file_they_are_for() -> None:
    assert {name for name in carried() if not name.endswith(tuple(KINDS[room_of(name)]))} == set()


def test_every_dependency_has_an_exact_version_and_no_address() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", pin)] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["dev"]
    needed += project["build-system"]["requires"]
    have = {simple(pin.split("==")[0]) for pin in pins}
    assert {simple(re.split(r"[^\w.-]", name)[0]) for name in needed} <= have


def test_the_changelog_begins_with_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert next(version for version in versions if version != "Unreleased") == project["project"]["version"]


def test_the_citation_names_this_version_and_no_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    fields = dict(re.findall(r"^([\w-]+): *(.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"cff-version", "message", "title", "authors"} <= fields.keys()
    assert fields["version"] == project["project"]["version"]
    assert not {name for name in fields if name.startswith("license")}


def simple(name: str) -> str:
    """A distribution's name in its normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()
