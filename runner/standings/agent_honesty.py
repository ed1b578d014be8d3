"""Honesty of agents: how true their claims are, and how their challenges follow the chance that a claim is false."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from runner.record.log_summary import LogSummary
from runner.review.honesty import SeatHonesty
from runner.standings.document_types import HonestyData

FolderHonesty = Mapping[str, Sequence[SeatHonesty]]
"""The sums of each seat by the digest of its log."""


def honesty(logs: Iterable[LogSummary], found: FolderHonesty) -> dict[str, HonestyData]:
    """The honesty of each agent of these logs; an agent that neither claimed nor could challenge is left out."""
    sums: dict[str, SeatHonesty] = {}
    for log in logs:
        for seat, own in zip(log.seats, found.get(log.digest, ()), strict=False):
            sums[seat.name] = sums.get(seat.name, SeatHonesty()).plus(own)
    return {agent: _data(own) for agent, own in sums.items() if own.claims or own.windows}


def _data(own: SeatHonesty) -> HonestyData:
    passed = own.windows - own.challenged
    return {
        "claims": own.claims,
        "true": own.true,
        "reasons": own.reasons,
        "denied": own.denied,
        "windows": own.windows,
        "challenged": own.challenged,
        "right": own.right,
        "chance_challenged": _mean(own.chance_challenged, own.challenged),
        "chance_passed": _mean(own.chance - own.chance_challenged, passed),
        "loss": _mean(own.squares, own.windows),
    }


def _mean(total: float, number: int) -> float | None:
    return total / number if number else None
