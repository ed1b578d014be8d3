"""Recap: who eliminated, robbed or moved whose card; the table shows the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.core import Event, View

_KINDS = {"eliminated", "ambush", "spied", "moved", "penalty"}


def recap(view: View, told: Sequence[Event]) -> Iterable[str]:
    """The events between players, in the order in which they happened."""
    return [event.text for event in told if event.kind in _KINDS]
