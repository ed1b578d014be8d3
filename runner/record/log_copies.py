"""Log copies: logs of one match in a folder, of which one counts."""

from __future__ import annotations

from collections.abc import Mapping

from runner.record.log_summary import LogState, LogSummary


def copies(logs: Mapping[str, LogSummary]) -> dict[str, str]:
    """The logs of a folder that are copies, each with the log that counts in its place, by their names.

    A finished log counts before an unfinished one, then the one with more decisions, then the one with the shorter name. Copies
    share the first line, which has the random id of the match; logs of versions without an id are copies if all lines are the
    same.
    """
    counts: dict[str, str] = {}
    found: dict[str, str] = {}
    for name, log in sorted(logs.items(), key=_rank):
        identity = log.first or log.digest
        if identity and log.state is not LogState.DAMAGED and counts.setdefault(identity, name) != name:
            found[name] = counts[identity]
    return found


def originals(logs: Mapping[str, LogSummary]) -> list[LogSummary]:
    """The logs of a folder without copies."""
    copied = copies(logs)
    return [log for name, log in logs.items() if name not in copied]


def _rank(entry: tuple[str, LogSummary]) -> tuple[bool, int, int, str]:
    name, log = entry
    return log.state is not LogState.FINISHED, -log.decisions, len(name), name
