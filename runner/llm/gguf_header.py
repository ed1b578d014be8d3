"""GGUF header: the facts at the start of a model file (github.com/ggml-org/ggml, docs/gguf.md).

Own code: the library `gguf` needs numpy and takes seconds for the words of a vocabulary, which are skipped here.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TypeAlias

MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY = 8, 9
_FORMATS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""struct's letter for each type of a number."""

_LONGEST_ARRAY = 4096
"""Longer arrays are those of the vocabulary."""

Value: TypeAlias = int | float | str | tuple[int | float, ...] | None


class GgufError(ValueError):
    """A file is no whole GGUF file. The message is a clause about it."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """The facts of a header: numbers, texts and short lists by name; None for a list that is skipped."""

    facts: Mapping[str, Value]

    def number(self, name: str) -> int | None:
        """A number of the model's architecture, such as `context_length`; the sum of a list with one for each layer."""
        value = self.facts.get(f"{self.facts.get('general.architecture')}.{name}")
        return int(sum(value)) if isinstance(value, tuple) else int(value) if isinstance(value, int | float) else None

    @property
    def context(self) -> int | None:
        """The tokens of context that the model was trained with."""
        return self.number("context_length")

    @property
    def has_template(self) -> bool:
        """Whether the file brings a chat template."""
        return bool(self.facts.get("tokenizer.chat_template"))

    @property
    def cache_bytes(self) -> int:
        """The least bytes of the key-value cache for a token, at 16 bits a number; 0 where the header does not say.

        Of the layers of a model with a sliding window at least every sixth keeps all tokens.
        """
        return self.full_cache_bytes // 6 if self.number("attention.sliding_window") else self.full_cache_bytes

    @property
    def full_cache_bytes(self) -> int:
        """The bytes of the cache for a token if all layers keep it, at 16 bits a number; 0 where the header does not say."""
        layers, heads = self.number("block_count") or 0, self.number("attention.head_count") or 0
        per_head = (self.number("embedding_length") or 0) // heads if heads else 0
        key, value = (self.number(f"attention.{part}_length") or per_head for part in ("key", "value"))
        return self._kept_heads(layers, heads) * (key + value) * 2

    def _kept_heads(self, layers: int, heads: int) -> int:
        """The key-value heads of all layers."""
        name = f"{self.facts.get('general.architecture')}.attention.head_count_kv"
        found = self.facts.get(name)
        return int(sum(found)) if isinstance(found, tuple) else layers * int(found if isinstance(found, int) else heads)


def read_header(path: Path) -> GgufHeader:
    """The header of a file. GgufError for one that is no GGUF file, or that ends too early; OSError when it cannot be read."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise GgufError("is no GGUF file: it does not begin with the letters GGUF")
        with mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            try:
                return _read(_Reader(data, len(MAGIC)))
            except (struct.error, IndexError):
                raise GgufError(f"is cut off: it ends after {len(data):,} bytes, within its header or its tensors") from None
            except (UnicodeDecodeError, KeyError):
                raise GgufError("is no GGUF file that can be read: its header is damaged") from None


class _Reader:
    """Reads values one after the other."""

    def __init__(self, data: mmap, at: int) -> None:
        self._data, self.at = data, at

    def number(self, kind: str) -> int | float:
        """A number, by struct's letter for it."""
        found: int | float = struct.unpack_from(f"<{kind}", self._data, self.at)[0]
        self.at += struct.calcsize(f"<{kind}")
        return found

    def count(self, kind: str = "Q") -> int:
        """A whole number."""
        return int(self.number(kind))

    def text(self) -> str:
        """A text, which its length comes before."""
        end = self.count() + self.at
        self._demand(end)
        found, self.at = self._data[self.at : end], end
        return found.decode()

    def value(self, kind: int) -> Value:
        """A value of a type of the format."""
        if kind == _STRING:
            return self.text()
        return self._list() if kind == _ARRAY else self.number(_FORMATS[kind])

    def _list(self) -> Value:
        kind, count = self.count("I"), self.count()
        if kind not in _FORMATS or count > _LONGEST_ARRAY:
            self._skip(kind, count)
            return None
        return tuple(self.number(_FORMATS[kind]) for _ in range(count))

    def _skip(self, kind: int, count: int) -> None:
        if kind == _STRING:
            unpack, data = struct.Struct("<Q").unpack_from, self._data
            for _ in range(count):
                self.at += 8 + unpack(data, self.at)[0]
        else:
            self.at += struct.calcsize(f"<{_FORMATS[kind]}") * count
        self._demand(self.at)

    def _demand(self, end: int) -> None:
        if end > len(self._data):
            raise IndexError

    def demand_data(self, offset: int, alignment: int) -> None:
        """IndexError where the tensor that begins `offset` bytes after the header is not in the file."""
        self._demand(self.at + -self.at % alignment + offset + 1)


def _read(reader: _Reader) -> GgufHeader:
    if (version := reader.count("I")) not in _VERSIONS:
        raise GgufError(f"has version {version} of the GGUF format; version {_VERSIONS[-1]} is read")
    tensors, entries = reader.count(), reader.count()
    header = GgufHeader({reader.text(): reader.value(reader.count("I")) for _ in range(entries)})
    offsets = [_offset(reader) for _ in range(tensors)]
    alignment = header.facts.get("general.alignment")
    reader.demand_data(max(offsets, default=0), alignment if isinstance(alignment, int) else 32)
    return header


def _offset(reader: _Reader) -> int:
    """Where the data of the next tensor begin."""
    reader.text()
    dimensions = reader.count("I")
    for _ in range(dimensions):
        reader.count()
    reader.count("I")
    return reader.count()
