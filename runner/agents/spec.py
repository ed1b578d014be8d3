"""What a SPEC says: who sits at the table, in one word of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

OFFLINE = "offline"
HUMAN = "human"
BOT = "bot:"
PACK = "+pack:"


def split_spec(spec: str) -> tuple[str, Path | None]:
    """Who plays, and the folder of the seat's own prompt pack: `SPEC+pack:DIR`."""
    who, mark, folder = spec.partition(PACK)
    return who, Path(folder) if mark else None


def with_pack(spec: str, folder: Path | None) -> str:
    """The SPEC of a seat that reads a prompt pack of its own."""
    return spec if folder is None else f"{spec}{PACK}{folder}"


def is_offline(spec: str) -> bool:
    """Whether a SPEC is the offline model, as it is or with a bad habit (`offline/illegal`)."""
    return spec.split("/")[0] == OFFLINE and "@" not in spec


def needs_client(specs: Sequence[str]) -> bool:
    """Whether any seat is played by a model."""
    return any(not spec.startswith(BOT) and spec != HUMAN for spec in specs)


def people(specs: Sequence[str]) -> tuple[int, ...]:
    """The seats played by people."""
    return tuple(seat for seat, spec in enumerate(specs) if spec == HUMAN)
