"""Power: how small a difference a number of values shows, and how many values show a difference."""

import math

_PER_DIFFERENCE = 4.0
"""Standard errors of a difference that is found with a power of 0.8, looking after every deal."""


def visible(spread: float, number: int) -> float:
    """The difference that is found with a power of 0.8 by looking after each of this many values with this spread."""
    return _PER_DIFFERENCE * spread / math.sqrt(max(1, number))


def needed(spread: float, difference: float) -> int:
    """The values that find a difference with a power of 0.8, looking after each."""
    return math.ceil((_PER_DIFFERENCE * spread / difference) ** 2)
