"""RULES.md says what the code does: numbers, options, the worked example and the limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

import games
from games.core import decks
from games.dixiquote.options import best_score, deck_rounds
from games.dixiquote.scoring import round_points

GAME = games.load("dixiquote")
PAGE = files("games.dixiquote").joinpath("RULES.md").read_text(encoding="utf-8")
SCORINGS = ("revised", "original")


def section(title: str) -> str:
    return re.split(r"^#+ ", PAGE.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(title: str) -> Iterator[list[str]]:
    for line in section(title).splitlines():
        if line.startswith("|") and not set(line) <= set("|-"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", text.replace("−", "-"))]


def word(value: object) -> str:
    return str(value).lower()


def test_the_rules_are_numbered_as_code_and_tests_cite_them() -> None:
    assert re.findall(r"^(\d+)\. \*\*", section("Rules"), flags=re.MULTILINE) == [str(number) for number in range(1, 13)]


def test_every_option_is_there_with_its_default() -> None:
    _, *listed = rows("Options")
    said = {name.strip("`"): default for name, default, *_ in listed}
    defaults = {name: word(option.default) for name, option in GAME.options.items() if name != "deck"}
    assert said == {"deck": "the 80 cards", **defaults}


def test_every_word_an_option_takes_is_there() -> None:
    _, *listed = rows("Options")
    for name, _, values, _ in listed:
        option = GAME.options[name.strip("`")]
        for choice in option.choices:
            assert word(choice) in values.split(", "), (name, choice)
        if option.minimum is not None:
            assert {option.minimum, option.maximum} <= set(numbers(values))


def test_the_presets_are_named() -> None:
    for preset in GAME.presets:
        assert f"--rules {preset}" in section("Presets")


@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_worked_example_is_right(scoring: str) -> None:
    options = GAME.set_up(4, 0, scoring, {}).options
    tables = [row for row in rows("A worked example") if row[0].startswith("P-")]
    voted = [row for row in tables if "(" in row[0]]
    assert len(voted) == 3
    for row in voted:
        cards = [int(seat) for seat in re.findall(r"P-(\d)", row[0])[:3]]
        points = round_points(0, {seat: seat for seat in range(4)}, [None, *cards], options)
        assert list(points) == numbers(row[1 + SCORINGS.index(scoring)])


def test_the_worked_example_is_played_with_our_cards() -> None:
    texts = {card["text"] for card in decks.load("situations")["cards"]}
    assert len({row[0] for row in rows("A worked example")} & texts) == 4


@pytest.mark.parametrize("place", range(6))
def test_the_limits_are_right(place: int) -> None:
    header, lasts, revised, original = rows("How far a match can go")
    players = int(header[1 + place])
    for row, scoring in ((revised, "revised"), (original, "original")):
        options = GAME.set_up(players, 0, scoring, {}).options
        rounds = deck_rounds(players, options)
        assert int(lasts[1 + place]) == rounds
        assert int(row[1 + place]) == best_score(players, min(rounds, options.max_rounds), options)
