"""What repeats in a log is written once, as a record of kind `shared`, and referred to by its digest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runner.digest import canonical, digest_of

REFERENCE = "$"
_WORTH_SHARING = 160
_HOLDERS = (dict, list)


class Sharer:
    """Replaces long values by references. `fresh` collects the records that have to be written first."""

    def __init__(self, known: set[str] | None = None) -> None:
        self._known = set() if known is None else known
        self.fresh: list[dict[str, Any]] = []

    def value(self, data: Any) -> Any:
        """The data itself, or a reference to it when it is long; of a list each item by itself, since lists grow."""
        if isinstance(data, list):
            return [self.value(item) for item in data]
        if (isinstance(data, str) and len(data) < _WORTH_SHARING) or isinstance(data, (int, float, type(None))):
            return data
        text = canonical(data)
        if len(text) < _WORTH_SHARING:
            return data
        name = digest_of(text)
        if name not in self._known:
            self._known.add(name)
            self.fresh.append({"kind": "shared", "name": name, "value": data})
        return {REFERENCE: name}

    def mapping(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """A mapping with each long value replaced."""
        return {key: self.value(value) for key, value in data.items()}

    def text(self, text: str) -> Any:
        """A text as its paragraphs, long ones replaced: joined again by blank lines they are the text."""
        return text if len(text) < _WORTH_SHARING else [self.value(part) for part in text.split("\n\n")]

    def adopt(self, name: str) -> bool:
        """Whether the value of that name was not known; from now on it is, and has to be written by the caller."""
        is_new = name not in self._known
        self._known.add(name)
        return is_new

    def taken(self) -> list[dict[str, Any]]:
        """The records to be written first, handed over."""
        fresh, self.fresh = self.fresh, []
        return fresh


def expand(data: Any, shared: Mapping[str, Any]) -> Any:
    """A value with its references resolved. KeyError for a reference to nothing."""
    if isinstance(data, dict):
        if len(data) == 1 and REFERENCE in data:
            return shared[data[REFERENCE]]
        return {key: expand(value, shared) if type(value) in _HOLDERS else value for key, value in data.items()}
    if isinstance(data, list):
        return [expand(value, shared) if type(value) in _HOLDERS else value for value in data]
    return data


def references(data: Any) -> Iterator[str]:
    """The names of the shared values that data refers to."""
    if isinstance(data, dict):
        if set(data) == {REFERENCE}:
            yield data[REFERENCE]
        else:
            for value in data.values():
                yield from references(value)
    elif isinstance(data, list):
        for value in data:
            yield from references(value)


def expand_text(data: Any, shared: Mapping[str, Any]) -> str:
    """A text that `Sharer.text` took apart."""
    return data if isinstance(data, str) else "\n\n".join(str(expand(part, shared)) for part in data)
