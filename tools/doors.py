"""Doors: each integration tried from wheels, in a fresh environment, by its page alone: `python -m tools.doors [NAME ...]`.

What is run is what the section of the page says: its first `pip install`, then its blocks of the kinds `sh` and `python`, in an
empty folder. The time of each door is printed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tools.examples import ROOT

WHEELS = ROOT / "build" / "wheels"
PACKAGES = (ROOT, ROOT / "integrations" / "verifiers", ROOT / "integrations" / "openenv")
_INSTALL = re.compile(r"pip install (?!--)(?:'[^']+'|[\w.-]+)(?: (?:'[^']+'|[\w.-]+))*")
_BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Door(NamedTuple):
    """Sections of a page: what they say is enough to use another library."""

    page: str
    headings: tuple[str, ...]


DOORS = {
    "verifiers": Door("docs/python.md", ("### verifiers",)),
    "openenv": Door("docs/python.md", ("### OpenEnv",)),
    "learning": Door("docs/python.md", ("### PettingZoo", "### Gymnasium")),
    "openspiel": Door("docs/python.md", ("### OpenSpiel",)),
}


def text_of(door: Door) -> str:
    """The text of a door's sections, each up to the next heading of its level."""
    page, found = (ROOT / door.page).read_text(encoding="utf-8"), []
    for heading in door.headings:
        _, is_there, rest = page.partition(f"\n{heading}\n")
        assert is_there, f"{door.page} has no {heading}"
        found.append(re.split(rf"^#{{1,{heading.index(' ')}}} (?=\S)", rest, maxsplit=1, flags=re.MULTILINE)[0])
    return "\n".join(found)


def steps(text: str) -> tuple[str, list[list[str]]]:
    """What sections say to install, and its commands."""
    install = _INSTALL.search(text)
    assert install, "the section says nothing of pip install"
    runs = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": ["python", "-c"]}
    blocks = ((kind, re.sub(rf"^{re.escape(install[0])}.*\n", "", code)) for kind, code in _BLOCK.findall(text))
    return install[0], [[*runs[kind], code] for kind, code in blocks if code.strip()]


def build(folder: Path) -> None:
    """Build the wheels of all packages of the project."""
    shutil.rmtree(folder, ignore_errors=True)
    for package in PACKAGES:
        _run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(package)], ROOT)


def tried(door: Door, wheels: Path) -> tuple[float, float]:
    """The seconds that installing and using a door take, with the wheels of a folder. CalledProcessError where the page is
    wrong."""
    install, commands = steps(text_of(door))
    with tempfile.TemporaryDirectory(prefix="tabletop-door-") as name:
        folder, place = Path(name), Path(name) / "environment"
        (folder / "empty").mkdir()
        pins = folder / "wheels.txt"
        built = [path.name.split("-")[:2] for path in wheels.glob("*.whl")]
        pins.write_text("".join(f"{package}=={version}\n" for package, version in built), encoding="utf-8")
        began = time.monotonic()
        _run([sys.executable, "-m", "venv", str(place)], folder)
        _run(
            ["bash", "-euc", f"python -m {install}"],
            folder / "empty",
            place,
            PIP_FIND_LINKS=str(wheels),
            PIP_CONSTRAINT=str(pins),
        )
        installed = time.monotonic()
        for command in commands:
            _run(command, folder / "empty", place)
        return installed - began, time.monotonic() - installed


def _run(command: list[str], folder: Path, environment: Path | None = None, **variables: str) -> None:
    path = os.environ["PATH"] if environment is None else f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    known = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    quiet = {"PIP_QUIET": "3", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        command, cwd=folder, env={**known, **quiet, **variables, "PATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.stderr.write(f"{done.stdout}{done.stderr}")
    done.check_returncode()


def main() -> None:
    """Try the doors that are named, or all."""
    build(WHEELS)
    for name in sys.argv[1:] or DOORS:
        try:
            installing, using = tried(DOORS[name], WHEELS)
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"{name}: {' '.join(error.cmd)} ended with {error.returncode}") from None
        sys.stdout.write(f"{name:12} installed in {installing:3.0f} s, its page run in {using:3.0f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
