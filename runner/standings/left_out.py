"""Left out: which logs of a folder count in standings, and which do not: copies, twins, forks, unfinished and damaged ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from games.core import counted
from runner.errors import AllDamagedError, UsageError
from runner.record.log_copies import copies, is_twin
from runner.record.log_summary import LogState, LogSummary
from runner.standings.document_types import LeftOutData

ENDED = "ended"
_COPIES, _TWINS, _FORKS, _PLAYED_BACK = "copies", "twins", "forks", "played back"
_SENTENCES = {
    _COPIES: "Left out: {logs} copied from another log of the folder ({names}).",
    _TWINS: "Left out: {logs} with a second end of a resumed match ({names}). The end that was reached first counts.",
    _FORKS: "Left out: {logs} forked from another match ({names}). --forks counts them.",
}
_MOST_NAMED = 8
_STATES = {LogState.FINISHED: ENDED, LogState.FAILED: "failed", LogState.DAMAGED: "damaged"}


class CountedLogs(NamedTuple):
    """The logs of a folder by their paths, the state of each as standings count it, and for each copy the log that counts."""

    logs: Mapping[str, LogSummary]
    states: Mapping[str, str]
    copied: Mapping[str, str]

    @property
    def names(self) -> list[str]:
        """The logs that count."""
        return [name for name, state in self.states.items() if state == ENDED]

    @property
    def ended(self) -> list[LogSummary]:
        """The summaries of the logs that count."""
        return [self.logs[name] for name in self.names]

    @property
    def counts(self) -> Counter[str]:
        """How many logs have each state."""
        return Counter(self.states.values())

    def notes(self) -> list[str]:
        """A sentence about each kind of log that is left out, and about forks that count."""
        return [*self._named(), *_unnamed(self.counts), *self._damaged(), *_counted_forks(self.ended)]

    def left_out(self) -> list[LeftOutData]:
        """Every copy, twin and fork that does not count, with the log that it is one of."""
        kinds: dict[str, Callable[[str], str]] = {
            _COPIES: self.copied.__getitem__,
            _TWINS: self.copied.__getitem__,
            _FORKS: lambda name: self.logs[name].fork_of,
        }
        return [
            {"log": name, "why": why, "of": kinds[why](name), "at": self.logs[name].fork_at or None}
            for name, why in self.states.items()
            if why in kinds
        ]

    def _named(self) -> list[str]:
        found = self.left_out()
        logs = ((sentence, [one for one in found if one["why"] == why]) for why, sentence in _SENTENCES.items())
        return [sentence.format(logs=counted(len(some), "log"), names=_list(some)) for sentence, some in logs if some]

    def _damaged(self) -> list[str]:
        damaged = [f"{name}: {log.why.rstrip('.')}" for name, log in self.logs.items() if log.state is LogState.DAMAGED]
        more = len(damaged) - _MOST_NAMED
        rest = [f"{more} more damaged logs are left out."] if more > 0 else []
        return [f"Left out, damaged: {text}." for text in damaged[:_MOST_NAMED]] + rest


def counted_logs(logs: Mapping[str, LogSummary], with_forks: bool = False) -> CountedLogs:
    """Sort logs by whether they count."""
    copied = copies(logs)
    states = {name: _state(name, logs, copied, with_forks) for name in logs}
    return CountedLogs(logs, states, copied)


def check_any_ended(found: CountedLogs, folder: object) -> None:
    """UsageError when no log counts, AllDamagedError when every log is damaged."""
    if all(log.state is LogState.DAMAGED for log in found.logs.values()):
        raise AllDamagedError(" ".join(found.notes()))
    if not found.ended and found.counts[_FORKS]:
        raise UsageError(f"Every match in {folder} that has ended is a fork of another one: --forks counts them.")
    if not found.ended:
        raise UsageError(f"None of {counted(len(found.logs), 'match')} in {folder} has ended.")


def _state(name: str, logs: Mapping[str, LogSummary], copied: Mapping[str, str], with_forks: bool) -> str:
    log = logs[name]
    if name in copied:
        return _TWINS if is_twin(log, logs[copied[name]]) else _COPIES
    if log.is_playback and log.state is not LogState.DAMAGED:
        return _PLAYED_BACK
    if log.is_fork and log.state is not LogState.DAMAGED and not with_forks:
        return _FORKS
    return _STATES.get(log.state, "unfinished")


def _list(some: Iterable[LeftOutData]) -> str:
    named = [f"{one['log']} of {one['of']}" + (f" at decision {one['at']}" if one["at"] else "") for one in some]
    return ", ".join(named[:_MOST_NAMED]) + (", …" if len(named) > _MOST_NAMED else "")


def _counted_forks(ended: list[LogSummary]) -> list[str]:
    """A sentence about forks that count, whose results depend on decisions of another match."""
    forks = sum(log.is_fork for log in ended)
    if not forks:
        return []
    return [
        f"Forks: {forks} of {counted(len(ended), 'match')}. A fork shares its first decisions with the match it came from; its"
        " decisions, mistakes, cost and measures count from there on."
    ]


def _unnamed(states: Mapping[str, int]) -> list[str]:
    notes = []
    if unfinished := states["unfinished"]:
        notes.append(
            f"Left out: {counted(unfinished, 'unfinished match')}. This favours agents that are fast and reliable: finish them."
        )
    if failed := states["failed"]:
        notes.append(
            f"Left out: {counted(failed, 'match')} that failed because of a bug: `tabletop logs --state failed` lists them."
        )
    if again := states[_PLAYED_BACK]:
        notes.append(f"Left out: {counted(again, 'match')} played back from recorded answers.")
    return notes
