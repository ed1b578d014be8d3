"""Measured: tables in docs carry the digest of the code they were measured with, and say so where it is another one now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import measured
from tools.measured import DOCUMENTS, EARLIER, digest_of, renewed, stamp_of, stamps


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
