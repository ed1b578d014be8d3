"""Comparability: which logs of a folder count, and which matches may be rated together."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from games.core import counted
from games.statistics.document_types import ExcludedData
from runner.errors import AllDamagedError, UsageError
from runner.files import read_toml
from runner.record.log_folder import copies, is_twin, summaries
from runner.record.log_paths import logs_in
from runner.record.log_summary import LogState, LogSummary

KINDS = ("prompts", "rules", "options", "schema", "agents", "skin", "players", "games")
"""The words of `--pool`; `players` puts all numbers of players into one table, `games` all games too."""

ALL_GAMES = "all games"
_ALL = "all"
_COMBINING = {"players", "games"}
_CONDITIONS = {
    "schema": "schema",
    "rules version": "rules",
    "rules": "rules",
    **dict.fromkeys(("ask", "ask_forced", "talk"), "options"),
    "skin": "skin",
}
_SHOWN = 3


def pooled(words: Sequence[str]) -> frozenset[str]:
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
    """The pools of some matches: one for each game and number of players unless those may be pooled. UsageError when matches of
    a pool differ in something else that may not be."""
    found: dict[tuple[str, int | None], list[LogSummary]] = {}
    for log in logs:
        found.setdefault((log.game, None if _COMBINING & set(may_pool) else len(log.seats)), []).append(log)
    each = list[Pool]()
    for (game, _), some in sorted(found.items(), key=str):
        players = {len(log.seats) for log in some}
        each.append(Pool(game, players.pop() if len(players) == 1 else None, some, _pooled_differences(game, some, may_pool)))
    if "games" not in may_pool or len(each) < 2:
        return each
    return [Pool(ALL_GAMES, None, [log for pool in each for log in pool.logs], [note for pool in each for note in pool.notes])]


def _pooled_differences(game: str, logs: Sequence[LogSummary], may_pool: Collection[str]) -> list[str]:
    """A sentence about each difference that is pooled. UsageError when one may not be."""
    found = list(_differences(game, logs))
    refused = [(kind, text) for kind, text in found if kind not in may_pool]
    if refused:
        kinds = ",".join(sorted({kind for kind, _ in refused}))
        shown = " ".join(text for _, text in refused[:_SHOWN])
        more = f" ({len(refused) - _SHOWN} more differences.)" if len(refused) > _SHOWN else ""
        raise UsageError(f"{shown}{more} Name a folder with matches of one kind, or pool them with --pool {kinds}.")
    presets = sorted({seat.name for log in logs for seat in log.seats if seat.settings["help"] == "kaggle"})
    told = [f'{agent} played with help = "kaggle": no list of legal answers, high reasoning effort.' for agent in presets]
    return [*told, *(f"Pooled: {text}" for _, text in found)]


def _differences(game: str, logs: Sequence[LogSummary]) -> Iterator[tuple[str, str]]:
    """For each difference the word of `--pool` that allows it, and a sentence."""
    for name, kind in _CONDITIONS.items():
        yield from _difference(kind, f"{game} was played with different {name}", [log.conditions[name] for log in logs])
    for name in sorted({name for log in logs for name in log.options}):
        values = [log.options.get(name, "none") for log in logs]
        yield from _difference("options", f"{game} was played with different values of the option {name}", values)
    prompts = [log.prompts for log in logs if log.prompts]
    yield from _difference("prompts", f"{game} was played with different prompts", prompts)
    settings: dict[tuple[str, str], list[object]] = {}
    facts: dict[str, list[str]] = {}
    for log in logs:
        for seat in log.seats:
            facts.setdefault(seat.name, []).append(f"{seat.spec} {seat.facts}")
            for name, value in seat.settings.items():
                settings.setdefault((seat.name, name), []).append(value)
    for (agent, name), found in sorted(settings.items()):
        yield from _difference("agents", f"The agent {agent} did not always play with the same {name}", found)
    for agent, own in sorted(facts.items()):
        yield from _difference("agents", f"The agent {agent} is not always the same", own)


def _difference(kind: str, sentence: str, values: Sequence[object]) -> Iterator[tuple[str, str]]:
    if len(times := Counter(map(str, values))) > 1:
        counts = ", ".join(f"{value} in {counted(number, 'match')}" for value, number in sorted(times.items())[:_SHOWN])
        yield kind, f"{sentence}: {counts}{', …' if len(times) > _SHOWN else ''}."


ENDED, FAILED = "ended", "failed"
_COPIES, _TWINS, _FORKS, _DAMAGED = "copies", "twins", "forks", "damaged"
_STATES = {LogState.FINISHED: ENDED, LogState.FAILED: FAILED, LogState.DAMAGED: _DAMAGED}
_OF_ANOTHER = (_COPIES, _TWINS, _FORKS)
_NOTES = read_toml(files(__package__).joinpath("left_out.toml").read_text(encoding="utf-8"))
"""What is said of logs that are left out; those that belong to the match of another one are named."""

_MOST_NAMED = 8


class CountedLogs(NamedTuple):
    """The logs of a folder by their paths, the state of each as standings count it, and for each copy the log that counts."""

    logs: Mapping[str, LogSummary]
    states: Mapping[str, str]
    copied: Mapping[str, str]

    @property
    def ended(self) -> dict[str, LogSummary]:
        return {name: self.logs[name] for name, state in self.states.items() if state == ENDED}

    @property
    def counts(self) -> Counter[str]:
        return Counter(self.states.values())

    def excluded(self) -> list[ExcludedData]:
        return [
            {
                "log": name,
                "why": why,
                "of": self.logs[name].fork_of if why == _FORKS else self.copied[name],
                "at": self.logs[name].fork_at or None,
            }
            for name, why in self.states.items()
            if why in _OF_ANOTHER
        ]

    def notes(self) -> Iterator[str]:
        counts, named = self.counts, dict[str, list[str]]()
        for one in self.excluded():
            at = f" at decision {one['at']}" if one["at"] else ""
            named.setdefault(one["why"], []).append(f"{one['log']} of {one['of']}{at}")
        for why, sentence in _NOTES.items():
            if number := counts[why]:
                names, kinds = named.get(why, []), ("log", "match", "unfinished match")
                told = dict(zip(("logs", "matches", "unfinished"), (counted(number, kind) for kind in kinds), strict=True))
                told["names"] = ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
                yield f"Left out: {sentence.format(**told)}"
        damaged = [f"{name}: {log.why.rstrip('.')}" for name, log in self.logs.items() if log.state is LogState.DAMAGED]
        yield from (f"Left out, damaged: {text}." for text in damaged[:_MOST_NAMED])
        if (more := len(damaged) - _MOST_NAMED) > 0:
            yield f"{more} more damaged logs are left out."
        if forks := sum(log.is_fork for log in self.ended.values()):
            yield (
                f"Forks: {forks} of {counted(counts[ENDED], 'match')}. A fork shares its first decisions with the match it came"
                " from; its decisions, mistakes, cost and measures count from there on."
            )


def counted_logs(folder: Path, with_forks: bool) -> CountedLogs:
    """Sort the logs of a folder by whether they count. UsageError when none does, AllDamagedError when every log is damaged."""
    logs = summaries(folder)
    if not logs:
        logs_in(folder)
    copied = copies(logs)
    found = CountedLogs(logs, {name: _state(name, logs, copied, with_forks) for name in logs}, copied)
    if found.counts[_DAMAGED] == len(logs):
        raise AllDamagedError(" ".join(found.notes()))
    if not found.ended and found.counts[_FORKS]:
        raise UsageError(f"Every match in {folder} that has ended is a fork of another one: --forks counts them.")
    if not found.ended:
        raise UsageError(f"None of {counted(len(logs), 'match')} in {folder} has ended.")
    return found


def _state(name: str, logs: Mapping[str, LogSummary], copied: Mapping[str, str], with_forks: bool) -> str:
    log = logs[name]
    if name in copied:
        return _TWINS if is_twin(log, logs[copied[name]]) else _COPIES
    if log.is_playback and log.state is not LogState.DAMAGED:
        return "played back"
    if log.is_fork and log.state is not LogState.DAMAGED and not with_forks:
        return _FORKS
    return _STATES.get(log.state, "unfinished")
