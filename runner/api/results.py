"""Results: a log and standings as Python programs and notebooks read them, with typed records and tables. Notebooks show
HTML, in which all text is escaped, since models and logs may hold anything."""

import shutil
import weakref
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import cast

from games.core import quoted
from games.statistics.document_types import StandingsData
from games.statistics.strengths import Anchor
from runner.errors import UsageError
from runner.export.log_rows import rows_of
from runner.export.pages import macro
from runner.export.table_columns import TABLES, DataRow
from runner.export.table_pages import agent_rows
from runner.match.header import HeaderRecord
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, Record, ResultRecord
from runner.record.reader import Log as ReadLog
from runner.record.replay import whole_questions
from runner.record.verify import verify
from runner.standings.document import folder_matches, standings
from runner.standings.tables import game_title, tables


class Log:
    """A log of a match. Its records are typed dictionaries, field for field as in docs/log.md, with all references resolved."""

    def __init__(self, log: ReadLog) -> None:
        """Wrap a log that was read."""
        self._log = log

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
        questions = iter(self.questions)
        return [next(questions) if record["kind"] == "question" else self._log.whole(record) for _, record in self._log.records]

    @cached_property
    def questions(self) -> Sequence[QuestionRecord]:
        """What seats were asked, with the view that each had. LogDamagedError when the rules do not lead to a bot's view."""
        expand, found = self._log.expand, whole_questions(self._log)
        return [{**record, "schema": expand(record["schema"]), "view": expand(record["view"])} for record in found]

    @property
    def attempts(self) -> Sequence[AttemptRecord]:
        """Every attempt to get an answer, with the exact messages that were sent and the reply."""
        return [cast(AttemptRecord, self._log.whole(record)) for _, record in self._log.of_kind("attempt")]

    @property
    def decisions(self) -> Sequence[DecisionRecord]:
        """What the seats decided."""
        return [record for _, record in self._log.of_kind("decision")]

    def table(self, name: str) -> list[DataRow]:
        """The rows of a table that `export --table` names, for pandas or polars. Every row has every column of the table; None
        where it has no value. UsageError for another name."""
        if name not in TABLES:
            raise UsageError(f"There is no table {quoted(name)}: there is {', '.join(TABLES)}.")
        return rows_of(self._log, self._log.path.name, [name])[name]

    def verify(self) -> None:
        """Play the match again by the rules. LogDamagedError at the first record that does not follow."""
        verify(self._log)

    def keep_until_unused(self) -> None:
        """Delete the log's folder, a temporary one, once this object is no longer used."""
        weakref.finalize(self, shutil.rmtree, self.path.parent, ignore_errors=True)

    def __repr__(self) -> str:
        header, result = self.header, self.result
        names = ", ".join(seat["name"] for seat in header["seats"])
        ending = f"winners {result['winners']}, scores {result['scores']}" if result else "not ended"
        return f"<Log of {header['game']}, seed {header['seed']}: {names}; {ending}>"

    def _repr_html_(self) -> str:
        return macro("notebook.html", "log")(self.table("matches")[0], self.table("seats"))


class Standings:
    """Ratings of the players in a folder of logs. `data` is the document that `tabletop standings --json` prints."""

    def __init__(self, folder: Path | str, may_pool: Collection[str] = (), anchor: Anchor | None = None) -> None:
        """Read the logs. UsageError when they may not be pooled or no match has ended, AllDamagedError when all are damaged."""
        self.data: StandingsData = standings(folder_matches(Path(folder), may_pool, anchor))

    def table(self) -> list[dict[str, object]]:
        """A row for each player of each game, with intervals as `NAME_low` and `NAME_high`."""
        return list(agent_rows(self.data))

    def __repr__(self) -> str:
        games = ", ".join(f"{game['game']}: {game['matches']} matches" for game in self.data["games"])
        return f"<Standings of {self.data['folder']}; {games}>"

    def _repr_html_(self) -> str:
        found = [(game_title(game), tables(game), game["notes"]) for game in self.data["games"]]
        return macro("notebook.html", "standings")(found, self.data["notes"])
