"""The table of a game of OpenSpiel: its text line by line, and the players."""

from __future__ import annotations

from games.core import View
from games.core.scene import (
    CODE,
    QUIET,
    WINS,
    Column,
    Counter,
    Owns,
    Part,
    Player,
    Players,
    Row,
    Scene,
    Table,
    Word,
)
from games.openspiel.state import END

SHOWN = frozenset({"moved"})
TITLES = {END: "The match is over"}


def table(view: View, own: Owns, names: tuple[str, ...]) -> Scene:
    """The position as everybody sees it, or as each seat does whose knowledge is shown; then the players."""
    texts = {"": view["position"]} | {names[seat]: facts["position"] for seat, facts in own.items()}
    parts: list[Part] = [_text(title, text) for title, text in texts.items() if text]
    return Scene(names, (*parts, _players(view, len(names))), standing=tuple(view["scores"]), standing_name="Score")


def _text(title: str, text: str) -> Table:
    """A text whose columns stay in place: spaces that no page and no terminal folds."""
    lines = text.expandtabs().rstrip("\n").split("\n")
    rows = tuple(Row(((Word(line.replace(" ", "\N{NO-BREAK SPACE}"), CODE),),)) for line in lines)
    return Table((Column((Word(title, QUIET),)),), rows)


def _players(view: View, count: int) -> Players:
    def row(seat: int) -> Player:
        last = next((name for mover, name in reversed(view["moves"]) if mover == seat), "")
        note = "to move" if view["to_move"] == seat else last
        counters = (Counter(view["scores"][seat], "points"),)
        return Player(seat, WINS if seat in view["winners"] else "", (Word(note, QUIET),) if note else (), counters)

    return Players(tuple(map(row, range(count))), counters=("points",))
