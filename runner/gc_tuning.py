"""How often the collector of cyclic garbage is at work."""

from __future__ import annotations

import gc

_YOUNG = 10_000
"""Objects that come to be before the collector looks at them; by default 700, which many matches at once make in no time."""


def collect_seldom() -> None:
    """Search for cycles less often: states and events have none, so that the search finds little and costs much."""
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
