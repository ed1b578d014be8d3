"""Sources: where a match begins, and the log that it is written to: a new one, one that is resumed, or a fork of another."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, cast
from uuid import uuid4

from games.core import Game, seat_name
from runner.agents.seat import is_rated, same_seats
from runner.errors import TabletopError, UsageError
from runner.match.config import MatchConfig
from runner.match.header import HeaderRecord, logged_skin, now, package_version
from runner.match.records import Record, ResumedRecord
from runner.match.tally import DEFAULT_HOPELESS
from runner.record.decisions import OF_TABLE, LoggedDecision, fork_record, kept_lines
from runner.record.dedup import references
from runner.record.log_paths import LOGS, journal_of, place_of
from runner.record.match_budget import spending, unlogged
from runner.record.reader import Log
from runner.record.replay import opening
from runner.record.resume import Past
from runner.record.writer import LogWriter
from runner.session.match_spec import logged_shared
from runner.session.ready import ReadyMatch

_SHORT = 12
"""Characters of a digest that people compare."""


def new_log_path(game: Game, folder: Path = LOGS) -> Path:
    """The log file of a new match. Its name is printed where the seed must not be, so it has no seed."""
    return folder / f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}-{uuid4().hex[:8]}.jsonl"


def new_fork_path(parent: Path, at: int) -> Path:
    """The log file of a fork at a decision, beside its parent."""
    place, number = place_of(parent), 1
    while (path := place.with_name(f"{place.stem}-fork{at}-{number}.jsonl")).exists():
        number += 1
    return path


@dataclass
class Source:
    """The log to write, untouched until all else is ready: a new file. `past` is what it holds, None for a new match."""

    path: Path
    past: Past | None = field(default=None, init=False)

    def open(self) -> LogWriter:
        """The writer of the log. UsageError when it cannot be opened."""
        return LogWriter(self.path)


class Resumed(Source):
    """A log that continues where it ended. `writer` holds its lock already; `first` is the record that it was resumed."""

    def __init__(self, writer: LogWriter, log: Log, first: ResumedRecord) -> None:
        super().__init__(log.path)
        self.writer, self.log, self.first = writer, log, first
        self.past = Past(log.header, [*(record for _, record in log.records), first], first)

    @classmethod
    def of(cls, writer: LogWriter, log: Log, ready: ReadyMatch) -> Self:
        """A log that `ready` continues. UsageError when a rated match has changed."""
        return cls(writer, log, _resumed_record(log, ready))

    def open(self) -> LogWriter:
        """Cut off an incomplete last line, and write that the match was resumed. TabletopError leaves the log unlocked."""
        try:
            self.writer.resume_after(self.log)
            self.writer.append(self.first)
        except TabletopError:
            self.writer.close()
            raise
        return self.writer


class Forked(Source):
    """A new log that branches off from another one at a decision; `answer` is chosen for it, None: it is asked for."""

    def __init__(self, path: Path, parent: Log, decision: LoggedDecision, answer: object, ready: ReadyMatch) -> None:
        super().__init__(path)
        kept, self._shared = kept_lines(parent, decision), parent.shared
        own = ready.config.header(opening(parent.header)[1])
        changed = _changes_of_table(parent.header_at(decision.line or None), ready.config)
        self._kept: list[Record] = [record for _, record in kept]
        self._resumed = [cast(ResumedRecord, {**_resumption(), **changed})] if changed else []
        of_parent = {name: value for name, value in parent.header.items() if name in OF_TABLE}
        first = {**{name: value for name, value in own.items() if name not in OF_TABLE}, **of_parent}
        self.first = cast(HeaderRecord, {**first, "fork": fork_record(parent, decision, kept, answer)})
        self.past = Past(self.first, [*self._kept, *self._resumed], self.first)

    def open(self) -> LogWriter:
        """Create the file and copy the records into it. TabletopError leaves no file."""
        writer = LogWriter(self.path)
        try:
            writer.append(self.first)
            for record in self._kept:
                for name in references(record):
                    writer.shared.add(name, self._shared[name])
                writer.append_as_is(record)
            for resumed in self._resumed:
                writer.append(resumed)
        except TabletopError:
            writer.close()
            self.path.unlink(missing_ok=True)
            raise
        return writer


def _resumed_record(log: Log, ready: ReadyMatch) -> ResumedRecord:
    """The record that a match was resumed, with what has changed. UsageError when a rated match has changed."""
    header, config = log.latest_header, ready.config
    seats = [seat.to_json() for seat in config.seats]
    changed: dict[str, object] = {} if same_seats(config.seats, header["seats"]) else {"seats": seats}
    if config.prompts != header["prompts"]:
        changed["prompts"] = config.prompts
    changed |= _changes_of_table(header, config)
    if changed and is_rated(header["seats"]):
        _check_files(log, seats)
        raise UsageError(
            f"The match in {log.path} is rated, so its {' and '.join(changed)} cannot change:"
            " use `tabletop fork` to play on with changes."
        )
    if config.shared.said != logged_shared(header).said:
        changed["shared"] = config.shared.said
    if config.budget and config.budget != header.get("budget", {}):
        changed["budget"] = config.budget
    if config.hopeless != header.get("hopeless", DEFAULT_HOPELESS):
        changed["hopeless"] = config.hopeless
    records = [record for _, record in log.records]
    if journal_of(log.path).exists() and (lost := unlogged(log.path, spending(log.header, records))):
        changed["unlogged"] = lost._asdict()
    return cast("ResumedRecord", {**_resumption(), **changed})


def _resumption() -> dict[str, object]:
    return {"kind": "resumed", "at": now(), "package": package_version()}


def _changes_of_table(before: HeaderRecord, config: MatchConfig) -> dict[str, object]:
    """What changes of table talk and of the words that models read."""
    talk = {} if before.get("talk", False) == config.talk else {"talk": config.talk}
    if logged_skin(before) == config.words:
        return {**talk}
    return {**talk, "skin": config.words.name or None, "skin_words": dict(config.words.words)}


def _check_files(log: Log, seats: Sequence[Mapping[str, object]]) -> None:
    """UsageError for a model file that is not the one of the log."""
    for number, (present, logged) in enumerate(zip(seats, log.latest_header["seats"], strict=True)):
        found, expected = str(present.get("sha256", "")), str(logged.get("sha256", ""))
        if found and expected and found != expected:
            raise UsageError(
                f"The match in {log.path} is rated, so its model files cannot change: {present['model']} of"
                f" {seat_name(number)} has the SHA-256 {found[:_SHORT]}…, and the log has {expected[:_SHORT]}…. Put the logged"
                " file back, or use `tabletop fork` to play on with this one."
            )
