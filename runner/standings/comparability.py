"""Comparability: which matches may be pooled, and how those differ that may not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from games.core import counted
from runner.errors import UsageError
from runner.record.log_summary import LogSummary

KINDS = ("prompts", "rules", "options", "schema", "agents", "players", "games")
"""The words of `--pool`; `players` puts all numbers of players into one table, `games` all games too."""

ALL_GAMES = "all games"
_ALL = "all"
_COMBINING = {"players", "games"}
_CONDITIONS = {
    "schema": "schema",
    "rules version": "rules",
    "rules": "rules",
    **dict.fromkeys(("ask", "ask_forced", "talk"), "options"),
}
_SHOWN = 3

Difference = tuple[str, str]
"""The word of `--pool` that allows a difference, and a sentence about it."""


def pooled(words: Sequence[str]) -> frozenset[str]:
    """The set of `--pool` words. UsageError for an unknown one."""
    found = {word.strip() for part in words for word in part.split(",")}
    if unknown := sorted(found - {*KINDS, _ALL}):
        raise UsageError(f"--pool {unknown[0]}: there is {', '.join(KINDS)} and {_ALL}.")
    return frozenset(set(KINDS) - _COMBINING | found - {_ALL} if _ALL in found else found)


class Pool(NamedTuple):
    """Matches that are rated together: their game, the number of players (None: several), and sentences about differences."""

    game: str
    players: int | None
    logs: list[LogSummary]
    notes: list[str]


def pools(logs: Sequence[LogSummary], may_pool: Collection[str]) -> list[Pool]:
    """The pools of some matches: one for each game and number of players unless those may be pooled.

    UsageError when matches of a pool differ in something else that may not be.
    """
    found: dict[tuple[str, int | None], list[LogSummary]] = {}
    for log in logs:
        found.setdefault((log.game, None if _COMBINING & set(may_pool) else len(log.seats)), []).append(log)
    each = [
        Pool(game, players, some, check_pool(game, some, may_pool)) for (game, players), some in sorted(found.items(), key=str)
    ]
    if "games" in may_pool and len(each) > 1:
        return [
            Pool(ALL_GAMES, None, [log for pool in each for log in pool.logs], [note for pool in each for note in pool.notes])
        ]
    return [pool._replace(players=pool.players or _same_number(pool.logs)) for pool in each]


def _same_number(logs: Sequence[LogSummary]) -> int | None:
    """The number of players if all matches have the same."""
    numbers = {len(log.seats) for log in logs}
    return numbers.pop() if len(numbers) == 1 else None


def check_pool(game: str, logs: Sequence[LogSummary], may_pool: Collection[str]) -> list[str]:
    """A sentence about each difference that is pooled. UsageError when one may not be."""
    found = list(_differences(game, logs))
    refused = [(kind, text) for kind, text in found if kind not in may_pool]
    if refused:
        kinds = ",".join(sorted({kind for kind, _ in refused}))
        shown = " ".join(text for _, text in refused[:_SHOWN])
        more = f" ({len(refused) - _SHOWN} more differences.)" if len(refused) > _SHOWN else ""
        raise UsageError(f"{shown}{more} Name a folder with matches of one kind, or pool them with --pool {kinds}.")
    return [f"Pooled: {text}" for _, text in found]


def _differences(game: str, logs: Sequence[LogSummary]) -> Iterator[Difference]:
    for name, kind in _CONDITIONS.items():
        yield from _difference(kind, f"{game} was played with different {name}", [log.conditions[name] for log in logs])
    for name in sorted({name for log in logs for name in log.options}):
        values = [log.options.get(name, "none") for log in logs]
        yield from _difference("options", f"{game} was played with different values of the option {name}", values)
    packs = [f"{log.pack} {log.prompts[-10:]}" for log in logs if log.prompts]
    yield from _difference("prompts", f"{game} was played with different prompts", packs)
    yield from _agent_differences(logs)


def _agent_differences(logs: Sequence[LogSummary]) -> Iterator[Difference]:
    settings: dict[tuple[str, str], list[object]] = {}
    facts: dict[str, list[str]] = {}
    for log in logs:
        for seat in log.seats:
            facts.setdefault(seat.name, []).append(f"{seat.spec} {seat.facts}")
            for name, value in seat.settings.items():
                settings.setdefault((seat.name, name), []).append(value)
    for (agent, name), values in sorted(settings.items()):
        yield from _difference("agents", f"The agent {agent} did not always play with the same {name}", values)
    for agent, found in sorted(facts.items()):
        yield from _difference("agents", f"The agent {agent} is not always the same", found)


def _difference(kind: str, sentence: str, values: Sequence[object]) -> Iterator[Difference]:
    if len(different := sorted({str(value) for value in values})) > 1:
        counts = ", ".join(
            f"{value} in {counted(sum(str(v) == value for v in values), 'match')}" for value in different[:_SHOWN]
        )
        more = ", …" if len(different) > _SHOWN else ""
        yield kind, f"{sentence}: {counts}{more}."
