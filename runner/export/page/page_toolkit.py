"""Page toolkit: what the web page of a game in another package may use. These names stay as they are."""

from runner.export.page.element import Element, drawn_once, el
from runner.export.page.plain_page_table import table as plain_table
from runner.export.page.table_parts import (
    bar,
    card,
    card_back,
    coins,
    heading_row,
    scroller,
    seat_badge,
    seat_class,
    seat_list,
    token,
)
from runner.screen.perspective import VisibleState

__all__ = [
    "Element",
    "VisibleState",
    "bar",
    "card",
    "card_back",
    "coins",
    "drawn_once",
    "el",
    "heading_row",
    "plain_table",
    "scroller",
    "seat_badge",
    "seat_class",
    "seat_list",
    "token",
]
