"""Recap: each player's claims with their fates, other income, attacks and challenges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from games.core import Event, View, seat_name
from games.coup.actions import FOREIGN_AID, INCOME, TARGETED, TITLE
from games.coup.position import FALSE


def recap(view: View, told: Sequence[Event]) -> Iterator[str]:
    """A line for each player who has done something; turns under way count too."""
    turns = [*view["history"], *([view["stake"]] if view["stake"] else [])]
    for seat in range(view["players"]):
        parts = [*_claims(view["claims"][seat]), *_actions(seat, turns), *_challenges(seat, turns)]
        if parts:
            yield f"{seat_name(seat)}{' (you)' if seat == view['seat'] else ''}: {'; '.join(parts)}"


def _claims(claims: Sequence[dict[str, Any]]) -> Iterator[str]:
    of: dict[str, list[dict[str, Any]]] = {}
    for claim in claims:
        of.setdefault(claim["character"], []).append(claim)
    for character, made in of.items():
        fates = "".join(f", {one['verdict']} in turn {one['turn']}" for one in made if one["verdict"])
        yield f"claimed {character} {_times(len(made))}, last in turn {made[-1]['turn']}{fates}"


def _actions(seat: int, turns: Sequence[dict[str, Any]]) -> Iterator[str]:
    own = [turn for turn in turns if turn["actor"] == seat]
    counts = Counter(turn["action"] for turn in own if turn["action"] in (INCOME, FOREIGN_AID))
    yield from (f"{TITLE[action]} {_times(count)}" for action, count in counts.items())
    aims = Counter((turn["action"], turn["target"]) for turn in own if turn["action"] in TARGETED)
    if aims:
        yield "aimed " + ", ".join(
            f"{TITLE[action]} at {seat_name(target)} {_times(n)}" for (action, target), n in aims.items()
        )


def _challenges(seat: int, turns: Sequence[dict[str, Any]]) -> Iterator[str]:
    for turn in turns:
        for by, whom, character, verdict in (
            (turn["challenger"], turn["actor"], turn["claim"], turn["verdict"]),
            (turn["block_challenger"], turn["blocker"], turn["block"], turn["block_verdict"]),
        ):
            if by == seat and verdict:
                fate = "rightly" if verdict == FALSE else "wrongly"
                yield f"challenged {character} of {seat_name(whom)} {fate} in turn {turn['turn']}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
