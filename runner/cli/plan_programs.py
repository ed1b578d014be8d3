"""Plan programs: programs and functions that a plan alone names. A plan may come from anybody, so it alone starts nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.core import listed
from runner.agents.log_trust import unnamed
from runner.agents.spec import Endpoint, Local
from runner.errors import AccountError

if TYPE_CHECKING:
    from pathlib import Path

    from runner.agents.environment import Settings
    from runner.arena.plan import Entrant

ALLOW_PROGRAMS = "--allow-programs"


def unnamed_programs(entrants: Sequence[Entrant], settings: Settings) -> list[str]:
    """The SPECs of the programs and functions that neither .env nor agents.toml names."""
    specs = [entrant.spec for entrant in entrants]
    found = unnamed(dict(enumerate(specs)), (), settings)
    return [specs[place].who for place in found if not isinstance(specs[place], Endpoint | Local)]


def check_programs(path: Path, entrants: Sequence[Entrant], settings: Settings) -> None:
    """AccountError when these entrants of the plan `path` start something that the settings do not name."""
    if programs := unnamed_programs(entrants, settings):
        raise AccountError(
            f"The plan {path} starts {listed(programs, 'and')} with your rights, and only the plan names"
            f" {'it' if len(programs) == 1 else 'them'}: nothing was started.",
            remedy=f"If you trust the plan, add {ALLOW_PROGRAMS}.",
        )
