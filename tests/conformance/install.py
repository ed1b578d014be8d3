"""Installs the stand-in servers of others below a folder, each by itself: `python -m tests.conformance.install FOLDER`.

One that cannot be installed is named, and is no error.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NPM = {"aimock": "@copilotkit/aimock", "mock-llm": "@dwmkerr/mock-llm"}
PYPI = {"llmock": "llmock", "litellm": "litellm[proxy]", "fakellm": "fakellm", "xllamacpp": "xllamacpp"}


def main(folder: Path) -> None:
    """Install what is missing, and name what cannot be installed."""
    for name, package in NPM.items():
        _install(folder / name, ["npm", "install", "--no-fund", "--no-audit", "--ignore-scripts", "--prefix", "{}", package])
    for name, package in PYPI.items():
        _install(folder / name, [sys.executable, "-m", "venv", "{}"], ["{}/bin/python", "-m", "pip", "install", package])


def _install(place: Path, *commands: list[str]) -> None:
    if not place.exists() and not all(_succeeds(command) for command in _filled(place, commands)):
        sys.stdout.write(f"{place.name}: cannot be installed here\n")


def _filled(place: Path, commands: tuple[list[str], ...]) -> Iterator[list[str]]:
    for command in commands:
        yield [word.replace("{}", str(place)) for word in command]


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    main(Path(sys.argv[1]))
