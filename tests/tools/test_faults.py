"""Faults: those by chance change one place, and what Python reads stays Python; those of the list stand in their files."""

from __future__ import annotations

import ast

import pytest

from tools import faults
from tools.import_graph import ROOT
from tools.mutation_list import LEAKS, RULES, Mutation

CODE = '''
"""A module says what it does here."""
def f(a, b, text):
    """A function says what it does."""
    if a < b and not text:
        return a == 3
    print(f"there is something {a + 1} wrong with it here", "a word")
    return [x for x in a if x not in b]
'''


def made(text: str) -> set[str]:
    return {text[:start] + new + text[end:] for start, end, new in faults._of_code(text)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a < b", "a <= b"),
        ("b and not text", "b or not text"),
        ("if a < b and not text:", "if not (a < b and not text):"),
        ("a == 3", "a != 3"),
        ("== 3", "== 4"),
        ("not in", "in"),
        ("something", "gnihtemos"),
        ("wrong", "gnorw"),
    ],
)
def test_a_fault_changes_one_place(old: str, new: str) -> None:
    assert CODE.replace(old, new) in made(CODE)


def test_docstrings_short_strings_and_what_is_in_braces_stay() -> None:
    for text in made(CODE):
        assert "says what it does here" in text
        assert "A function says what it does." in text
        assert "{a + 1}" in text
        assert '"a word"' in text
        ast.parse(text)


def test_a_seed_makes_the_same_faults_and_spreads_them() -> None:
    files = faults.files_below("games/core")
    found = faults.some(files, 8, "a seed")
    assert found == faults.some(files, 8, "a seed")
    assert len({fault.path for fault in found}) == 8
    for fault in found:
        text = (ROOT / fault.path).read_text(encoding="utf-8")
        assert fault.put_into(text) != text
        ast.parse(fault.put_into(text))


def test_of_a_page_only_what_commands_print_is_changed() -> None:
    page = (
        "Some words of text.\n```console\n$ tabletop play and more words\nthis is printed here\n…\n```\nMore words of text.\n"
    )
    changed = {page[:start] + new + page[end:] for start, end, new in faults._of_words("docs/x.md", page)}
    assert changed == {page.replace("this", "siht"), page.replace("printed", "detnirp"), page.replace("here", "ereh")}


@pytest.mark.parametrize("mutation", [*LEAKS, *RULES], ids=lambda mutation: f"{mutation.game}: {mutation.about}")
def test_a_fault_of_the_list_stands_once_in_its_file(mutation: Mutation) -> None:
    assert (ROOT / "games" / mutation.game / f"{mutation.module}.py").read_text(encoding="utf-8").count(mutation.old) == 1
