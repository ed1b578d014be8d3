"""Whether many matches at once hinder one another: the wall time of all, against that of the longest by itself."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import games
from runner.__main__ import collect_seldom
from tests.bench.figure import Figure
from tests.bench.matches import play_all, requests
from tests.bench.server import served

_GAME = "dixiquote"
_MATCHES = 200
_DELAY = 0.2
_BUDGET = 1.15


def figures() -> Iterator[Figure]:
    """One figure: two hundred matches against a model that takes two hundred milliseconds."""
    collect_seldom()
    game = games.load(_GAME)
    with served(_DELAY) as url, tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        played = asyncio.run(play_all(game, url, range(_MATCHES), Path(folder) / "all", _MATCHES))
        together = time.perf_counter() - began
        longest = max(played, key=lambda match: (match.steps, match.seconds))
        (alone,) = asyncio.run(play_all(game, url, [int(longest.log.stem)], Path(folder) / "alone", 1))
        calls = sum(len(requests(match.log)) for match in played)
    note = f"{together:.1f} s for all, {alone.seconds:.1f} s alone; {calls / together:,.0f} calls/s; {_GAME}"
    what = f"crowd: {_MATCHES} matches at {_DELAY * 1000:.0f} ms a call against the longest alone"
    yield Figure(what, together / alone.seconds, most=_BUDGET, note=note)
