"""`tabletop rules GAME --api`: what programs and bots meet of a game, as the game itself shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import games
from tests.cli.command import tabletop


@pytest.mark.parametrize("name", games.names())
def test_the_page_has_what_a_match_shows(name: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, "rules", name, "--api")
    assert done.returncode == 0, done.stderr
    game, page = games.load(name), done.stdout
    answered = re.findall(r"^### .*\n\n> .*\n\n(?:\|.*\n)+\nAn answer: `\{.*\}`$", page, re.MULTILINE)
    assert len(answered) == page.count("\n### ") > 0
    assert [measure.name for measure in game.measures if f"| {measure.name} |" not in page] == []
    state, shown = game.begin(seed=5), set[str]()
    while not state.has_ended:
        seat = state.pending[0]
        shown.update(state.view(seat), state.question(seat).schema["properties"], (event.kind for event in state.events))
        state = state.actions_of(seat)[0].next_state
    assert [name for name in shown if f"| `{name}` |" not in page] == []


def test_it_says_how_a_card_is_written(tmp_path: Path) -> None:
    page = tabletop(tmp_path, "rules", "coup", "--api").stdout
    assert '| `lose` | `"' in page
    assert '`"Captain"`' in page
