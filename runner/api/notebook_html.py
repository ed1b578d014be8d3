"""Notebook HTML: a match and standings as Jupyter shows them. All text is escaped: models and logs may hold anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from games.core import seat_name
from runner.export.attempt_sums import Row
from runner.screen.safe_text import clean
from runner.standings.document_types import StandingsData
from runner.standings.tables import game_title, tables

_LONGEST = 200


def match_html(match: Row, seats: Sequence[Row]) -> str:
    """A match: what was played, and a row for each seat. `match` and `seats` are its rows of data."""
    facts = f"{match['game']}, {match['players']} players, seed {match['seed']}, rules {match['rules']}"
    ending = match.get("ending") or match["state"]
    headers = ("Seat", "Player", "Score", "Won", "Decisions", "Invalid", "Penalties", "Tokens", "Cost")
    return f"<p><b>{_text(facts)}</b>: {_text(ending)}</p>" + _table(headers, map(_seat, seats), left=2)


def _seat(row: Row) -> tuple[str, ...]:
    score, won = row.get("score"), "★" if row.get("won") else ""
    tokens = int(str(row["prompt_tokens"])) + int(str(row["completion_tokens"]))
    counts = (str(row[name]) for name in ("decisions", "mistakes", "penalties"))
    seat, shown = seat_name(int(str(row["seat"]))), "" if score is None else str(score)
    return (seat, str(row["player"]), shown, won, *counts, f"{tokens:,}", f"${float(str(row['cost'])):.4f}")


def standings_html(found: StandingsData) -> str:
    """Standings: every table of every game, and the notes."""
    parts = []
    for game in found["games"]:
        parts.append(f"<h4>{_text(game_title(game))}</h4>")
        parts += (f"<p>{_text(table.title)}</p>{_table(table.headers, table.rows, table.left)}" for table in tables(game))
        parts += (f"<p>{_text(note)}</p>" for note in game["notes"])
    return "".join([*parts, *(f"<p>{_text(note)}</p>" for note in found["notes"])])


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> str:
    body = "".join(_row(row, "td", left) for row in rows)
    return f"<table><thead>{_row(headers, 'th', left)}</thead><tbody>{body}</tbody></table>"


def _row(cells: Sequence[str], tag: str, left: int) -> str:
    sides = ("left" if place < left else "right" for place in range(len(cells)))
    marked = (f"<{tag} style='text-align: {side}'>{_text(cell)}</{tag}>" for side, cell in zip(sides, cells, strict=True))
    return f"<tr>{''.join(marked)}</tr>"


def _text(value: object) -> str:
    return escape(clean(value, _LONGEST))
