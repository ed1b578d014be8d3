"""Sample matches: how often the player of a game decides."""

from __future__ import annotations

import pytest

import games
from games.core import GameFault
from games.search.sample_matches import usual_decisions


def test_a_coup_asks_a_player_oftener_than_a_round_of_cat_in_the_box() -> None:
    assert 5 < usual_decisions("cat_in_the_box") < 12 < usual_decisions("coup")


def test_a_game_whose_deal_fails_has_no_usual_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object, **named: object) -> None:
        raise GameFault("oriflamme", "begin", "no cards")

    monkeypatch.setattr(type(games.load("oriflamme")), "begin", fails)
    assert usual_decisions.__wrapped__("oriflamme") == 0
