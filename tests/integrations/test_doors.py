"""What `make doors` runs: each page says what to install, and has commands."""

from __future__ import annotations

import ast
import importlib
from importlib.util import find_spec

import pytest

from tools import doors


@pytest.mark.parametrize("name", doors.DOORS)
def test_a_page_says_what_to_install_and_what_to_run(name: str) -> None:
    install, commands = doors.steps(doors.text_of(doors.DOORS[name]))
    assert install.startswith("pip install ")
    assert commands
    assert not [code for *_, code in commands if "pip install" in code]


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    text = doors.text_of(doors.DOORS["learning"])
    assert "games.learning.gymnasium" in text
    assert "games.learning.openspiel" not in text


def test_what_the_packages_import_of_tabletop_is_there() -> None:
    """Their own tests run where their libraries are installed: this one names what a change of tabletop would break."""
    sources = [path for package in doors.PACKAGES[1:] for path in package.rglob("*.py")]
    nodes = [node for path in sources for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    found = [(str(node.module), one.name) for node in nodes if isinstance(node, ast.ImportFrom) for one in node.names]
    own = [(module, name) for module, name in found if module.split(".")[0] in ("games", "runner")]
    assert len(own) > 30
    assert [(module, name) for module, name in own if not is_there(module, name)] == []


def is_there(module: str, name: str) -> bool:
    return hasattr(importlib.import_module(module), name) or find_spec(f"{module}.{name}") is not None


def test_every_package_of_the_integrations_has_a_door() -> None:
    folders = {path.parent for path in (doors.ROOT / "integrations").glob("*/pyproject.toml")}
    assert folders == set(doors.PACKAGES[1:])
    assert {path.name for path in folders} <= doors.DOORS.keys()
