"""Finding: the result of one check of the set-up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check: `state` is ok, note (worth knowing) or wrong."""

    about: str
    state: str
    what: str
