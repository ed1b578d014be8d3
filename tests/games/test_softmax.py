"""Softmax policies: what moves are worth, menus that count together, weights from self-play, and who exploits them."""

from __future__ import annotations

import json
from math import exp
from pathlib import Path
from typing import Any

import pytest

from games.core import Rng
from games.core.softmax import Among, Further, Joint, Softmax, stored_weights
from games.coup.bots import SOFTMAX
from tools.campaigns.exploit import Cell, row, shifted, trained
from tools.campaigns.fit import SUBJECTS, as_data, fitted, softmax_of, written

MENUS: dict[Any, list[tuple[Any, dict[Any, float] | None]]] = {
    "one": [("a", {("x",): 1.0}), ("b", {}), ("c", None)],
    "other": [("a", {}), ("b", {("y",): 2.0}), ("c", {})],
    "ends": [("left", {}), ("right", {("x",): -1.0})],
}
WEIGHTS = {("x",): 1.0, ("y",): 0.5}


def softmax(key: Any) -> Softmax:
    return Softmax(lambda position, seat: key, MENUS.__getitem__, WEIGHTS)


def test_a_move_is_drawn_in_proportion_to_the_exponential_of_its_features() -> None:
    chances = dict(softmax("one").chances(None, 0))
    assert chances == pytest.approx({"a": exp(1) / (exp(1) + 1), "b": 1 / (exp(1) + 1)})
    assert softmax("one").weighted({}).parts("one") == [0.5, 0.5, 0.0]


def test_features_of_joint_menus_count_together_and_a_further_menu_completes_a_move() -> None:
    joint = softmax(Joint(("one", "other")))
    assert dict(joint.chances(None, 0)) == pytest.approx({"a": 0.5, "b": 0.5})
    rng, found = Rng(1), [0, 0]
    for _ in range(1000):
        found["ab".index(joint.choose(None, 0, rng))] += 1
    assert abs(found[0] - 500) < 60
    MENUS["way",] = [(Further("to an end", lambda position, seat: "ends"), {}), ("stay", {})]
    assert dict(softmax(("way",)).chances(None, 0)) == pytest.approx(
        {"left": 0.5 / (1 + exp(-1)), "right": 0.5 / (1 + exp(1)), "stay": 0.5}
    )
    assert {softmax(("way",)).choose(None, 0, Rng(seed)) for seed in range(60)} == {"left", "right", "stay"}


def test_moves_with_a_menu_of_their_own_are_drawn_by_the_worth_of_it() -> None:
    MENUS["weak"], MENUS["strong"] = [("", {})], [("", {("x",): 1.0})]
    among = softmax(Among([("first", "weak"), ("second", "strong"), ("third", "weak")]))
    assert dict(among.chances(None, 0)) == pytest.approx(
        {"first": 1 / (exp(1) + 2), "second": exp(1) / (exp(1) + 2), "third": 1 / (exp(1) + 2)}
    )
    rng = Rng(3)
    assert 500 < sum(among.choose(None, 0, rng) == "second" for _ in range(1000)) < 650


def test_what_must_speak_for_a_move_keeps_its_least_weight() -> None:
    subject = SUBJECTS["coup"]._replace(least={"challenge, odds": 3.0})
    found = fitted("coup", subject, softmax_of("coup").weighted({}), 50, 1)
    odds = [weight for name, weight in found.items() if isinstance(name, tuple) and name[0] == "challenge, odds"]
    assert odds
    assert min(odds) >= 3.0


@pytest.mark.parametrize("game", SUBJECTS)
def test_the_same_seed_fits_the_same_weights_and_they_are_stored_as_data(game: str, tmp_path: Path) -> None:
    start = softmax_of(game).weighted({})
    first, again, other = (as_data(fitted(game, SUBJECTS[game], start, 25, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert json.loads(written(first)) == first
    assert {*first} <= {str(name[0]) for name in softmax_of(game).weights if isinstance(name, tuple)}


def test_the_weights_of_the_deck_are_those_of_the_bot() -> None:
    assert SOFTMAX.weights == stored_weights("coup_steady")
    assert as_data(SOFTMAX.weights) == json.loads(Path("decks/coup_steady.json").read_text(encoding="utf-8"))


def test_a_reply_is_steady_with_shifted_weights_and_a_row_claims_no_certainty() -> None:
    cell = Cell("coup", 2, "steady")
    shifts = trained(cell, 2, 1, 1, 1)
    assert shifts == trained(cell, 2, 1, 1, 1)
    assert "challenge tax" in shifts
    assert shifted("coup", {}) is not shifted("coup", shifts)
    assert row(cell, "honest", [0.0] * 10) == "| coup | 2 | steady | honest | 10 | 0.0% (0.0% to 27.8%) | 0.00 |"
