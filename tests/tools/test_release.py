"""The table of measurements: each figure beside what it was at the last release."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.bench import release
from tools.bench.__main__ import lines
from tools.bench.figure import Figure

COST = Figure("cost", 1.2, most=2.0)
SPEED = Figure("speed", 1.0, least=0.8)
PLAIN = Figure("plain", 1.0)
TIME = Figure("time", 3.0, "s", most=2.0)


def then(figure: Figure, value: float) -> dict[str, release.Stored]:
    return {figure.what: release.Stored(figure.what, value, "0.1.0")}


@pytest.mark.parametrize(
    ("figure", "value", "said"),
    [
        (COST, 1.2, "kept"),
        (COST, 0.97, "kept"),
        (COST, 0.95, "kept, slower than the release"),
        (COST, 2.0, "kept"),
        (SPEED, 1.24, "kept"),
        (SPEED, 1.27, "kept, slower than the release"),
        (SPEED, 0.5, "kept"),
        (PLAIN, 0.5, "slower than the release"),
        (PLAIN, 1.0, ""),
        (Figure("gain", 1.0, is_gain=True), 0.5, ""),
        (Figure("gain", 1.0, is_gain=True), 1.5, "slower than the release"),
        (TIME, 1.0, "MISSED"),
    ],
)
def test_a_ratio_that_is_worse_than_the_noise_is_slower(figure: Figure, value: float, said: str) -> None:
    assert release.verdict(figure, then(figure, value)) == said


def test_ratios_alone_are_stored_and_shown_beside_the_next_run(tmp_path: Path) -> None:
    file = tmp_path / "release.json"
    release.write([COST, TIME], True, file)
    stored = release.read(file)
    assert list(stored) == ["cost"]
    assert (stored["cost"].name, stored["cost"].value) == ("cost", 1.2)
    rows = [line.split() for line in lines([COST, SPEED, TIME], stored)]
    assert rows[0] == ["Measured", "Last", "release", "Budget", "Verdict", "What"]
    assert rows[1] == ["1.20", "×", "1.20", "×", f"({stored['cost'].version})", "≤", "2", "×", "kept", "cost"]
    assert rows[2] == ["1.00", "×", "-", "≥", "0.8", "×", "kept", "speed"]
    assert rows[3] == ["3.00", "s", "-", "≤", "2", "s", "MISSED", "time"]


def test_storing_a_part_keeps_the_rest_and_storing_all_drops_what_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "release.json"
    release.write([COST, SPEED], True, file)
    release.write([PLAIN], False, file)
    assert sorted(release.read(file)) == ["cost", "plain", "speed"]
    release.write([PLAIN], True, file)
    assert list(release.read(file)) == ["plain"]


def test_without_a_file_there_is_no_comparison(tmp_path: Path) -> None:
    assert release.read(tmp_path / "none.json") == {}
    assert release.before(COST, {}) == "-"
    assert release.verdict(COST, {}) == "kept"
