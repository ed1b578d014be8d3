"""The layers of the code: who may import whom, what rules may touch, and what a command loads."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import games
from runner.cli.app import PANELS
from tests.patience import PATIENCE
from tools import import_graph
from tools.import_graph import ROOT, imported, syntax

PURE = {
    *(
        "__future__",
        "abc",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "games",
    ),
    *(
        "hashlib",
        "heapq",
        "itertools",
        "json",
        "math",
        "operator",
        "re",
        "statistics",
        "string",
        "types",
        "typing",
        "unicodedata",
    ),
}
"""What rules may import: themselves, and modules that neither see nor touch the world."""

READERS = {
    "games/registry.py": {"contextlib", "importlib", "sys"},
    "games/core/decks.py": {"importlib"},
    "games/core/scene.py": {"importlib"},
}
"""What reads the package itself: the registry its modules, which may print, the decks its data, scenes the table of a game."""

DOORS = {f"games/learning/{door}.py" for door in ("gymnasium", "openspiel", "pettingzoo")} | {
    f"games/openspiel/{module}.py" for module in ("lines", "loading")
}
"""Modules that import a library of somebody else's."""

IMPURE = {"open", "print", "input", "eval", "exec", "compile", "breakpoint", "__import__", "globals"}
NETWORK = {"openai", "httpx", "httpx2", "aiohttp"}
SERVER = {"mcp", "mcp_types", "starlette", "uvicorn"}
STARTERS = {
    "runner/child_processes.py",
    "runner/agents/program_agent.py",
    "runner/local/servers.py",
    "runner/cli/prompt_editor.py",
}
"""What starts processes: of tabletop itself, programs in seats, llama.cpp's server, the user's editor."""

VERBS = {name for verbs in PANELS.values() for name in verbs}
SAME_NAME = {"__init__", "__main__"}

LOADED = """\
import shlex, sys, runner.__main__
for line in sys.argv[1:]:
    sys.argv[1:] = shlex.split(line)
    try:
        runner.__main__.main()
    except SystemExit as end:
        assert not end.code, line
    print(line, 'loads', *sorted({'openai', 'httpx2', 'aiohttp', 'runner.local.servers'} & set(sys.modules)))
"""


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tops(path: Path) -> set[str]:
    """The top-level packages a file imports."""
    return {module.partition(".")[0] for module in imported(path)}


def is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@cache
def words(path: Path) -> Sequence[str]:
    """Every name and string of a file but for its docstrings, which may give examples."""
    return list(_words(path))


