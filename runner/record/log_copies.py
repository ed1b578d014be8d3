"""Log copies: logs of one match in a folder, of which one counts."""

from __future__ import annotations

from collections.abc import Mapping

from runner.record.log_summary import LogState, LogSummary


def copies(logs: Mapping[str, LogSummary]) -> dict[str, str]:
    """The logs of a folder that are copies, each with the log that counts in its place, by their names.

    A finished log counts before an unfinished one. Of finished logs the one that ended first counts: a match that was resumed
    twice does not count with the better of two ends. Of unfinished ones that with more decisions counts, then the shorter name.
    Copies share the first line, which has the random id of the match; logs of versions without an id are copies if all lines
    are the same.
    """
    counts: dict[str, str] = {}
    found: dict[str, str] = {}
    for name, log in sorted(logs.items(), key=_rank):
        identity = log.first or log.digest
        if identity and log.state is not LogState.DAMAGED and counts.setdefault(identity, name) != name:
            found[name] = counts[identity]
    return found


def is_twin(log: LogSummary, counted: LogSummary) -> bool:
    """Whether a copy is the same match resumed apart: both have ended, and not with the same lines."""
    return log.state is counted.state is LogState.FINISHED and log.digest != counted.digest


def originals(logs: Mapping[str, LogSummary]) -> list[LogSummary]:
    """The logs of a folder without copies."""
    copied = copies(logs)
    return [log for name, log in logs.items() if name not in copied]


def _rank(entry: tuple[str, LogSummary]) -> tuple[bool, str, str | int, int, str]:
    """Digests order logs without times, because the number of decisions may depend on who wins."""
    name, log = entry
    if log.state is LogState.FINISHED:
        return False, log.ended, log.digest, len(name), name
    return True, "", -log.decisions, len(name), name
