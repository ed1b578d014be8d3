"""Measure, and compare with budgets and the last release: `python -m tools.bench [--store] [NAME ...]`.

`--store` writes the ratios to tools/bench/release.json. It is for a release, on a machine that does nothing else.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module

from rich.console import Console

from tools.bench import release
from tools.bench.figure import Figure

MEASURES = ("rules", "start", "decisions", "prompts", "crowd", "tournaments", "logs", "screen")
STORE = "--store"

_ROW = "{:>18}  {:>16}  {:>18}  {:<8}  {}"
_INDENT = 4


def main() -> int:
    """Print every figure. Exit status 2 for a measure that does not exist."""
    words = sys.argv[1:]
    chosen = [word for word in words if word != STORE] or list(MEASURES)
    if unknown := [name for name in chosen if name not in MEASURES]:
        Console(stderr=True).print(
            f"There is no measure {unknown[0]}: there is {', '.join(MEASURES)}, and {STORE}.", highlight=False
        )
        return 2
    figures = list(_measured(chosen))
    sys.stdout.writelines(f"{line}\n" for line in lines(figures, release.read()))
    if STORE in words:
        release.write(figures, set(chosen) == set(MEASURES))
    return 0


def _measured(chosen: Sequence[str]) -> Iterator[Figure]:
    """The figures of these measures. Standard error has the seconds that each takes."""
    console, began = Console(stderr=True, highlight=False), time.monotonic()
    with console.status("Measuring") as status:
        for name in chosen:
            status.update(f"Measuring: {name}")
            yield from import_module(f"tools.bench.{name}").figures()
            console.print(f"{name}: measured, {time.monotonic() - began:.0f} s so far")


def lines(figures: Iterable[Figure], stored: Mapping[str, release.Stored]) -> Iterator[str]:
    """Each figure beside what it was at the last release and its budget, and below it how it was measured."""
    yield _ROW.format("Measured", "Last release", "Budget", "Verdict", "What").rstrip()
    for figure in figures:
        measured = f"{figure.value:,.2f} {figure.unit}"
        said = release.verdict(figure, stored)
        yield _ROW.format(measured, release.before(figure, stored), figure.budget, said, figure.what)
        if figure.note:
            yield f"{'':<{_INDENT}}{figure.note}"


if __name__ == "__main__":
    sys.exit(main())
