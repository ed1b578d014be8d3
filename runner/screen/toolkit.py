"""Toolkit: what the screen of a game in another package may use. These names stay as they are."""

from runner.screen.palette import BAD, GOOD, QUIET, TITLE, points_text, seat_style, seat_text
from runner.screen.perspective import VisibleState
from runner.screen.plain_table import table as plain_table
from runner.screen.safe_text import clean

__all__ = [
    "BAD",
    "GOOD",
    "QUIET",
    "TITLE",
    "VisibleState",
    "clean",
    "plain_table",
    "points_text",
    "seat_style",
    "seat_text",
]
