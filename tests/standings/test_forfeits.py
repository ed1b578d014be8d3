"""Forfeits: wins in matches in which another agent was struck out."""

from __future__ import annotations

import pytest

from games.statistics.deal_sums import RatedMatch
from runner.standings.game_document import forfeits


def match(deal: int, winner: int, struck: tuple[int, ...] = ()) -> RatedMatch:
    wins = tuple(float(seat == winner) for seat in (0, 1))
    return RatedMatch("k", str(deal), ("a", "b"), (1, 2) if winner == 0 else (2, 1), wins, wins, struck)


def test_wins_beyond_what_is_won_elsewhere_are_earned() -> None:
    """`a` wins half of the matches without a forfeit, and all four of those in which `b` is struck out: 2 of 12 more."""
    found = forfeits([match(deal, deal % 2) for deal in range(8)] + [match(deal, 0, (1,)) for deal in range(8, 12)])
    assert (found["a"]["matches"], found["a"]["wins"]) == (4, 4.0)
    earned = found["a"]["earned"]
    assert earned is not None
    assert earned["value"] == pytest.approx(2 / 12)
    assert earned["low"] is not None
    assert earned["high"] is not None
    assert earned["low"] < 2 / 12 < earned["high"]
    assert (found["b"]["matches"], found["b"]["wins"]) == (0, 0.0)


def test_nothing_is_known_without_other_matches() -> None:
    assert forfeits([match(deal, 0, (1,)) for deal in range(6)])["a"]["earned"] is None
