"""The table of known failures: every row has a test that exists, and the page shows the strikes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.llm.failure_table import PAGE, ROWS, Row, written
from tests.llm.failures import FAILURES


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.seen)
def test_a_row_has_a_test(row: Row) -> None:
    file, _, name = row.test.rpartition("::")
    if not file:
        assert name in {failure.name for failure in FAILURES}
        return
    tree = ast.parse((Path(__file__).parent / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}


def test_the_page_shows_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page), "run python -m tests.llm.failure_table"
    assert len(ROWS) == 94
