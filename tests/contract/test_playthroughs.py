"""Rules stay as they are within a `rules_version`: the playthroughs on file are what the rules do now."""

from __future__ import annotations

from itertools import zip_longest

import pytest

import games
from tests.contract import playthroughs

RENEW = "python -m tests.contract.playthroughs --write renews it"


@pytest.mark.parametrize(("name", "preset"), playthroughs.tables())
def test_rules_change_only_with_a_new_rules_version(name: str, preset: str) -> None:
    path = playthroughs.file_of(name, preset)
    assert path.is_file(), f"{name} with {preset} has no playthrough: {RENEW}"
    filed = path.read_text(encoding="utf-8").splitlines()
    assert filed[0] == playthroughs.heading(games.load(name), preset), f"{path.name} is of another version: {RENEW}"
    for number, (old, new) in enumerate(zip_longest(filed, playthroughs.text_of(name, preset).splitlines()), 1):
        assert new == old, f"{path.name}, line {number}: the rules changed, so {name} needs a new rules_version ({RENEW})"


def test_every_playthrough_is_of_a_game_and_a_preset() -> None:
    assert {path.name for path in playthroughs.FOLDER.iterdir()} == {
        playthroughs.file_of(*t).name for t in playthroughs.tables()
    }
