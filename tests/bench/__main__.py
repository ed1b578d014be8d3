"""Measure, and say what is over its budget: `python -m tests.bench [NAME ...]`."""

from __future__ import annotations

import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

from tests.bench.figure import Figure

MEASURES = ("rules", "start", "decisions", "prompts", "crowd", "tournaments", "logs", "screen")


def main() -> int:
    """Print every figure. Exit status 2 for a measure that does not exist."""
    chosen = sys.argv[1:] or list(MEASURES)
    if unknown := [name for name in chosen if name not in MEASURES]:
        Console(stderr=True).print(f"There is no measure {unknown[0]}: there is {', '.join(MEASURES)}.", highlight=False)
        return 2
    rows = Table(box=None, pad_edge=False)
    rows.add_column("What")
    rows.add_column("Measured", justify="right", no_wrap=True)
    rows.add_column("Budget", justify="right", no_wrap=True)
    rows.add_column("")
    with Console(stderr=True).status("Measuring") as status:
        for name in chosen:
            status.update(f"Measuring: {name}")
            for figure in import_module(f"tests.bench.{name}").figures():
                _add(rows, figure)
    Console().print(rows)
    return 0


def _add(rows: Table, figure: Figure) -> None:
    verdict = "" if not figure.budget else "kept" if figure.is_kept else "MISSED"
    rows.add_row(figure.what, f"{figure.value:,.2f} {figure.unit}", figure.budget, verdict)
    rows.add_row(f"[dim]  {figure.note}[/dim]")


if __name__ == "__main__":
    sys.exit(main())
