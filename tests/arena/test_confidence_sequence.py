"""Confidence sequences: they hold the mean at every time, never widen, and close in on it."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from games.statistics import confidence_sequence
from games.statistics.confidence_sequence import ConfidenceSequence


def of(values: Sequence[float], lowest: float = -1.0, highest: float = 1.0, error_rate: float = 0.05) -> ConfidenceSequence:
    found = ConfidenceSequence(lowest, highest, error_rate)
    found.observe_all(values)
    return found


def test_without_values_everything_is_possible() -> None:
    found = of([], -2, 6)
    assert (found.low, found.high, found.mean, found.count, found.sure) == (-2, 6, 2, 0, False)


def test_it_never_widens_and_its_ends_stay_in_order() -> None:
    rng, found, ends = random.Random(1), ConfidenceSequence(0, 1), (0.0, 1.0)
    for _ in range(300):
        found.observe(rng.random() ** 2)
        assert ends[0] <= found.low <= found.high <= ends[1]
        ends = found.low, found.high
    assert ends[0] < 1 / 3 < ends[1]


@pytest.mark.parametrize("value", [-1.0, -0.2, 0.0, 0.75, 1.0])
def test_values_that_are_all_alike_are_closed_in_on(value: float) -> None:
    few, many = of([value] * 100), of([value] * 800)
    assert few.low <= many.low <= value <= many.high <= few.high
    assert many.high - many.low < 0.05 + (few.high - few.low) / 4
    assert many.sure is (value != 0)


def test_the_other_way_round_is_the_same_mirrored() -> None:
    rng = random.Random(2)
    values = [rng.choice((-0.5, 0.0, 1.0)) for _ in range(200)]
    one, other = of(values), of([-value for value in values])
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_it_follows_the_scale_of_values() -> None:
    values = [random.Random(3).choice((0.0, 0.25, 1.0)) for _ in range(60)]
    one, other = of(values, 0, 1), of([10 * value - 4 for value in values], -4, 6)
    assert (other.low, other.high) == pytest.approx((10 * one.low - 4, 10 * one.high - 4))


@pytest.mark.parametrize("lengths", [confidence_sequence._LENGTHS, (3, 12, 16)])
def test_the_bound_is_where_the_bets_have_gained_enough(lengths: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean capital of the bets against the bound, counted as the paper says, is at least 2 / error rate, and above it
    less."""
    monkeypatch.setattr(confidence_sequence, "_LENGTHS", lengths)
    values, error_rate = [1.0] * 40, 0.05
    bound = of(values, 0, 1, error_rate).low

    def capital(mean: float, shortest: int) -> float:
        total, sums, squares = 1.0, 0.0, 0.0
        for before, value in enumerate(values):
            spread, count = (0.25 + squares) / (before + 1), before + 1
            length = max(count, shortest) if shortest == lengths[-1] else shortest
            bet = math.sqrt(2 * math.log(2 / error_rate) / (spread * length))
            total *= 1 + min(bet, 0.9 / mean) * (value - mean)
            sums += value
            squares += (value - (0.5 + sums) / (count + 1)) ** 2
        return total

    def mean_capital(mean: float) -> float:
        return sum(capital(mean, length) for length in lengths) / 3

    assert mean_capital(bound) >= 2 / error_rate > mean_capital(bound + 1 / 8192)


def test_a_small_mean_is_surely_smaller_than_a_margin() -> None:
    found = of([0.0] * 500)
    assert found.within(0.05)
    assert not found.within(0.0001)


@pytest.mark.parametrize("value", [-1.01, 1.01, math.nan])
def test_a_value_outside_of_the_range_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="is not between -1"):
        of([value])


def test_a_range_or_rate_that_makes_no_sense_is_refused() -> None:
    for lowest, highest, rate in ((1, 1, 0.05), (0, 1, 0), (0, 1, 1)):
        with pytest.raises(ValueError, match="no interval"):
            ConfidenceSequence(lowest, highest, rate)


def test_what_differs_is_told_apart_and_what_is_equal_is_not() -> None:
    rng = random.Random(4)
    assert of([rng.choice((0.0, 0.0, 1.0)) for _ in range(200)]).sure
    assert not any(of([rng.choice((-1.0, 0.0, 1.0)) for _ in range(100)]).sure for _ in range(8))
