"""Model file: a GGUF file, its digest and its header. The digest of a large file is kept in the user's cache folder."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path

from runner.llm.gguf_header import GgufError, GgufHeader, read_header

_FIRST_PART = re.compile(r"(.*)-00001-of-(\d{5})\.gguf", re.DOTALL)
"""The name of the first file of a model that is split (llama.cpp, gguf-split)."""

_LARGE = 64 * 2**20
"""Bytes of a file whose digest is kept: a smaller one is read in a blink."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file: its path, its bytes with all parts, its SHA-256, its header."""

    path: Path
    size: int
    sha256: str
    header: GgufHeader

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name


def model_file(path: Path) -> ModelFile:
    """The model in a file. GgufError for one that is no whole GGUF file; OSError when it cannot be read."""
    if not path.is_file():
        raise GgufError("is no file" if path.exists() else "does not exist")
    stamps = tuple(_stamp(part) for part in _parts(path.absolute()))
    return _model_file(path, stamps)


_Stamp = tuple[str, int, int, int]
"""Path, bytes, and the times of the last changes of content and entry: a file with the same stamp is unchanged."""


def _stamp(path: Path) -> _Stamp:
    found = path.stat()
    return str(path), found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _parts(path: Path) -> list[Path]:
    """The files of a model."""
    first = _FIRST_PART.fullmatch(path.name)
    if first is None:
        return [path]
    parts = [path.with_name(f"{first[1]}-{number:05}-of-{first[2]}.gguf") for number in range(1, int(first[2]) + 1)]
    if missing := next((part for part in parts if not part.is_file()), None):
        raise GgufError(f"is a part of a model whose part {missing.name} does not exist")
    return parts


@lru_cache(64)
def _model_file(path: Path, stamps: tuple[_Stamp, ...]) -> ModelFile:
    header = read_header(path)
    digests = [_digest(stamp) for stamp in stamps]
    whole = digests[0] if len(digests) == 1 else sha256("".join(digests).encode()).hexdigest()
    return ModelFile(path, sum(size for _, size, _, _ in stamps), whole, header)


def _digest(stamp: _Stamp) -> str:
    """The SHA-256 of a file; that of a large, unchanged file from the cache."""
    path, size, *_ = stamp
    kept = _kept() if size >= _LARGE else {}
    if (known := kept.get(path)) and known[:-1] == [*stamp[1:]]:
        return str(known[-1])
    with open(path, "rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    if size >= _LARGE:
        _keep({**kept, path: [*stamp[1:], digest]})
    return digest


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tabletop" / "digests.json"


def _kept() -> dict[str, list[object]]:
    """Stamp and digest of large files, by path; empty where the cache cannot be read."""
    try:
        found = json.loads(_cache().read_text(encoding="utf-8"))
    except (OSError, ValueError, RuntimeError):
        return {}
    return {path: known for path, known in found.items() if isinstance(known, list)} if isinstance(found, dict) else {}


def _keep(digests: dict[str, list[object]]) -> None:
    """Replace the cache at once, if it can be written."""
    with suppress(OSError, RuntimeError):
        path = _cache()
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.write_text(json.dumps(digests), encoding="utf-8")
        new.replace(path)
