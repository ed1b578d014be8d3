"""Folder luck: for the matches of a folder, the values of their deals and the luck of their bots, from all processors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import games
from games.core import OptionError
from games.search.playouts import Shares
from games.search.policy import has_playing_policy
from runner.arena.tournament_dir import recorded_values
from runner.arena.value_function import VALUE, ValueRecord, value_records
from runner.errors import TabletopError, UsageError
from runner.record.log_summary import LogSummary
from runner.record.reader import read_log
from runner.record.replay import opening
from runner.standings.aivat import luck
from runner.worker_processes import in_processes

Adjust = Literal["deal", "bots"]
"""What win shares are adjusted for: the value of the deal, or that and the decisions of bots with known policies."""


class Luck(NamedTuple):
    """By seat, the value of the deal, and the sum of the corrections at the decisions of bots."""

    values: Shares
    bots: Shares


Outcome = tuple[Path, Luck | str]
"""A log and its luck, or why that is unknown."""

FollowLuck = Callable[[Iterable[Outcome], int], Iterable[Outcome]]
"""Passes on the logs, and tells somebody how many there are of all."""


class FolderLuck(NamedTuple):
    """The luck of matches by the digest of their log, and the logs for which it is unknown, with the reason."""

    found: Mapping[str, Luck]
    refused: Mapping[Path, str]
    games: Sequence[str]


def folder_luck(logs: Mapping[Path, LogSummary], adjust: Adjust, follow: FollowLuck) -> FolderLuck:
    """The luck in finished matches. The value of a deal is computed once for all of its matches."""
    first = {path: path for path in logs} if adjust == "bots" else _first_of_deal(logs)
    with closing(in_processes(partial(_luck_of, adjust), sorted(set(first.values())))) as working:
        outcomes = dict(follow(working, len(set(first.values()))))
    found, refused = dict[str, Luck](), dict[Path, str]()
    for path, log in logs.items():
        outcome = outcomes[first[path]]
        if isinstance(outcome, str):
            refused[path] = outcome
        else:
            found[log.digest] = outcome
    return FolderLuck(found, refused, sorted({log.game for log in logs.values() if log.digest in found}))


def _first_of_deal(logs: Mapping[Path, LogSummary]) -> dict[Path, Path]:
    """For each log the first one with the same deal."""
    first: dict[str, Path] = {}
    return {path: first.setdefault(_deal(log), path) for path, log in logs.items()}


def _deal(log: LogSummary) -> str:
    return f"{log.game} {len(log.seats)} {log.conditions} {sorted(log.options.items())} {log.seed}"


def _luck_of(adjust: Adjust, path: Path) -> Outcome:
    try:
        log = read_log(path)
        game, state = opening(log.header)
        if not has_playing_policy(game):
            raise UsageError(f"{game.title} has no `bot:steady`, whose policy gives the value of a deal.")
        values = VALUE.of(state, "deal")
        return path, Luck(values, luck(log, VALUE) if adjust == "bots" else (0.0,) * len(values))
    except (TabletopError, OptionError) as error:
        return path, str(error)


def luck_notes(luck: FolderLuck, folder: Path) -> list[str]:
    """Sentences about the value function, whether it was fixed before the matches, and matches whose luck is unknown."""
    recorded = recorded_values(folder)
    own = value_records([games.load(name) for name in luck.games])
    notes = [_said(name, record, recorded.get(name)) for name, record in own.items()]
    return [*notes, *(f"Not adjusted: {path.name}: {why.rstrip('.')}." for path, why in luck.refused.items())]


def _said(game: str, own: ValueRecord, recorded: str | None) -> str:
    when = {
        own["digest"]: "The tournament recorded it before its first match.",
        None: "It was not recorded before the matches, so nothing shows that it was not chosen by their results.",
    }.get(recorded, f"The tournament recorded another one before its first match ({recorded}).")
    what = f"{own['playouts']} playouts of {own['policy']}, digest {own['digest']}"
    return f"Win shares of {game} are adjusted by the value function {what}. {when}"
