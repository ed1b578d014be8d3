"""Columns of the tables of data: name, type, unit and meaning of each, and how a value becomes its cell.
`tabletop export --table NAME` lists them."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal, NamedTuple

ColumnType = Literal["text", "integer", "number", "boolean", "json", "time"]
"""`json` is JSON as text, `time` a time stamp in UTC (ISO 8601 in CSV and SQLite)."""

DataCell = str | int | float | bool | None
DataRow = dict[str, DataCell]
"""The cells of a row by column."""


class DataColumn(NamedTuple):
    """A column. Every column but those of its table's key may be null."""

    name: str
    type: ColumnType
    meaning: str
    unit: str = ""

    @property
    def text(self) -> str:
        """The meaning with the unit."""
        return f"{self.meaning} ({self.unit})" if self.unit else self.meaning


@dataclass(frozen=True)
class DataTable:
    """A table: its columns, the columns that identify a row, and those worth an index."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[DataColumn, ...]
    indexes: tuple[tuple[str, ...], ...]

    @cached_property
    def _converters(self) -> Sequence[tuple[str, Callable[[object], DataCell]]]:
        return [(column.name, _CONVERTERS[column.type]) for column in self.columns]

    def row(self, facts: Mapping[str, object]) -> DataRow:
        """The row of some facts: those that have the name of a column. One that its column's type does not hold is null, but
        for texts: they are what is printed."""
        return {name: None if (value := facts.get(name)) is None else cell(value) for name, cell in self._converters}


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""NUL, which ends a text in many readers, and lone surrogates, which UTF-8 does not have."""
_ENCODE = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


def _text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)


