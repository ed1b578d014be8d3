"""Loading: notes on standard error about a model file that is loaded."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from runner.llm.local_model import in_bytes
from runner.screen.consoles import is_animated, narration, print_note
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.llm.local_model import ServerPlan


def report_loading(is_moving: bool = True) -> None:
    """Report from now on what is loaded. `is_moving`: on a terminal a sign moves meanwhile, which no other display may."""
    from runner.llm.local_servers import servers

    servers.show = _shown if is_moving else _noted


@contextmanager
def _shown(plan: ServerPlan) -> Iterator[list[str]]:
    console = narration()
    with console.status(_announcement(plan)) if is_animated(console) else nullcontext(), _noted(plan) as notes:
        yield notes


@contextmanager
def _noted(plan: ServerPlan) -> Iterator[list[str]]:
    name, began = clean(plan.file.name), time.monotonic()
    notes = [] if plan.file.header.has_template else [f"{name} has no chat template, so tabletop's own is used"]
    if not is_animated(narration()):
        print_note(f"{_announcement(plan)}.")
    yield notes
    print_note(f"{name} is loaded after {time.monotonic() - began:.0f} s, for {plan.in_words}.")
    for note in notes:
        print_note(f"Note: {note}.")


def _announcement(plan: ServerPlan) -> str:
    return f"Loading {clean(plan.file.name)} ({in_bytes(plan.file.size)})"
