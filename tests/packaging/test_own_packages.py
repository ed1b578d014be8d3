"""Shadowed packages are named: another `games` on the path, another distribution with the same names, two installations."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from runner.cli import own_packages
from tests.cli.command import ROOT, complaint, environment


def test_packages_of_this_checkout_are_its_own() -> None:
    assert own_packages.foreign_packages() == []


def test_a_command_with_another_games_package_on_its_path_names_it(tmp_path: Path) -> None:
    other = tmp_path / "games"
    other.mkdir()
    (other / "__init__.py").touch()
    words, variables = (sys.executable, "-m", "runner", "doctor"), environment(PYTHONPATH=f"{tmp_path}:{ROOT}")
    done = subprocess.run(words, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 5
    assert f"The package games is imported from {other}" in complaint(done)


def test_a_distribution_with_the_same_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_packages, "packages_distributions", lambda: {"games": ["tabletop-runner", "board-games"]})
    assert [sentence for sentence in own_packages.shared_packages() if "games is also part of board-games" in sentence]


def test_another_installation_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "runner").mkdir()
    (tmp_path / "runner" / "__init__.py").touch()
    installed = SimpleNamespace(locate_file=lambda name: tmp_path / name)
    monkeypatch.setattr(own_packages, "packages_distributions", dict)
    monkeypatch.setattr(own_packages, "distribution", lambda name: installed)
    assert [sentence for sentence in own_packages.shared_packages() if str(tmp_path) in sentence]
