"""Local model: a model file with the settings of its server, and whether memory holds it."""

import json
import os
import re
import struct
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest, sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, TypeAlias

from runner.errors import AccountError, TabletopError
from runner.files import write_whole

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
        return bool(self.facts.get("tokenizer.chat_template"))

    @property
    def cache_bytes(self) -> int:
        """The least bytes of the cache for a token: with a sliding window, at least every sixth layer keeps all tokens."""
        return self.full_cache_bytes // 6 if self.number("attention.sliding_window") else self.full_cache_bytes

    @property
    def full_cache_bytes(self) -> int:
        """The bytes of the cache for a token if all layers keep it, at 16 bits a number; 0 where the header does not say."""
        layers, heads = self.number("block_count") or 0, self.number("attention.head_count") or 0
        per_head = (self.number("embedding_length") or 0) // heads if heads else 0
        key, value = (self.number(f"attention.{part}_length") or per_head for part in ("key", "value"))
        kept = self.facts.get(f"{self.facts.get('general.architecture')}.attention.head_count_kv")
        kept_heads = int(sum(kept)) if isinstance(kept, tuple) else layers * int(kept if isinstance(kept, int) else heads)
        return kept_heads * (key + value) * 2


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

    def take(self, kind: str = "Q") -> Any:
        """A number, by struct's letter for it."""
        (found,) = struct.unpack_from(f"<{kind}", self._data, self.at)
        self.at += struct.calcsize(f"<{kind}")
        return found

    def text(self) -> str:
        """A text, which its length comes before."""
        end = self.take() + self.at
        self.demand(end)
        found, self.at = self._data[self.at : end], end
        return found.decode()

    def value(self, kind: int) -> Value:
        if kind == _STRING:
            return self.text()
        found: Value = self._list() if kind == _ARRAY else self.take(_FORMATS[kind])
        return found

    def _list(self) -> Value:
        kind, count = self.take("I"), self.take()
        if kind in _FORMATS and count <= _LONGEST_ARRAY:
            return tuple(self.take(_FORMATS[kind]) for _ in range(count))
        if kind == _STRING:
            unpack, data = struct.Struct("<Q").unpack_from, self._data
            for _ in range(count):
                self.at += 8 + unpack(data, self.at)[0]
        else:
            self.at += struct.calcsize(f"<{_FORMATS[kind]}") * count
        self.demand(self.at)
        return None

    def offset(self) -> int:
        """Where the data of the next tensor begin, from the end of the header."""
        self.text()
        for _ in range(self.take("I")):
            self.take()
        self.take("I")
        return int(self.take())

    def demand(self, end: int) -> None:
        """IndexError where the file ends before."""
        if end > len(self._data):
            raise IndexError


def _read(reader: _Reader) -> GgufHeader:
    if (version := reader.take("I")) not in _VERSIONS:
        raise GgufError(f"has version {version} of the GGUF format; version {_VERSIONS[-1]} is read")
    tensors, entries = reader.take(), reader.take()
    header = GgufHeader({reader.text(): reader.value(reader.take("I")) for _ in range(entries)})
    last = max((reader.offset() for _ in range(tensors)), default=0)
    alignment = header.facts.get("general.alignment")
    reader.demand(reader.at + -reader.at % (alignment if isinstance(alignment, int) else 32) + last + 1)
    return header


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
        return self.path.name