def moment(value: object) -> datetime | None:
    """The moment of a time stamp; None for what is none."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found.astimezone(UTC) if found is not None and found.tzinfo is not None else None


_CONVERTERS: Mapping[ColumnType, Callable[[object], DataCell]] = {
    "text": _text,
    "json": lambda value: _text(_ENCODE(value)),
    "integer": lambda value: value if isinstance(value, int) and -(2**63) <= value < 2**63 else None,
    "number": lambda value: float(value) if isinstance(value, int | float) and math.isfinite(value) else None,
    "boolean": lambda value: value if isinstance(value, bool) else None,
    "time": lambda value: None if moment(value) is None else str(value),
}


TABLES: dict[str, DataTable] = {}
"""The tables by name."""


def _add(name: str, meaning: str, key: tuple[str, ...], *own: DataColumn, indexes: tuple[str, ...] = ("player",)) -> None:
    """Declare a table with these columns behind those of the log, which is part of every key."""
    TABLES[name] = DataTable(name, meaning, ("log", *key), (*_LOG, *own), tuple(tuple(index.split()) for index in indexes))


_LOG = (
    DataColumn("log", "text", "path of the log within the folder"),
    DataColumn("game", "text", "name of the game"),
    DataColumn("seed", "integer", "seed of the match; null if it needs more than 64 bits"),
)
_WON = DataColumn("won", "boolean", "whether the seat shares the win of the match; null before the end")
_SEAT = (
    DataColumn("seat", "integer", "seat, from 0"),
    DataColumn("player", "text", "name of the player who had the seat then"),
    _WON,
)
_PHASE = (
    DataColumn("phase", "integer", "id of the phase"),
    DataColumn("phase_name", "text", "name of the phase"),
    DataColumn("round", "integer", "round, from 1; null where nobody was asked"),
)
_TOKENS = (
    DataColumn("prompt_tokens", "integer", "tokens sent", "tokens"),
    DataColumn("completion_tokens", "integer", "tokens received, those of reasoning included", "tokens"),
    DataColumn("reasoning_tokens", "integer", "tokens of reasoning among those received", "tokens"),
    DataColumn("cached_tokens", "integer", "tokens from a cache among those sent", "tokens"),
    DataColumn("cache_write_tokens", "integer", "tokens written to a cache among those sent", "tokens"),
    DataColumn("cost", "number", "cost, by the replies' own figures", "USD"),
)
_COUNTS = (
    DataColumn("attempts", "integer", "number of attempts"),
    DataColumn("mistakes", "integer", "attempts with an invalid answer"),
    DataColumn("failures", "integer", "attempts without an answer"),
    *_TOKENS,
    DataColumn("latency", "number", "duration of all attempts", "seconds"),
)
_DECISION_COUNTS = (
    DataColumn("decisions", "integer", "decisions made, forced ones included"),
    DataColumn("forced", "integer", "decisions with only one legal answer"),
    DataColumn("penalties", "integer", "strike-outs"),
)
_DECISION = DataColumn("decision", "integer", "number of the decision, from 1")
_MOVE = (_DECISION, *_SEAT)
_LINE = DataColumn("line", "integer", "line of the log")
_QUESTION = DataColumn("question", "integer", "number of the question, from 0")
_COPIED = DataColumn("copied", "boolean", "whether a fork copied it from the log of its parent")

_FORK = (
    DataColumn("fork_of", "text", "file of the log that this one is a fork of; null if it is none"),
    DataColumn("fork_at", "integer", "first decision of the fork that differs, from 1"),
    DataColumn("fork_match", "text", "random id of the match that this one is a fork of"),
)

_add(
    "matches",
    "one row for each log",
    (),
    DataColumn("match", "text", "random id of the match; copies of a log share it"),
    DataColumn("state", "text", "finished, resumable, running or failed"),
    DataColumn("rules", "text", "preset of the rules"),
    DataColumn("rules_version", "text", "version of the rules"),
    DataColumn("players", "integer", "number of seats"),
    DataColumn("options", "json", "every option of the game; values longer than 200 characters as digests"),
    DataColumn("ask", "text", "simultaneous or sequential"),
    DataColumn("ask_forced", "boolean", "whether decisions with one legal answer were asked"),
    DataColumn("talk", "boolean", "whether there was table talk"),
    DataColumn("skin", "text", "name or seed of the other words that models read; null for the game's own"),
    DataColumn("prompts", "text", "name of the prompt pack"),
    DataColumn("prompts_digest", "text", "digest of the prompt pack: equal prompts have equal digests"),
    DataColumn("templates", "json", "digest of each prompt template"),
    DataColumn("package", "text", "version of tabletop that began the log"),
    DataColumn("created", "time", "when the log was begun"),
    DataColumn("ended", "time", "when the last record with a time was written"),
    DataColumn("rounds", "integer", "rounds played; null before the end"),
    DataColumn("scores", "json", "scores by seat; null before the end"),
    DataColumn("winners", "json", "seats that share the win; null before the end"),
    DataColumn("ending", "text", "why the match ended; null before the end"),
    *_DECISION_COUNTS,
    *_COUNTS,
    DataColumn("charged", "number", "what the budget was charged", "USD"),
    *_FORK,
    DataColumn("playback", "text", "file of the recording whose answers were given"),
    DataColumn("digest", "text", "hash of the last line of a finished log"),
    indexes=("game seed", "created"),
)

_add(
    "seats",
    "one row for each seat of each log, with its last player",
    ("seat",),
    DataColumn("seat", "integer", "seat, from 0"),
    DataColumn("player", "text", "name of the last player of the seat"),
    DataColumn("spec", "text", "SPEC of the player"),
    DataColumn("kind", "text", "bot, offline, model, human or another kind"),
    DataColumn("model", "text", "model that was asked for"),
    DataColumn("base_url", "text", "address of its endpoint"),
    DataColumn("skin", "text", "name or seed of the other words that its model read; null for the game's own"),
    DataColumn("persona", "text", "text about its character in its system message"),
    DataColumn("advice", "text", "its own hints on play in the prompts"),
    DataColumn("rated", "boolean", "whether it played rated"),
    DataColumn("settings", "json", "further settings of the seat"),
    DataColumn("prompts", "text", "name of its prompt pack"),
    DataColumn("prompts_digest", "text", "digest of its prompt pack"),
    DataColumn("score", "integer", "score; null before the end"),
    _WON,
    DataColumn("win_share", "number", "1 / winners for a winner, 0 for the others; null before the end"),
    *_DECISION_COUNTS,
    *_COUNTS,
    DataColumn("measures", "json", "measures of the game: how often, out of how many chances; null before the end"),
    *_FORK,
    indexes=("player", "model"),
)

_add(
    "decisions",
    "one row for each decision",
    ("decision",),
    _DECISION,
    _LINE,
    DataColumn("question", "integer", "number of the question that it answers, from 0; null where nobody was asked"),
    *_SEAT,
    *_PHASE,
    DataColumn("how", "text", "answer, forced (only one legal answer) or strike_out"),
    DataColumn("view", "json", "what the seat was shown; null where nobody was asked and for built-in bots"),
    DataColumn("action", "json", "decision as a JSON object; null for a strike-out"),
    *_COUNTS,
    DataColumn("model", "text", "model that gave the last reply, as reported by the endpoint"),
    DataColumn("provider", "text", "provider of the last reply"),
    DataColumn("reason", "text", "reason that the model wrote in its answer"),
    DataColumn("talk", "text", "what the seat said to the table with it"),
    DataColumn("at", "time", "when the decision was applied"),
    DataColumn("digest", "text", "digest of the state after the decision"),
    _COPIED,
    indexes=("player", "game phase_name"),
)

_add(
    "attempts",
    "one row for each attempt to get an answer",
    ("attempt",),
    DataColumn("attempt", "integer", "number of the attempt in the log, from 1"),
    _LINE,
    _QUESTION,
    DataColumn("decision", "integer", "number of the decision that the question led to; null if none"),
    *_SEAT,
    *_PHASE,
    DataColumn("role", "text", "prompt template of the question"),
    DataColumn("outcome", "text", "answer, mistake, infrastructure or configuration"),
    DataColumn("what", "text", "kind of the mistake or failure"),
    DataColumn("why", "text", "what was wrong, in words"),
    DataColumn("strike", "integer", "how many answers to the question were invalid before"),
    DataColumn("answer", "json", "answer data that was read"),
    DataColumn("repaired", "boolean", "whether the answer had to be repaired to be read"),
    DataColumn("reason", "text", "reason that the model wrote in its answer"),
    DataColumn("say", "text", "what the seat says to the table with it; `talk` of its decision if it became public"),
    DataColumn("reply", "text", "text of the reply"),
    DataColumn("reasoning", "text", "reasoning that the endpoint sent beside it"),
    DataColumn("requested_model", "text", "model that was asked for"),
    DataColumn("model", "text", "model that answered, as reported by the endpoint"),
    DataColumn("provider", "text", "provider that served it"),
    DataColumn("form", "text", "form of answer that was asked for"),
    DataColumn("finish_reason", "text", "why the reply ended"),
    DataColumn("try", "integer", "number of the request within the call, from 1"),
    DataColumn("prompt_digest", "text", "digest of the messages sent: equal prompts have equal digests"),
    *_TOKENS,
    DataColumn("charged", "number", "what the budget was charged; null when unknown", "USD"),
    DataColumn("charged_tokens", "integer", "tokens the budget was charged", "tokens"),
    DataColumn("latency", "number", "duration of the attempt", "seconds"),
    DataColumn("at", "time", "when the attempt ended"),
    _COPIED,
    indexes=("log decision", "player", "outcome"),
)

_add(
    "claims",
    "one row for each decision that claims a card or may challenge a claim; of games with such claims",
    ("decision",),
    *_MOVE,
    DataColumn("claim", "text", "what is claimed, such as Duke"),
    DataColumn("claimant", "integer", "seat that claims it; another one where the decision challenges a claim or passes"),
    DataColumn("is_true", "boolean", "whether the claim is true"),
    DataColumn("chance", "number", "probability that another seat's claim is false, by the cards that the seat knows of"),
    DataColumn("challenged", "boolean", "whether the decision challenges another seat's claim"),
    DataColumn("denied", "boolean", "whether the reason denies what the decision claims; null without a reason"),
    DataColumn("affirmed", "boolean", "whether the table talk affirms what the decision claims; null without talk"),
    _COPIED,
)

_VERDICT = "probability of a bluff by the judge; null where it was not asked or its answer could not be read"

_add(
    "judged",
    "one row for each claim and each judge of `review --judge` whose verdicts are beside the log",
    ("decision", "judge_digest"),
    *_MOVE,
    DataColumn("judge", "text", "SPEC of the judge"),
    DataColumn("judge_digest", "text", "digest of the judge: SPEC, model, settings and prompts"),
    DataColumn("judge_model", "text", "model that judged"),
    DataColumn("claim", "text", "what is claimed, such as Duke"),
    DataColumn("is_true", "boolean", "whether the claim is true"),
    DataColumn("reason", "integer", f"from the reason: {_VERDICT}", "%"),
    DataColumn("talk", "integer", f"from the table talk: {_VERDICT}", "%"),
    DataColumn("both", "integer", f"from both: {_VERDICT}", "%"),
    indexes=("player", "judge"),
)

_add(
    "beliefs",
    "one row for each proposition that a model was asked about before a decision",
    ("decision", "seat", "text"),
    *_MOVE,
    DataColumn("text", "text", "proposition"),
    DataColumn("group", "text", "what it is an answer to: exactly one of a group holds; null for one that stands alone"),
    DataColumn("stated", "number", "probability that the model stated; null where it stated none"),
    DataColumn("holds", "boolean", "whether it holds; null where that never came out"),
    DataColumn("chance", "number", "its probability by the cards that the seat knows of; null where there is none"),
    _COPIED,
)

_add(
    "policies",
    "one row for each legal answer of a decision before which a model was asked for its policy",
    ("decision", "answer"),
    *_MOVE,
    DataColumn("answer", "json", "legal answer"),
    DataColumn("chance", "number", "its probability among the listed answers; null where the endpoint did not list it"),
    DataColumn("played", "boolean", "whether the seat gave this answer"),
    DataColumn("is_bluff", "boolean", "whether it makes a false claim; null in a game without claims"),
    DataColumn("drawn", "boolean", "whether the decision was drawn from the policy; otherwise the model answered by itself"),
    DataColumn("mass", "number", "probability of the labels of all legal answers"),
    DataColumn("unlisted", "number", "probability of all tokens that the endpoint did not list"),
    _COPIED,
)

_add(
    "choices",
    "one row for each valid answer to a question whose choices were shown in a drawn order",
    ("question",),
    _QUESTION,
    *_SEAT,
    DataColumn("field", "text", "first field of the answer with several values"),
    DataColumn("choices", "integer", "number of its values"),
    DataColumn("place", "integer", "place of the value that was taken in the order that was shown, from 1"),
    DataColumn("taken", "text", "value that was taken"),
    DataColumn("is_shortest", "boolean", "whether no value has fewer characters"),
    DataColumn("shortest", "integer", "number of values with the fewest characters"),
    _COPIED,
)

_add(
    "talk",
    "one row for each line of table talk that became public",
    ("line",),
    _LINE,
    DataColumn("question", "integer", "number of the question that the seat answered with it, from 0"),
    DataColumn("decision", "integer", "number of the decision that it came with"),
    *_SEAT,
    *_PHASE,
    DataColumn("text", "text", "what was said"),
    _COPIED,
)

_SHARE = "share of the win from what the seat knew, from 0 to 1"

_add(
    "reviews",
    "one row for each graded decision; of logs with a review beside them",
    ("decision",),
    *_MOVE,
    DataColumn("answer", "json", "what the seat answered"),
    DataColumn("share", "number", f"with this answer: {_SHARE}"),
    DataColumn("best", "json", "the best answer found"),
    DataColumn("best_share", "number", f"with the best answer: {_SHARE}"),
    DataColumn("given_up", "number", "best_share minus share, at least 0"),
    DataColumn("se", "number", "standard error of that difference"),
    DataColumn("regret", "number", "best_share minus share without the favour of chance, for means; can be below 0"),
    DataColumn("expected_regret", "number", "mean regret over the policy that was logged; null without one"),
    DataColumn("grade", "text", "best, good, inaccuracy, mistake, blunder, unsure or forced"),
    DataColumn("playouts", "integer", "playouts of each decision of the review"),
    _COPIED,
    indexes=("player", "grade"),
)


def described(table: DataTable) -> str:
    """The table in words: what a row is, its key, and a line for each column."""
    lines = (f"{column.name:<20}{column.type:<9}{column.text}" for column in table.columns)
    return "\n".join((f"{table.name}: {table.meaning}. Key: {', '.join(table.key)}.", *lines))