def _words(path: Path) -> Iterator[str]:
    docstrings = set[int]()
    for node in ast.walk(syntax(path)):  # a statement comes before what is in it
        if isinstance(node, ast.Expr):
            docstrings.add(id(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
    yield from imported(path)


def test_a_room_imports_only_from_rooms_before_it() -> None:
    assert import_graph.upward_imports() == []


def test_no_modules_import_one_another() -> None:
    assert import_graph.circles() == []


def test_imports_are_absolute() -> None:
    assert [named(path) for path in sources("games", "runner") if any(name.startswith(".") for name in imported(path))] == []


def allowed(name: str) -> set[str]:
    """What a module of `games` may import beside the pure modules."""
    return {"random", "signal", "sys"} if name.startswith("games/testing/") else READERS.get(name, set())


def test_rules_import_nothing_that_touches_the_world() -> None:
    rules = [path for path in sources("games") if named(path) not in DOORS]
    foreign = {named(path): tops(path) - PURE - allowed(named(path)) for path in rules}
    assert {name: found for name, found in foreign.items() if found} == {}


def test_rules_call_nothing_that_touches_the_world() -> None:
    called = {
        named(path): IMPURE & {node.id for node in ast.walk(syntax(path)) if isinstance(node, ast.Name)}
        for path in sources("games")
    }
    assert {name: found for name, found in called.items() if found} == {}


def test_a_game_imports_no_other_game() -> None:
    others = {path: set(games.names()) - {path.relative_to(ROOT).parts[1]} for path in sources("games")}
    assert [
        f"{named(path)}: {module}"
        for path, foreign in others.items()
        for module in imported(path)
        if any(is_in(module, f"games.{name}") for name in foreign)
    ] == []


def test_the_runner_names_no_game() -> None:
    pattern = re.compile(rf"(?<![a-z])({'|'.join(games.names())})(?![a-z])", re.IGNORECASE)
    found = [f"{named(path)}: {word[:60]}" for path in sources("runner") for word in words(path) if pattern.search(word)]
    assert found == []


def test_prompts_that_all_games_share_name_no_game() -> None:
    pattern = re.compile("|".join(rf"\b({name}|{games.load(name).title})\b" for name in games.names()), re.IGNORECASE)
    shared = sorted((ROOT / "prompts" / "shared").glob("*.j2"))
    assert [named(path) for path in shared if pattern.search(path.read_text(encoding="utf-8"))] == []


def test_only_the_llm_room_touches_the_network() -> None:
    others = [path for path in sources("runner") if not named(path).startswith("runner/llm/")]
    assert [named(path) for path in others if tops(path) & NETWORK] == []


def test_processes_are_started_in_one_place_a_kind() -> None:
    started = re.compile(
        r"\bPopen\(|\bsubprocess\.run\(|subprocess_exec\(|os\.(?:fork|exec|spawn|posix_spawn|system|popen)\w*\("
    )
    starters = {named(path) for path in sources("runner", "games") if started.search(path.read_text(encoding="utf-8"))}
    assert starters - {"runner/process_keeper.py"} == STARTERS
    assert [named(path) for path in sources("runner", "games") if "multiprocessing" in tops(path)] == []


def test_only_the_serve_room_serves_mcp() -> None:
    others = [path for path in sources("runner") if not named(path).startswith("runner/serve/")]
    assert [named(path) for path in others if tops(path) & SERVER] == []


def test_the_llm_room_knows_no_game() -> None:
    assert [named(path) for path in sources("runner/llm") if "games" in tops(path)] == []


def is_verb(path: Path) -> bool:
    """Whether a module holds a verb of the command."""
    return named(path).startswith("runner/cli/") and path.stem.replace("_", "-") in VERBS


def test_no_two_modules_of_the_runner_have_the_same_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sources("runner"):
        if path.stem not in SAME_NAME and not is_verb(path):
            places[path.stem].append(named(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


LISTINGS = ["--help", "games", "play --help", *(f"rules {name}" for name in games.names())]
BRIEF = {"cat_in_the_box": " --rounds 1", "coup": " --max-turns 2", "dixiquote": " --max-rounds 1"}


def matches(seat: str) -> Iterator[str]:
    """A match of each game with such seats, and its replays."""
    for name in games.names():
        log, seats = f"{name}-{seat.replace(':', '-')}.jsonl", f" --seat {seat}" * games.load(name).players[0]
        yield f"play {name} --seed 1 --quiet --log {log}{seats}{BRIEF.get(name, '')}"
        yield from (f"replay {log} --verify", f"replay {log} --plain")


def loads(folder: Path, lines: Sequence[str]) -> list[str]:
    """Which packages of the network commands have loaded, a line a command, all in one process; each has to do well."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    command = [sys.executable, "-c", LOADED, *lines]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith(tuple(f"{line} loads" for line in lines))]


@pytest.fixture(scope="module")
def loading(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What listings and matches have loaded, one after the other."""
    return loads(tmp_path_factory.mktemp("loading"), [*LISTINGS, *matches("bot:steady"), *matches("offline")])


def test_no_public_type_stands_twice() -> None:
    """But for the `Log` of `runner.api`, which shows notebooks the one that is read."""
    homes = defaultdict[str, set[str]](set)
    for path in sources("runner"):
        for node in syntax(path).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
            for name in (getattr(one, "id", getattr(one, "name", "")) for one in targets):
                if re.fullmatch("[A-Z][A-Za-z]*[a-z][A-Za-z]*", name):
                    homes[name].add(named(path))
    assert [name for name, found in homes.items() if len(found) > 1] == ["Log"]


def test_help_and_listings_do_not_load_the_network(loading: list[str]) -> None:
    assert loading[: len(LISTINGS)] == [f"{line} loads" for line in LISTINGS]


@pytest.mark.parametrize("seat", ["bot:steady", "offline"])
def test_matches_without_an_endpoint_do_not_load_the_network(seat: str, loading: list[str]) -> None:
    lines = [*matches(seat)]
    start = len(LISTINGS) + len(lines) * (seat == "offline")
    assert loading[start : start + len(lines)] == [f"{line} loads" for line in lines]
