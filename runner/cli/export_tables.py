"""`tabletop export DIR --table ...` and `--sqlite`: the logs of a folder as tables of data."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from games.core import counted
from runner.cli.output import say
from runner.errors import AllDamagedError, UsageError
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.export.table_file import Kind
    from runner.export.table_writers import TableWriter

_MOST_NAMED = 50
STDOUT = Path("-")


class TableName(StrEnum):
    """A table of data."""

    matches = "matches"
    seats = "seats"
    decisions = "decisions"
    attempts = "attempts"
    claims = "claims"


@dataclass(frozen=True, slots=True)
class TableExport:
    """An export of tables: of one `table`, or of all into a database if that is None."""

    logs: Path
    kind: Kind
    table: TableName | None
    to: Path | None
    may_replace: bool

    def run(self) -> None:
        """Write the file and print its name. UsageError without logs, AllDamagedError when every log is damaged."""
        from runner.record.log_paths import exists, log_paths

        if not exists(self.logs):
            raise UsageError(f"There is no log or folder {clean(self.logs, 200)}.")
        paths = log_paths(self.logs)
        if not paths:
            raise UsageError(f"There are no logs (*.jsonl) in {clean(self.logs, 200)}.")
        with self._writer() as writer:
            damaged = self._write(writer, paths)
        _print_damaged(damaged)
        if self.to != STDOUT:
            say(clean(self._path(), 5000))

    def _path(self) -> Path:
        if self.to is not None:
            return self.to
        from runner.record.log_paths import place_of

        name = f"{self.table}.{self.kind}"
        return self.logs / name if self.logs.is_dir() else place_of(self.logs).with_suffix(f".{name}")

    def _writer(self) -> AbstractContextManager[TableWriter]:
        from runner.export.table_columns import TABLES
        from runner.export.table_file import csv_to_stdout, table_file

        table = None if self.table is None else TABLES[self.table]
        if self.to == STDOUT:
            if table is None or self.kind != "csv":
                raise UsageError("Only CSV is written to standard output: name a file.")
            return csv_to_stdout(table)
        return table_file(self._path(), self.kind, table, self.may_replace)

    def _write(self, writer: TableWriter, paths: list[Path]) -> list[str]:
        """Write the rows of all logs; a sentence for each log that is damaged. AllDamagedError when every one is."""
        from runner.export.folder_tables import folder_cells
        from runner.export.table_columns import TABLES
        from runner.screen.progress_bar import with_progress

        tables = [TABLES[self.table]] if self.table else list(TABLES.values())
        damaged = []
        with closing(with_progress(folder_cells(self.logs, paths, tables), len(paths), "Logs")) as logs:
            for found in logs:
                if found.damage:
                    damaged.append(_damaged(found.name, found.damage))
                for name, rows in found.tables.items():
                    writer.write(TABLES[name], rows)
        if len(damaged) == len(paths):
            raise AllDamagedError(" ".join(damaged[:_MOST_NAMED]))
        return damaged


def _damaged(name: str, damage: str) -> str:
    """A log and its damage in a sentence, as every verb says it: the line behind the name, where one is known."""
    between = ", " if damage.startswith("line ") else ": "
    return f"{clean(name, 200)}{between}{clean(damage.rstrip('.'), 500)}."


def _print_damaged(damaged: list[str]) -> None:
    for sentence in damaged[:_MOST_NAMED]:
        print_note(f"Left out, damaged: {sentence}")
    more = len(damaged) - _MOST_NAMED
    if more > 0:
        print_note(f"Left out: {counted(more, 'more damaged log')}. `tabletop logs --state damaged` lists them.")
