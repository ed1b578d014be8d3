"""`make quick` runs the tests of the rooms that changed, and no others."""

from __future__ import annotations

import pytest

from tools.quick import ALWAYS, selected

COUP = ["tests/cli/test_coup.py", "tests/games/coup", "tests/prompting/test_coup.py", "tests/screen/test_coup.py"]


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("runner/match/loop.py", ["tests/match"]),
        ("runner/export/page/match_page.py", ["tests/export"]),
        ("runner/errors.py", []),
        ("games/coup/bots.py", COUP),
        ("prompts/coup/challenger.j2", COUP),
        ("tests/llm/test_retry_that_is_gone.py", []),
        ("tests/docs/test_quick.py", ["tests/docs/test_quick.py"]),
        ("CHANGELOG.md", []),
    ],
)
def test_the_selected_a_change(changed: str, tests: list[str]) -> None:
    assert selected([changed]) == sorted([*tests, ALWAYS])


def test_a_document_brings_its_examples_and_links() -> None:
    assert [test.partition("::")[2] for test in selected(["docs/play.md"]) if "::" in test] == [
        "test_examples_print_what_they_claim[docs/play.md]",
        "test_links_lead_somewhere[docs/play.md]",
    ]


def test_a_test_file_of_a_changed_room_is_run_once() -> None:
    assert selected(["runner/match/loop.py", "tests/match/test_endings.py"]) == ["tests/match", ALWAYS]
