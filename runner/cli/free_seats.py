"""Free seats: those that no --seat names, who plays them, and the question before that costs money."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from games.core import seat_name
from runner.agents.environment import DEFAULT_MODEL_VARIABLE, Settings, seat_variable
from runner.agents.filled_seats import Filled
from runner.errors import UsageError
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean

_REMEDY = "Name the seats with --seat (offline and bot:NAME are free), set DEFAULT_MODEL, or add --yes."


def check_free_seats(filled: Filled, given: int, settings: Settings, has_consent: bool, is_quiet: bool) -> None:
    """Print who plays the seats after the first `given` ones. UsageError when they cost money and nobody agrees to that."""
    free = range(given, len(filled.specs))
    named = [seat for seat in free if settings.get(seat_variable(seat), settings.get(DEFAULT_MODEL_VARIABLE))]
    if named and not is_quiet:
        players = ", ".join(f"{seat_name(seat)} {clean(filled.specs[seat].named_text, 200)}" for seat in named)
        print_note(f"Free seats, from .env or the environment: {players}.")
    if filled.paid_by_default and not has_consent:
        _ask(filled.paid_by_default, [seat for seat in free if seat not in named])


def _ask(model: str, seats: Sequence[int]) -> None:
    """Ask whether a model that costs money may play. UsageError for a no, and where nobody can be asked."""
    names = ", ".join(map(seat_name, seats))
    text = f"No --seat names {names}: {model} would play there, which costs money."
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(text, remedy=_REMEDY)
    try:
        is_wanted = typer.confirm(f"{text} Play?", err=True)
    except typer.Abort:
        is_wanted = False
    if not is_wanted:
        raise UsageError("Nothing was played.", remedy=_REMEDY)