def model_file(path: Path) -> ModelFile:
    """The model in a file. GgufError for one that is no whole GGUF file; OSError when it cannot be read."""
    if not path.is_file():
        raise GgufError("is no file" if path.exists() else "does not exist")
    found = ((str(part), part.stat()) for part in _parts(path.absolute()))
    return _model_file(path, tuple((name, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for name, one in found))


_Stamp = tuple[str, int, int, int]
"""Path, bytes, and the times of the last changes of content and entry: a file with the same stamp is unchanged."""


def _parts(path: Path) -> list[Path]:
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
    """The SHA-256 of a file; that of a large, unchanged file from the cache, which is replaced if it can be written."""
    path, size, *_ = stamp
    kept = _kept() if size >= _LARGE else {}
    if (known := kept.get(path)) and known[:-1] == [*stamp[1:]]:
        return str(known[-1])
    with open(path, "rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    if size >= _LARGE:
        with suppress(OSError, RuntimeError, TabletopError):
            _cache().parent.mkdir(parents=True, exist_ok=True)
            write_whole(_cache(), json.dumps({**kept, path: [*stamp[1:], digest]}), "The cache")
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


LOCAL_URL = "http://gguf.invalid"
"""The base URL of local models, by digest: their server's address is known only while it runs, and is in no log."""

MOST_SLOTS = 4
"""Requests that a server answers at the same time, unless agents.toml says otherwise."""

_SETTINGS = ("context", "threads", "gpu_layers", "parallel")
_SMALLEST_CONTEXT = 2048
_STEP = 256
_BYTES_OF_CODE = 200 * 2**20
"""Memory of the server beside the model and its caches."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model file, and what agents.toml sets for its server; None for what tabletop chooses."""

    file: ModelFile
    context: int | None = None
    threads: int | None = None
    gpu_layers: int | None = None
    parallel: int | None = None

    @property
    def base_url(self) -> str:
        """The base URL under which the model is known: it names the file's content and no address."""
        return f"{LOCAL_URL}/{self.file.sha256[:16]}/v1"


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """How a model's server runs: the tokens of context of each of its slots, and the memory for prompts that wait for one.

    `keeps_all`: layers with a sliding window keep all tokens too. Without that, llama.cpp reads a prompt from its beginning
    if it differs before its end from the one before it. `needs_gpu`: the machine's memory alone is too small."""

    file: ModelFile
    context: int
    slots: int
    threads: int | None = None
    gpu_layers: int | None = None
    waiting_mib: int = 0
    keeps_all: bool = False
    needs_gpu: bool = False

    @property
    def in_words(self) -> str:
        at_once = f"{self.slots} requests at once with {self.context:,} tokens each"
        return at_once if self.slots > 1 else f"one request at a time with {self.context:,} tokens"


def joined(models: Iterable[LocalModel]) -> LocalModel:
    """The settings of all models of one file: the highest of each."""
    found = list(models)

    def highest(name: str) -> int | None:
        return max((value for model in found if (value := getattr(model, name)) is not None), default=None)

    return LocalModel(found[0].file, *map(highest, _SETTINGS))


def server_plan(model: LocalModel, prompt_tokens: int, reply_tokens: int, seats: int) -> ServerPlan:
    """The server for seats of one model file. `prompt_tokens` is the size of the longest prompt to be expected, `reply_tokens`
    that of the reply and of what a seat remembers, which is cut where the context is short. AccountError when the model's
    context or the memory is too small for it."""
    file, layers = model.file, model.gpu_layers
    context = _context(file, prompt_tokens, reply_tokens) if model.context is None else model.context
    memory = free_memory()
    free = None if layers else memory
    most_slots = max(1, min(seats, MOST_SLOTS))  # one for each seat keeps the prompt of each in memory
    for slots in range(most_slots, 0, -1) if model.parallel is None else (model.parallel,):
        fixed, tokens = file.size + _BYTES_OF_CODE, context * slots
        need, full = (fixed + tokens * each for each in (file.header.cache_bytes, file.header.full_cache_bytes))
        if free is None or need <= free:
            keeps_all = free is not None and full <= free
            left = None if free is None else free - (full if keeps_all else need)
            waiting = 512 if left is None else min(2048, left // 2 // 2**20)
            needs_gpu = memory is not None and memory < need
            return ServerPlan(file, context, slots, model.threads, layers, waiting, keeps_all, needs_gpu)
    raise AccountError(
        f"{file.path} needs {in_bytes(need)} of memory with {context:,} tokens of context, and {in_bytes(free or 0)} is free.",
        remedy="Take a smaller model, or set `context` lower in agents.toml (with a GPU: `gpu_layers` above 0).",
    )


def _context(file: ModelFile, prompt_tokens: int, reply_tokens: int) -> int:
    most = file.header.context
    if most is not None and most < prompt_tokens:
        raise AccountError(
            f"{file.path} has a context of {most:,} tokens, and prompts of this match may have {prompt_tokens:,}.",
            remedy="Take a model with a longer context, or set `context` in agents.toml to try it.",
        )
    wanted = max(prompt_tokens + reply_tokens, _SMALLEST_CONTEXT)
    return min(wanted + -wanted % _STEP, most or wanted + _STEP)


def in_bytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 10**9 else f"{size / 1e6:,.0f} MB"


def free_memory() -> int | None:
    """The bytes of memory that this process may still take; None where the system does not say."""
    if sys.platform != "linux":
        return None
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    free = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)
    bounds = [bound for bound in (free, _left_in_group()) if bound is not None]
    return min(bounds, default=None)


def _left_in_group(folder: Path = Path("/sys/fs/cgroup")) -> int | None:
    """The bytes that the control group of a container leaves, cached files not counted; None without such a bound."""
    try:
        most, used = (int((folder / f"memory.{name}").read_text(encoding="ascii")) for name in ("max", "current"))
        lines = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return None
    return most - used + sum(int(line.split()[1]) for line in lines if line.startswith("file "))
