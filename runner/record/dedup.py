"""Deduplication: a long value is written once, as a record of kind `shared`, and referred to by its digest."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from runner.digest import canonical, digest_of
from runner.match.records import AttemptRecord, QuestionRecord, Record, RequestRecord, SharedRecord

REFERENCE = "$"
_MARK = f'"{REFERENCE}"'
LONG = 160
"""Characters of JSON from which a value is long."""


def name_of(data: object) -> str | None:
    """The name under which a value is written once; None for a short one, which is written in its place."""
    text = canonical(data)
    return None if len(text) < LONG and _MARK not in text else digest_of(text)


PARAGRAPH = "\n\n"
"""What joins the paragraphs of a message."""

_CONTAINERS = (dict, list)
_SCALARS = frozenset({int, float, bool, type(None)})


class Deduplicator:
    """Replaces long values by references. `take_new` returns the records of values that have to be written first."""

    def __init__(self, names: set[str] | None = None) -> None:
        """Start with the values of these names written already."""
        self._names = set() if names is None else names
        self._new: list[SharedRecord] = []

    def record(self, record: Record) -> Record:
        if record["kind"] == "question":
            return self._question(record)
        return self._attempt(record) if record["kind"] == "attempt" else record

    def _question(self, record: QuestionRecord) -> QuestionRecord:
        found: QuestionRecord = {**record, "view": {name: self.value(value) for name, value in record["view"].items()}}
        if "schema" in record:
            found["schema"] = self.value(record["schema"])
        return found

    def _attempt(self, record: AttemptRecord) -> AttemptRecord:
        request = record.get("request")
        if not request:
            return record
        messages = [{**message, "content": self._content(message["content"])} for message in request["messages"]]
        body = {name: self.value(value) for name, value in request.items() if name != "messages"}
        return {**record, "request": cast(RequestRecord, {**body, "messages": messages})}

    def value(self, data: object) -> Any:
        """The data itself, or a reference to it when it is long; of a list each item by itself, since lists grow."""
        kind = type(data)
        if kind is list:
            return [self.value(item) for item in cast(list[object], data)]
        is_short = kind in _SCALARS or (kind is str and len(cast(str, data)) < LONG)
        if is_short or (name := name_of(data)) is None:
            return data
        self.add(name, data)
        return {REFERENCE: name}

    def _content(self, text: str | list[object]) -> object:
        """A text as its paragraphs, long ones replaced: joined again by blank lines they are the text."""
        return [self.value(part) for part in text.split(PARAGRAPH)] if isinstance(text, str) and len(text) >= LONG else text

    def add(self, name: str, value: object) -> None:
        """Have a value written, unless it is already."""
        if name not in self._names:
            self._names.add(name)
            self._new.append({"kind": "shared", "name": name, "value": value})

    def take_new(self) -> list[SharedRecord]:
        """The records to be written first; each is returned once."""
        new, self._new = self._new, []
        return new

    def take_back(self, records: Iterable[SharedRecord]) -> None:
        """Note that records of `take_new` were not written."""
        self._names.difference_update(record["name"] for record in records)


def is_reference(data: object) -> bool:
    return isinstance(data, dict) and len(data) == 1 and REFERENCE in data


def expand(data: object, shared: Mapping[str, object]) -> Any:
    """A value with its references resolved. KeyError for a reference to nothing."""
    if isinstance(data, dict):
        if len(data) == 1 and REFERENCE in data:
            return shared[data[REFERENCE]]
        return {key: expand(value, shared) if type(value) in _CONTAINERS else value for key, value in data.items()}
    if isinstance(data, list):
        return [expand(value, shared) if type(value) in _CONTAINERS else value for value in data]
    return data


def paragraphs(content: str | list[object]) -> list[Any]:
    """The paragraphs of a logged message's content; long ones are references."""
    return content.split(PARAGRAPH) if isinstance(content, str) else content


def references(record: Record) -> Iterator[str]:
    """The names of the shared values that a record refers to. Answers are not searched: a player may write anything."""
    waiting: list[Any] = []
    if record["kind"] == "question":
        waiting += record.get("schema"), record["view"]
    elif record["kind"] == "attempt":
        waiting.append(record.get("request"))
    while waiting:
        part = waiting.pop()
        if type(part) is list:
            waiting.extend(value for value in part if type(value) in _CONTAINERS)
        elif type(part) is dict:
            if len(part) == 1 and REFERENCE in part:
                yield part[REFERENCE]
            else:
                waiting.extend(value for value in part.values() if type(value) in _CONTAINERS)
