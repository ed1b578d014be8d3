"""Deal blocks: deals grouped for errors and intervals. Matches on a deal stay together: they share its luck and its players."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from runner.standings.deal_counts import Deal

MOST_BLOCKS = 250
"""More deals than this are grouped at random into this many blocks, which changes intervals by less than one percent."""

FEWEST_FREE = 4
"""With fewer degrees of freedom there is no interval."""


class DealBlock(NamedTuple):
    """Some deals of one kind of match. `weight` turns the square of what changes without them into a part of the variance."""

    deals: tuple[Deal, ...]
    weight: float


def deal_blocks(deals: Iterable[Deal]) -> list[DealBlock]:
    """The blocks of some deals, in which no kind has more than its share of `MOST_BLOCKS`."""
    kinds: dict[str, list[Deal]] = {}
    for deal in sorted(deals):
        kinds.setdefault(deal[0], []).append(deal)
    most = max(2, MOST_BLOCKS // max(1, len(kinds)))
    return [block for found in kinds.values() for block in _blocks(found, most)]


def _blocks(deals: list[Deal], most: int) -> list[DealBlock]:
    number = min(len(deals), most)
    if len(deals) > most:
        random.Random(0).shuffle(deals)
    return [DealBlock(tuple(deals[place::number]), (number - 1) / number) for place in range(number)]


def free_of(blocks: Sequence[DealBlock]) -> int:
    """The degrees of freedom: the blocks less one for each kind of match."""
    return len(blocks) - len({block.deals[0][0] for block in blocks})
