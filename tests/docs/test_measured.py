"""Measured: tables in docs carry the digest of the code they were measured with, and say so where it is another one now."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import games
from tools import measured
from tools.measured import DOCUMENTS, EARLIER, TOLD, digest_of, renewed, stamp_of, stamps


@pytest.mark.parametrize("document", [document for document in DOCUMENTS if any(stamps(document))], ids=lambda path: path.name)
def test_stale_tables_say_so_and_no_other_ones(document: Path) -> None:
    wrong = [stamp for stamp in stamps(document) if stamp.is_stale != stamp.is_called_earlier]
    assert not wrong, "python -m tools.measured says so for you"


def test_some_tables_are_stamped() -> None:
    assert sum(1 for document in DOCUMENTS for _ in stamps(document)) > 3


def test_a_stale_stamp_is_followed_by_a_sentence_and_a_fresh_one_is_not() -> None:
    fresh, stale = stamp_of("games/core"), "<!-- measured with games/core: 00000000 -->"
    table = "| a |\n|---|\n"
    assert renewed(f"{fresh}\n{table}") == f"{fresh}\n{table}"
    said = renewed(f"{stale}\n{table}")
    assert said == f"{stale}\n{EARLIER}\n\n{table}" == renewed(said)
    assert renewed(said.replace(stale, fresh)) == f"{fresh}\n{table}"


def test_a_digest_is_of_code_and_data_not_of_comments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "ROOT", tmp_path)
    found = []
    for source in ('"""Text."""\nx = 1\n', "x = 1  # why\n", "x = 2\n"):
        (tmp_path / "one.py").write_text(source, encoding="utf-8")
        digest_of.cache_clear()
        found.append(digest_of("one.py"))
    digest_of.cache_clear()
    assert found[0] == found[1] != found[2]


def test_a_digest_of_a_folder_leaves_out_what_draws_and_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "ROOT", tmp_path)
    folder = tmp_path / "games"
    folder.mkdir()
    found = []
    for name in ("rules.py", "table.py", "remarks.py", "bots.py"):
        (folder / name).write_text("x = 1\n", encoding="utf-8")
        digest_of.cache_clear()
        found.append(digest_of("games"))
    digest_of.cache_clear()
    assert found[0] == found[1] == found[2] != found[3]


def test_no_rule_bot_or_search_imports_what_draws_and_tells() -> None:
    told = {name.removesuffix(".py") for name in TOLD}
    wrong = []
    for file in (file for folder in (*games.names(), "search") for file in (measured.ROOT / "games" / folder).rglob("*.py")):
        if file.name not in (*TOLD, "__init__.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("games."):
                    names = {*node.module.split(".")[2:], *(one.name for one in node.names if node.module.count(".") == 1)}
                    wrong += [f"{file}: {name}" for name in sorted(names & told)]
    assert not wrong


def test_a_digest_is_the_same_in_every_version_of_python() -> None:
    """Empty fields, of which newer versions have more, are no part of it."""
    tree = ast.parse("def f(x): return None, x")
    assert measured._dumped(tree.body[0]) == (
        "FunctionDef(name='f', args=arguments(args=[arg(arg='x')]), body=[Return(value="
        "Tuple(elts=[Constant(), Name(id='x', ctx=Load())], ctx=Load()))])"
    )
