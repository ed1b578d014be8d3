"""How agents behaved: invalid answers, failures, tokens, money, time, and what the game counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import games
from runner.standings.match_facts import Summary

_SUMS = ("decisions", "answers", "penalties", "failures", "prompt_tokens", "completion_tokens", "cost", "seconds")


class Conduct:
    """What all matches of one agent add up to."""

    def __init__(self) -> None:
        self._matches = 0
        self._sums: Counter[str] = Counter()
        self._mistakes: Counter[str] = Counter()
        self._longest = 0.0
        self._measures: dict[str, list[int]] = {}

    def add(self, seat: dict[str, Any]) -> None:
        """One seat in one match."""
        self._matches += 1
        for name in _SUMS:
            self._sums[name] += seat[name]
        self._mistakes.update(seat["mistakes"])
        self._longest = max(self._longest, seat["longest"])
        for name, (hits, chances) in seat["measures"].items():
            found = self._measures.setdefault(name, [0, 0])
            found[0] += hits
            found[1] += chances

    def to_json(self, shares: dict[str, bool]) -> dict[str, Any]:
        """Rates and sums; `shares` says which measures are shares, the others being amounts a match."""
        sums, answers = self._sums, self._sums["answers"]
        return {
            **{name: sums[name] for name in _SUMS},
            "mistakes": sum(self._mistakes.values()),
            "mistake_kinds": dict(sorted(self._mistakes.items())),
            "rates": {kind: count / answers for kind, count in sorted(self._mistakes.items())},
            "mistake_rate": sum(self._mistakes.values()) / answers if answers else 0.0,
            "cost_per_match": sums["cost"] / self._matches,
            "latency": sums["seconds"] / answers if answers else 0.0,
            "longest_latency": self._longest,
            "measures": {name: self._measure(name, shares) for name in self._measures},
        }

    def _measure(self, name: str, shares: dict[str, bool]) -> dict[str, Any]:
        hits, chances = self._measures[name]
        is_share = shares.get(name, True)
        out_of = chances if is_share else self._matches
        return {"value": hits / out_of if out_of else None, "hits": hits, "out_of": out_of, "is_share": is_share}


def conducts(matches: Iterable[Summary]) -> dict[str, Conduct]:
    """The conduct of each agent, over all seats it had."""
    found: dict[str, Conduct] = {}
    for match in matches:
        for agent, seat in zip(match["agents"], match["seats"], strict=True):
            found.setdefault(agent, Conduct()).add(seat)
    return found


def measure_kinds(names: Sequence[str]) -> dict[str, bool]:
    """Whether each measure of these games is a share; none of a game that is not installed."""
    known = [games.load(name) for name in names if name in games.names()]
    return {measure.name: measure.is_share for game in known for measure in game.measures}
