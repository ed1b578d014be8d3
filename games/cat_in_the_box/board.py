"""The research board as bits: colours, cells, rows and groups.

A cell is a number: ten times its row plus its rank, so that 37 is red 7. Rows are counted from the bottom (green 0,
yellow 1, blue 2, red 3): the highest cell of a trick that counts is then the largest number. A set of cells is an int with
those bits; the unused bit below rank 1 keeps the rows apart.
"""

from __future__ import annotations

from collections.abc import Iterable

COLOURS = ("red", "blue", "yellow", "green")
"""The rows from top to bottom (rule 3)."""

WIDTH = 10
RANKS = range(1, WIDTH)

_FROM_BOTTOM = COLOURS[::-1]
_ROW = sum(1 << rank for rank in RANKS)

ROWS = {colour: _ROW << WIDTH * row for row, colour in enumerate(_FROM_BOTTOM)}
GREEN, YELLOW, BLUE, RED = ROWS.values()
ALL_CELLS = sum(ROWS.values())
NOT_RED = ALL_CELLS ^ RED

ROW_OF = tuple(_ROW << WIDTH * (cell // WIDTH) for cell in range(4 * WIDTH))
"""The whole row that a cell lies in."""

COLUMN_OF = tuple(sum(1 << cell for cell in range(rank, 4 * WIDTH, WIDTH)) for rank in range(WIDTH))
"""The four cells of a rank."""

PATTERN = 0b111111111


def _ranks(pattern: int) -> tuple[int, ...]:
    return tuple(rank for rank in RANKS if pattern >> rank - 1 & 1)


RANKS_OF = tuple(_ranks(pattern) for pattern in range(PATTERN + 1))
"""The ranks in a pattern: nine bits, the lowest for rank 1."""

CELLS_OF = tuple(sum(COLUMN_OF[rank] for rank in ranks) for ranks in RANKS_OF)
"""The cells, in all rows, of the ranks in a pattern."""

_GREENS, _YELLOWS, _BLUES, _REDS = (
    tuple(tuple(WIDTH * row + rank for rank in ranks) for ranks in RANKS_OF) for row in range(4)
)


def cells(mask: int) -> tuple[int, ...]:
    """The cells of a set, row by row from the top."""
    return _REDS[mask >> 31] + _BLUES[mask >> 21 & 511] + _YELLOWS[mask >> 11 & 511] + _GREENS[mask >> 1 & 511]


def mask_of(numbers: Iterable[int]) -> int:
    """The set of these cells."""
    mask = 0
    for cell in numbers:
        mask |= 1 << cell
    return mask


def cell_at(colour: str, rank: int) -> int:
    """The cell of a colour and a rank."""
    return WIDTH * _FROM_BOTTOM.index(colour) + rank


def ranks_in(mask: int, colour: str) -> tuple[int, ...]:
    """The ranks of the cells of a set that lie in the row of a colour."""
    return RANKS_OF[mask >> WIDTH * _FROM_BOTTOM.index(colour) + 1 & 511]


def colour_of(cell: int) -> str:
    """The colour of the row a cell lies in."""
    return _FROM_BOTTOM[cell // WIDTH]


def rank_of(cell: int) -> int:
    """The rank of the column a cell lies in."""
    return cell % WIDTH


def cell_name(cell: int) -> str:
    """A cell in words: `blue 4`."""
    return f"{_FROM_BOTTOM[cell // WIDTH]} {cell % WIDTH}"


def colours_of(rows: int) -> list[str]:
    """The colours of a set of whole rows, from the top."""
    return [colour for colour in COLOURS if rows & ROWS[colour]]


def largest_group(mask: int) -> int:
    """The largest set of cells connected side by side, the lowest one of several as large (rule 17)."""
    largest = 0
    while mask:
        group, grown = 0, mask & -mask
        while grown != group:
            group = grown
            grown = mask & (group | group << 1 | group >> 1 | group << WIDTH | group >> WIDTH)
        mask ^= group
        if group.bit_count() > largest.bit_count():
            largest = group
    return largest


def neutral_cells(revealed: Iterable[int]) -> int:
    """The cells of the neutral tokens: green for a rank turned up once, yellow as well for a second, blue for a third."""
    mask = 0
    for rank in revealed:  # rule 19
        column = COLUMN_OF[rank] & ~mask
        mask |= column & GREEN or column & YELLOW or column & BLUE
    return mask
