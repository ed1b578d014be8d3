"""Data log: a log as Python programs and notebooks read it, with typed records and tables."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import cast

from runner.api.notebook_html import match_html
from runner.errors import UsageError
from runner.export.attempt_sums import Row
from runner.export.log_rows import rows_of
from runner.export.table_columns import TABLES, Table
from runner.match.header import HeaderRecord
from runner.match.records import AttemptRecord, DecisionRecord, PhaseRecord, QuestionRecord, Record, ResultRecord
from runner.record.reader import Log as ReadLog
from runner.record.verify import verify
from runner.record.whole_records import whole_attempts, whole_questions


class Log:
    """A log of a match. Its records are typed dictionaries, field for field as in docs/log.md, with all references resolved."""

    def __init__(self, log: ReadLog, name: str | None = None) -> None:
        """Wrap a log that was read; `name` is what its rows call it, the file's name without one."""
        self._log = log
        self._name = log.path.name if name is None else name

    @property
    def path(self) -> Path:
        """The file."""
        return self._log.path

    @property
    def header(self) -> HeaderRecord:
        """What the match is played with: game, options, seed, seats, prompts."""
        return self._log.header

    @property
    def result(self) -> ResultRecord | None:
        """Scores, winners and counts; None for a match that has not ended."""
        return self._log.result

    @cached_property
    def events(self) -> Sequence[Record]:
        """Every record after the header, in order: questions, attempts, decisions, phases, penalties, talk, result."""
        whole: Mapping[str, Iterator[Record]]
        whole = {"question": iter(self.questions), "attempt": iter(self.attempts), "phase": self._phases()}
        return [next(whole[record["kind"]]) if record["kind"] in whole else record for _, record in self._log.records]

    @cached_property
    def questions(self) -> Sequence[QuestionRecord]:
        """What seats were asked, with the view that each had. LogDamagedError when the rules do not lead to a bot's view."""
        return [self._whole_question(record) for record in whole_questions(self._log)]

    @cached_property
    def attempts(self) -> Sequence[AttemptRecord]:
        """Every attempt to get an answer, with the exact messages that were sent and the reply."""
        return [self._whole_attempt(record) for _, record in whole_attempts(self._log)]

    @cached_property
    def decisions(self) -> Sequence[DecisionRecord]:
        """What the seats decided."""
        return [record for _, record in self._log.of_kind("decision")]

    def table(self, name: str) -> list[Row]:
        """The rows of the table `matches`, `seats`, `decisions`, `attempts` or `claims`, for pandas or polars.

        Every row has every column of docs/data.md; None where it has no value. UsageError for another name.
        """
        if name not in TABLES:
            raise UsageError(f"There is no table {name!r}: there is {', '.join(TABLES)}.")
        return [_completed(TABLES[name], row) for row in self._rows[name]]

    def verify(self) -> None:
        """Play the match again by the rules. LogDamagedError at the first record that does not follow."""
        verify(self._log)

    @cached_property
    def _rows(self) -> dict[str, list[Row]]:
        return rows_of(self._log, self._name)

    def _phases(self) -> Iterator[PhaseRecord]:
        """The phases, each with its name, which the log has once."""
        names = dict[int, str]()
        for _, record in self._log.of_kind("phase"):
            name = names.setdefault(record["to"], record.get("name", ""))
            yield {**record, "name": name} if name else record

    def _whole_question(self, record: QuestionRecord) -> QuestionRecord:
        return {**record, "schema": self._log.expand(record["schema"]), "view": self._log.expand(record["view"])}

    def _whole_attempt(self, record: AttemptRecord) -> AttemptRecord:
        if not record.get("request"):
            return record
        body = {**self._log.expand(record["request"]), "messages": self._log.messages(record)}
        return cast(AttemptRecord, {**record, "request": body})

    def keep_until_unused(self) -> None:
        """Delete the log's folder, a temporary one, once this object is no longer used."""
        weakref.finalize(self, shutil.rmtree, self.path.parent, ignore_errors=True)

    def __repr__(self) -> str:
        header, result = self.header, self.result
        names = ", ".join(seat["name"] for seat in header["seats"])
        ending = f"winners {result['winners']}, scores {result['scores']}" if result else "not ended"
        return f"<Log of {header['game']}, seed {header['seed']}: {names}; {ending}>"

    def _repr_html_(self) -> str:
        return match_html(self.table("matches")[0], self.table("seats"))


def _completed(table: Table, row: Row) -> Row:
    return {column.name: row.get(column.name) for column in table.columns}
