"""Packages beside tabletop: installed into a folder that a test puts on Python's path."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from games import registry, scenes
from runner import game_folders
from runner.prompting import renderer

_KEPT = (
    registry._entries,
    registry.load,
    registry.registered,
    scenes._script,
    game_folders.folder_of,
    renderer._installed_folders,
    renderer._built_in,
)
"""Functions that keep what they found out about the installed games."""


def install(package: Path, site: Path) -> None:
    """Install a package with pip, without a network."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run([*command, "--target", str(site), str(package)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def write_package(site: Path, game: str, source: str, value: str = "", package: str = "", table: str = "") -> None:
    """Write a package of one game, as pip would have installed it. `value` is that of its entry point."""
    module = package or game
    (site / module).mkdir(parents=True, exist_ok=True)
    (site / module / "__init__.py").write_text(source, encoding="utf-8")
    if table:
        (site / module / "table.py").write_text(table, encoding="utf-8")
    facts = site / f"tabletop_{module}-1.dist-info"
    facts.mkdir(exist_ok=True)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tabletop-{module}\nVersion: 1\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(f"[tabletop.games]\n{game} = {value or f'{module}:GAME'}\n", encoding="utf-8")


@contextmanager
def on_path(site: Path) -> Iterator[None]:
    """Python finds the packages of the folder, and forgets them afterwards."""
    before = set(sys.modules)
    with patch.object(sys, "path", [str(site), *sys.path]):
        _forget()
        try:
            yield
        finally:
            for name in set(sys.modules) - before:
                if str(site) in str(getattr(sys.modules[name], "__file__", "")):
                    del sys.modules[name]
    _forget()


def _forget() -> None:
    importlib.invalidate_caches()
    for function in _KEPT:
        function.cache_clear()
