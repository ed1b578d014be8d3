"""The marks of players: the beginnings of their names where these tell them apart, else their seats; and their colours."""

from __future__ import annotations

import pytest
from rich.color import Color

from runner.screen import palette
from runner.screen.palette import Marks

SEATS = ("P-0", "P-1", "P-2")


@pytest.mark.parametrize(
    ("names", "needs_letters", "short", "letters"),
    [
        (("you", "Bob", "Cleo"), True, ("you", "Bob", "Cle"), ("y", "B", "C")),
        (("steady 1", "steady 2", "search"), True, ("st1", "st2", "sea"), ("1", "2", "s")),
        (("Ann", "Ada", "Bob"), False, ("Ann", "Ada", "Bob"), ("A", "A", "B")),
        (("Ann", "Ada", "Bob"), True, SEATS, ("0", "1", "2")),
        (("gpt-5-mini", "gpt-5-nano", "o9"), False, SEATS, ("0", "1", "2")),
        (("P-0", "P-1", "P-2"), False, SEATS, ("0", "1", "2")),
        (("Ann", "P-1", "Cleo"), False, SEATS, ("0", "1", "2")),
        (("ann", "ANN 2", "Cleo"), False, ("ann", "AN2", "Cle"), ("a", "2", "C")),
        (("yousuf", "Bob", "Cleo"), False, SEATS, ("0", "1", "2")),
        (("李小龙", "李明", "Bob"), False, SEATS, ("0", "1", "2")),
        (("12", "steady 12", "7"), False, ("12", "s12", "7"), ("1", "s", "7")),
    ],
)
def test_marks_are_names_where_these_tell_players_apart(
    names: tuple[str, ...], needs_letters: bool, short: tuple[str, ...], letters: tuple[str, ...]
) -> None:
    found = Marks.of(names, needs_letters)
    assert found.short == short
    if found.are_names:
        assert found.letters == letters
    else:
        assert (found.short, found.letters) == (SEATS, ("0", "1", "2"))


def _luminance(name: str) -> float:
    """The relative luminance of a colour, from 0 to 1 (WCAG 2.2)."""
    parts = (part / 255 for part in Color.parse(name).get_truecolor())
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", palette.SEATS)
@pytest.mark.parametrize("background", ["#ffffff", "#1e1e1e"])
def test_players_can_be_read_on_light_and_on_dark(colour: str, background: str) -> None:
    darker, lighter = sorted((_luminance(colour), _luminance(background)))
    assert (lighter + 0.05) / (darker + 0.05) >= 3, "the contrast of large text (WCAG 2.2); names are bold"
