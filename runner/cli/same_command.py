"""Same command: how to continue a run that stopped, by the command line that began it."""

from __future__ import annotations

import shlex
import sys

_BUDGET = "--budget"


def same_command(budget: float | None) -> str:
    """The sentence that says how to continue. `budget` is the limit in USD that may be spent."""
    from runner.llm.budget import plain_number, raised

    words = ["tabletop", *sys.argv[1:]]
    higher = [] if budget is None else [*_without_budget(words), _BUDGET, plain_number(raised(budget))]
    more = f"; if the budget is spent, with `{shlex.join(higher)}`" if higher else ""
    return f"The same command resumes it: `{shlex.join(words)}`{more}."


def _without_budget(words: list[str]) -> list[str]:
    place = next((place for place, word in enumerate(words) if word.partition("=")[0] == _BUDGET), len(words))
    return words[:place] + words[place + (1 if "=" in "".join(words[place : place + 1]) else 2) :]
