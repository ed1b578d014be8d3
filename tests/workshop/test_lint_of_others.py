"""Packs for a game of another package: the skeleton that `new-game` writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from runner.workshop.lint.case_checks import check_pack
from runner.workshop.new_pack import start_game
from tests.packaging.installed import on_path, write_package
from tests.prompting.packs import ANSWER, pack_of

NAME = "high_card"
STRIKES = "{{ options.strikes }} invalid answers in a row are a strike-out."
TRICKS = "This is trick {{ view.trick }} of {{ options.tricks }}."


@pytest.fixture
def high_card(tmp_path: Path) -> Iterator[games.Game]:
    """The game, as if its package were installed."""
    start_game(tmp_path / "package", NAME)
    site = tmp_path / "package"
    write_package(site, NAME, (site / NAME / "__init__.py").read_text(encoding="utf-8"))
    with on_path(site):
        yield games.load(NAME)


@pytest.mark.parametrize(
    ("rules", "noted"),
    [((TRICKS, STRIKES), []), ((TRICKS,), ["strikes"])],
)
def test_a_note_is_about_an_option_that_no_prompt_states(
    high_card: games.Game, tmp_path: Path, rules: tuple[str, ...], noted: list[str]
) -> None:
    said = '{% call message("user") %}\n' + "\n".join(rules) + "\n" + ANSWER + "\n{% endcall %}"
    findings = check_pack(pack_of(tmp_path / "pack", said, f"{NAME}/player.j2"), [high_card], 4).findings
    told = [finding.sentence for finding in findings if finding.check == "option"]
    assert [name for name in high_card.options if any(name in one for one in told)] == noted, told
