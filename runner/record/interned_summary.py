"""Interned summary: the values that many logs have in common, such as options and settings, are in memory once."""

from __future__ import annotations

from sys import intern
from typing import TypeVar, cast

from runner.record.log_summary import LogSummary, SeatSummary
from runner.value_key import value_key

Value = TypeVar("Value")

_MOST = 4096
"""How many values are remembered."""

_known: dict[bytes, object] = {}


def interned(log: LogSummary) -> LogSummary:
    """The same summary. Its parts are those of summaries before it where they are equal: nobody may change them."""
    return log._replace(
        game=intern(log.game),
        conditions=_only(log.conditions),
        options=_only(log.options),
        prompts=intern(log.prompts),
        pack=intern(log.pack),
        seats=tuple(map(_seat, log.seats)),
    )


def _seat(seat: SeatSummary) -> SeatSummary:
    return seat._replace(
        name=intern(seat.name),
        spec=intern(seat.spec),
        settings=_only(seat.settings),
        facts=intern(seat.facts),
        mistakes=_only(seat.mistakes),
        measures={intern(name): _only(counts) for name, counts in seat.measures.items()},
    )


def _only(value: Value) -> Value:
    """The first value that was equal to this one, of the same types."""
    key = value_key(value)
    if key not in _known:
        if len(_known) >= _MOST:
            _known.clear()
        _known[key] = value
    return cast(Value, _known[key])
