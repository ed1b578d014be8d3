"""Linear systems with a symmetric positive definite matrix, by Cholesky's factors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from operator import mul

Matrix = list[list[float]]


def diagonal(values: Sequence[float]) -> Matrix:
    return [[value if row == column else 0.0 for column in range(len(values))] for row, value in enumerate(values)]


def factor(matrix: Sequence[Sequence[float]]) -> Matrix:
    """The lower triangle L with L L' = matrix, row by row. A direction without variance gets a zero."""
    rows: Matrix = []
    for number, line in enumerate(matrix):
        row: list[float] = []
        for column in range(number):
            other = rows[column]
            rest = line[column] - sum(map(mul, row, other))
            row.append(rest / other[column] if other[column] else 0.0)
        left = line[number] - sum(map(mul, row, row))
        row.append(math.sqrt(left) if left > 1e-12 * abs(line[number]) else 0.0)
        rows.append(row)
    return rows


def solve(lower: Matrix, right: Sequence[float]) -> list[float]:
    """The solution x of L L' x = right."""
    found: list[float] = []
    for row, value in zip(lower, right, strict=True):
        found.append((value - sum(map(mul, row, found))) / row[-1])
    for number in reversed(range(len(found))):
        row = lower[number]
        value = found[number] = found[number] / row[-1]
        for column, below in enumerate(islice(row, number)):
            found[column] -= below * value
    return found


def product(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(map(mul, row, vector)) for row in matrix]


def covariances(rows: Sequence[Sequence[float]], size: int) -> Matrix:
    """The sums of the products of each two columns."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * size
    return [[sum(map(mul, one, other)) for other in columns] for one in columns]
