"""Partings: where sequences that begin alike go apart, such as the decisions of several matches of one deal."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

Step = TypeVar("Step", bound=Hashable)


class Parting(NamedTuple, Generic[Step]):
    """The place of a step, from 0, at which sequences that were alike up to there differ, and by step which of them have it, by
    number from 0; None is the end of a sequence."""

    at: int
    after: Mapping[Step | None, Sequence[int]]


def partings(lines: Sequence[Sequence[Step]]) -> list[Parting[Step]]:
    """All partings, in the order of their places: any two sequences that differ are apart in exactly one of them."""
    found, alike = list[Parting[Step]](), [[*range(len(lines))]]
    for at in range(max(map(len, lines), default=0) + 1):
        coming, alike = alike, []
        for group in coming:
            after: dict[Step | None, list[int]] = {}
            for number in group:
                after.setdefault(lines[number][at] if at < len(lines[number]) else None, []).append(number)
            if len(after) > 1:
                found.append(Parting(at, after))
            alike += [own for step, own in after.items() if step is not None and len(own) > 1]
    return found
