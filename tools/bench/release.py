"""Last release: the ratios that were measured then, kept in a file, and whether a ratio is worse now."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.bench.figure import RATIO, Figure

FILE = Path(__file__).with_name("release.json")
NOISE = 0.25
"""Part by which a ratio may be worse than at the last release before it counts as slower.

Quiet runs of one version differed by up to a quarter.
"""

_PROJECT = Path(__file__).parents[2] / "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Stored:
    """A ratio as it was measured for a version. Ratios within one run compare between machines; seconds do not."""

    name: str
    value: float
    version: str


def read(file: Path = FILE) -> dict[str, Stored]:
    """The stored ratios by name; none without a file."""
    if not file.exists():
        return {}
    found = (Stored(**entry) for entry in json.loads(file.read_text(encoding="utf-8")))
    return {stored.name: stored for stored in found}


def write(figures: Iterable[Figure], is_whole: bool, file: Path = FILE) -> None:
    """Store the ratios among figures for this version. The others are kept, unless `is_whole`: everything was measured."""
    kept = {} if is_whole else read(file)
    version = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["version"]
    kept |= {figure.what: Stored(figure.what, round(figure.value, 3), version) for figure in figures if figure.unit == RATIO}
    entries = [asdict(kept[name]) for name in sorted(kept)]
    file.write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def before(figure: Figure, stored: Mapping[str, Stored]) -> str:
    """The stored ratio of a figure with its version; `-` without one."""
    found = stored.get(figure.what)
    return f"{found.value:,.2f} {RATIO} ({found.version})" if found and figure.unit == RATIO else "-"


def verdict(figure: Figure, stored: Mapping[str, Stored]) -> str:
    """Whether a figure is within its budget, and whether it is worse than at the last release by more than the noise."""
    said = [] if not figure.budget else ["kept" if figure.is_kept else "MISSED"]
    found = stored.get(figure.what)
    return ", ".join([*said, *(["slower than the release"] if found and _is_slower(figure, found.value) else [])])


def _is_slower(figure: Figure, then: float) -> bool:
    if figure.unit != RATIO:
        return False
    return figure.value < then / (1 + NOISE) if figure.is_better_high else figure.value > then * (1 + NOISE)
