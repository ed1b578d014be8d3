"""Entrant names: what a tournament calls its agents, for players who join one of its matches later."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from games.core.errors import OptionError
from runner.arena.plan_file import plan_of, read_plan
from runner.arena.tournament_dir import MANIFEST
from runner.errors import TabletopError

_DEEPEST = 2
"""The logs of a tournament are in sub-folders of its folder."""


def entrant_names(log: Path) -> dict[str, str]:
    """The names of the agents by their SPECs in the tournament that a log is part of; none of a SPEC that several agents have,
    or for another log."""
    for folder in log.absolute().parents[:_DEEPEST]:
        if (folder / MANIFEST).exists():
            return _names(folder / MANIFEST)
    return {}


def _names(manifest: Path) -> dict[str, str]:
    try:
        entrants = plan_of(read_plan(manifest)).entrants
    except (TabletopError, OptionError):
        return {}
    times = Counter(entrant.spec.text for entrant in entrants)
    return {entrant.spec.text: entrant.name for entrant in entrants if times[entrant.spec.text] == 1}
