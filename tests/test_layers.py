"""The layers of the house: who may import whom, what rules may touch, and what a command may load."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import games

ROOT = Path(__file__).parent.parent

PURE = {
    *("__future__", "abc", "bisect", "collections", "dataclasses", "enum", "fractions", "functools", "games"),
    *("hashlib", "heapq", "itertools", "json", "math", "operator", "re", "string", "types", "typing", "unicodedata"),
}
"""What rules may import: themselves, the reader of decks, and modules that neither see nor touch the world."""

REGISTRY = "games/__init__.py"
REGISTRY_ONLY = {"importlib"}
IMPURE = {"open", "print", "input", "eval", "exec", "compile", "breakpoint", "__import__", "globals"}
SHOWS = "runner/export/"
"""What turns a log into pages and recordings, and so draws."""

NETWORK = {"openai", "httpx2", "aiohttp"}

TOLD = """\
import sys, runner.__main__
try:
    runner.__main__.main()
finally:
    print(*sorted({'openai', 'httpx2', 'aiohttp'} & set(sys.modules)), 'loaded')
"""


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> set[str]:
    """The modules a file imports, dotted; what it takes out of a module counts as a module too."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(path)}: imports are absolute"
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return found


def comes_from(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def words(path: Path) -> Iterator[str]:
    """Every name and string of a file but for its docstrings, which may give examples."""
    module = tree(path)
    docstrings = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
    yield from imports(path)


@pytest.mark.parametrize("path", sources("games"), ids=named)
def test_rules_import_nothing_that_touches_the_world(path: Path) -> None:
    allowed = PURE | (REGISTRY_ONLY if named(path) == REGISTRY else set())
    assert {module.split(".")[0] for module in imports(path)} <= allowed


@pytest.mark.parametrize("path", sources("games"), ids=named)
def test_rules_call_nothing_that_touches_the_world(path: Path) -> None:
    names = {node.id for node in ast.walk(tree(path)) if isinstance(node, ast.Name)}
    assert not names & IMPURE


def test_a_game_imports_no_other_game() -> None:
    for path in sources("games"):
        room = path.relative_to(ROOT).parts[1]
        others = [name for name in games.names() if name != room]
        assert not [m for m in imports(path) for name in others if comes_from(m, f"games.{name}")], path


@pytest.mark.parametrize("path", sources("runner"), ids=named)
def test_the_runner_names_no_game(path: Path) -> None:
    for name in games.names():
        if path == ROOT / "runner" / "screen" / f"{name}.py":
            continue
        pattern = re.compile(rf"(?<![a-z]){name}(?![a-z])", re.IGNORECASE)
        assert not [word for word in words(path) if pattern.search(word)]


def test_what_all_prompts_share_names_no_game() -> None:
    for path in (ROOT / "prompts" / "shared").glob("*.j2"):
        for name in games.names():
            title = games.load(name).title
            assert not re.search(rf"\b({name}|{title})\b", path.read_text(encoding="utf-8"), re.IGNORECASE), path


@pytest.mark.parametrize("room", ["agents", "arena", "llm", "match", "prompting", "record"])
def test_what_does_the_work_knows_neither_screen_nor_command(room: str) -> None:
    for path in sources(f"runner/{room}"):
        above = {module for module in imports(path) if comes_from(module, "runner.screen") or comes_from(module, "runner.cli")}
        assert not above or named(path).startswith(SHOWS), path


def test_the_client_of_models_knows_nothing_of_matches() -> None:
    for path in sources("runner/llm"):
        foreign = {m for m in imports(path) if comes_from(m, "runner") and not comes_from(m, "runner.llm")}
        assert not foreign | {m for m in imports(path) if comes_from(m, "games")}, path


def test_only_the_client_of_models_touches_the_network() -> None:
    for path in sources("runner"):
        if not named(path).startswith("runner/llm/"):
            assert not {module.split(".")[0] for module in imports(path)} & NETWORK, path


def loaded_by(folder: Path, *words: str) -> str:
    """What of the network's packages a command loads, in words; the command has to do well."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    command = [sys.executable, "-c", TOLD, *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize("line", ["--help", "games", "play --help", *(f"rules {name}" for name in games.names())])
def test_looking_around_does_not_load_the_network(line: str, tmp_path: Path) -> None:
    assert loaded_by(tmp_path, *line.split()) == "loaded"


@pytest.mark.parametrize("name", games.names())
def test_a_match_between_bots_does_not_load_the_network(name: str, tmp_path: Path) -> None:
    seats = [word for _ in range(games.load(name).default_players) for word in ("--seat", "bot:steady")]
    assert loaded_by(tmp_path, "play", name, "--seed", "1", "--quiet", "--log", "match.jsonl", *seats) == "loaded"
    assert (tmp_path / "match.jsonl").is_file()
    assert loaded_by(tmp_path, "replay", "match.jsonl", "--verify") == "loaded"
    assert loaded_by(tmp_path, "replay", "match.jsonl", "--plain") == "loaded"
