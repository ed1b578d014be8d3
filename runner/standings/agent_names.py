"""Agent names: what tells agents apart in standings. An agent is a given name with a SPEC, or a SPEC without a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runner.agents.player_name import is_given
from runner.agents.spec import parse_spec
from runner.record.log_summary import LogSummary, SeatSummary


def told_apart(logs: Sequence[LogSummary]) -> list[LogSummary]:
    """The logs, where a given name that stands for several SPECs has its SPEC beside it: `ada (openai/gpt-5-mini)`."""
    shared = _shared(seat for log in logs for seat in log.seats)
    return [log._replace(seats=tuple(_with_spec(seat, shared) for seat in log.seats)) for log in logs]


def _shared(seats: Iterable[SeatSummary]) -> set[str]:
    """The given names that several SPECs have."""
    specs: dict[str, set[str]] = {}
    for name, spec in {(seat.name, seat.spec) for seat in seats}:
        if is_given(name, parse_spec(spec)):
            specs.setdefault(name, set()).add(spec)
    return {name for name, found in specs.items() if len(found) > 1}


def _with_spec(seat: SeatSummary, shared: set[str]) -> SeatSummary:
    return seat._replace(name=f"{seat.name} ({seat.spec})") if seat.name in shared else seat
