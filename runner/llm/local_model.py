"""Local model: a model file with the settings of its server, and whether memory holds it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from runner.errors import AccountError
from runner.llm.model_file import ModelFile

LOCAL_URL = "http://gguf.invalid"
"""The base URL of local models, by digest: their server's address is known only while it runs, and is in no log."""

LOCAL_REPLY, LOCAL_SECONDS = 1024, 900.0
"""The longest reply in tokens, and the seconds for a call, unless agents.toml says otherwise: processors are slow, and the room
for the reply of each slot takes memory."""

MOST_SLOTS = 4
"""Requests that a server answers at the same time, unless agents.toml says otherwise."""

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
    """How a model's server runs: the tokens of context of each of its slots, the slots, threads, layers on the GPU, and the
    MiB of memory for prompts that wait for a slot.

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
        """The plan for people."""
        at_once = f"{self.slots} requests at once with {self.context:,} tokens each"
        return at_once if self.slots > 1 else f"one request at a time with {self.context:,} tokens"


def server_plan(models: list[LocalModel], prompt_tokens: int, reply_tokens: int, seats: int) -> ServerPlan:
    """The server for seats of one model file. `prompt_tokens` is the size of the longest prompt to be expected,
    `reply_tokens` that of the reply and of what a seat remembers, which is cut where the context is short.

    AccountError when the model's context or the memory is too small for it.
    """
    file = models[0].file
    context = max((model.context for model in models if model.context is not None), default=None)
    context = _context(file, prompt_tokens, reply_tokens) if context is None else context
    slots = max((model.parallel for model in models if model.parallel is not None), default=None)
    threads = max((model.threads for model in models if model.threads is not None), default=None)
    layers = max((model.gpu_layers for model in models if model.gpu_layers is not None), default=None)
    memory = free_memory()
    free = None if layers else memory
    for number in (slots,) if slots is not None else _slots(seats):
        need = _need(file, context * number, file.header.cache_bytes)
        if free is None or need <= free:
            full = _need(file, context * number, file.header.full_cache_bytes)
            keeps_all = free is not None and full <= free
            waiting, needs_gpu = _waiting(free, full if keeps_all else need), memory is not None and memory < need
            return ServerPlan(file, context, number, threads, layers, waiting, keeps_all, needs_gpu)
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


def _slots(seats: int) -> Iterator[int]:
    """Numbers of slots, from the best on: one for each seat keeps the prompt of each in memory."""
    return iter(range(max(1, min(seats, MOST_SLOTS)), 0, -1))


def _need(file: ModelFile, tokens: int, bytes_each: int) -> int:
    return file.size + tokens * bytes_each + _BYTES_OF_CODE


def _waiting(free: int | None, need: int) -> int:
    """At most half of the free memory, and 2 GiB."""
    return 512 if free is None else min(2048, (free - need) // 2 // 2**20)


def in_bytes(size: int) -> str:
    """A size for people."""
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
    cached = sum(int(line.split()[1]) for line in lines if line.startswith("file "))
    return most - used + cached
