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

ROOT = Path(__file__).parents[2]
KINDS = {
    "games": {".py", ".md"},
    "runner": {".py", ".html", ".css", ".js"},
    "prompts": {".py", ".j2", ".toml", ".md"},
    "decks": {".py", ".json"},
}
BUILD = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]), b.build_sdist(sys.argv[1]))"


def carried() -> set[str]:
    """What has to be in every package: the files of the rooms, whatever their kind."""
    found = {path for room in KINDS for path in (ROOT / room).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    return {path.relative_to(ROOT).as_posix() for path in found}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-c", BUILD, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    wheel, source = done.stdout.split()
    return folder / wheel, folder / source


def test_the_wheel_carries_every_file_of_the_rooms_and_nothing_else(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        facts = {name.rpartition("/")[2]: wheel.read(name).decode() for name in wheel.namelist() if ".dist-info/" in name}
    assert names == carried()
    assert "tabletop = runner.__main__:main" in facts["entry_points.txt"]


def test_the_source_package_carries_what_a_developer_needs(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    house = {"pyproject.toml", "README.md", "CONTRIBUTING.md", "Makefile", "constraints.txt", ".env.example", ".ci/run"}
    assert carried() | house | {"tests/test_layers.py"} <= names
    assert not {name for name in names if name.split("/")[0] in (".env", "logs", "tournaments") or "__pycache__" in name}


def test_rooms_hold_only_the_kinds_of_file_they_are_for() -> None:
    assert {name for name in carried() if Path(name).suffix not in KINDS[name.split("/")[0]]} == set()


def test_every_dependency_has_an_exact_version_and_no_address() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", pin)] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["dev"]
    needed += project["build-system"]["requires"]
    have = {simple(pin.split("==")[0]) for pin in pins}
    assert {simple(re.split(r"[^\w.-]", name)[0]) for name in needed} <= have


def simple(name: str) -> str:
    """A distribution's name in its normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()
