"""Elements of a table, by the names with which choices point at them: a page lets people choose by touching them."""

from __future__ import annotations


def on_seat(seat: int) -> str:
    """A player: the panel or the row."""
    return f"seat {seat}"


def on_card(seat: int, name: str) -> str:
    """A card that a player holds, by its name; cards of one name are one element."""
    return f"card {seat} {name}"


def on_stack(index: int) -> str:
    """A position of a row of cards, by its index from 0."""
    return f"stack {index + 1}"


def on_gap(index: int) -> str:
    """The gap of a row of cards before the position of an index from 0; behind the last one it is the length of the row."""
    return f"gap {index + 1}"


def on_cell(row: str, column: str) -> str:
    """A cell of a board."""
    return f"cell {row} {column}"


def on_text(name: str) -> str:
    """A card of words, by its name."""
    return f"text {name}"
