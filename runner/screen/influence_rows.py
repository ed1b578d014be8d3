"""Influence rows: one line per player with coins, face-down and lost cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from runner.screen.palette import GOOD, QUIET, TITLE, seat_style, seat_text
from runner.screen.safe_text import clean, plain

UNKNOWN, LOST = "▒▒▒▒", "✗"
COIN = "●"
_FULL_PURSE = 12
_CARDS, _NOW = 23, 15
_CLAIMED = 20
_FIXED = 2 + 4 + 6 + _CARDS + 1
_SHORTEST_NAME = 4


class Player(NamedTuple):
    """A player's line. `down` are the face-down cards (None: hidden), `now` the current activity, `claimed` all claims."""

    name: str
    coins: int
    down: Sequence[str | None]
    lost: Sequence[str]
    now: str
    is_active: bool
    is_out: bool
    wins: bool
    claimed: str


def player_rows(players: Sequence[Player], width: int) -> Table:
    """The lines. Current activity, a row of coins and claims are shown where they fit."""
    longest = max(cell_len(clean(player.name)) for player in players)
    room = width - _FIXED - 1
    has_now = room - longest >= _NOW
    has_row = room - longest - _NOW > _FULL_PURSE
    claims = room - longest - _NOW - _FULL_PURSE - 1
    rows = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style=QUIET)
    rows.add_column("", no_wrap=True, width=1)
    rows.add_column("", no_wrap=True, width=3)
    rows.add_column("", no_wrap=True, overflow="ellipsis", width=max(_SHORTEST_NAME, min(longest, room)))
    rows.add_column("Coins", no_wrap=True, width=3 + _FULL_PURSE if has_row else 5)
    rows.add_column(f"Cards ({LOST} turned up)", no_wrap=True, width=_CARDS)
    if has_now:
        rows.add_column("", no_wrap=True, width=_NOW)
    if claims >= _CLAIMED:
        rows.add_column("Has claimed", no_wrap=True, overflow="ellipsis", width=claims)
    for seat, player in enumerate(players):
        mark = Text("★" if player.wins else "▶" if player.is_active else "", style=GOOD if player.wins else TITLE)
        name = plain(player.name, QUIET if player.is_out else "")
        said = [Text(player.now)] * has_now + [Text(player.claimed, style=QUIET)] * (claims >= _CLAIMED)
        rows.add_row(mark, seat_text(seat), name, _coins(player, seat, has_row), _cards(player), *said)
    return rows


def _coins(player: Player, seat: int, has_row: bool) -> Text:
    if player.is_out:
        return Text("out", style=QUIET)
    text = Text(f"{player.coins:>2}")
    return text + Text(f" {COIN * player.coins}", style=seat_style(seat)) if has_row else text


def _cards(player: Player) -> Text:
    cards = [Text(card, style=TITLE) if card else Text(UNKNOWN, style=QUIET) for card in player.down]
    cards += [Text(LOST + card, style=QUIET) for card in player.lost]
    return Text(" ").join(cards)
