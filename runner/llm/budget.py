"""Budget: the USD and tokens that calls may take. Each call's maximum is reserved first, so the budget is never exceeded."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from runner.llm.call_errors import BudgetSpent
from runner.llm.prices import WorstCase

_MARGIN = 2.0
"""Without a price, a call is assumed to cost at most this many times the highest cost seen."""


def raised(limit: float) -> float:
    """Twice a limit, rounded up to two digits."""
    unit = 10.0 ** (math.floor(math.log10(limit)) - 1) if limit > 0 else 0.01
    return float(f"{math.ceil(2 * max(limit, unit) / unit) * unit:.6g}")


def plain_number(limit: float) -> str:
    """A limit as it is given on a command line: without an exponent and without zeros at its end."""
    return f"{limit:.10f}".rstrip("0").rstrip(".")


@dataclass(slots=True)
class Reservation:
    """The amount reserved for one call to a source, which is a model at an endpoint.

    `is_bounded`: a price was known. `is_founded`: a price or the source's earlier calls justify the amount. `number` is the
    budget's own.
    """

    source: str
    usd: float
    tokens: int
    is_bounded: bool
    is_founded: bool = True
    number: int = 0
    is_open: bool = True

    @property
    def charge(self) -> float:
        """The charge in USD if nobody knows whether the call was billed."""
        return self.usd if self.is_founded else 0.0


@dataclass(slots=True)
class Budget:
    """A limit in USD, in tokens, in both or in neither, shared by all calls of this process.

    A call whose worst case fits the rest of the budget, but not together with the reservations of others, waits for those.
    Without a price, the first call of a source runs alone, and each later one reserves twice the highest cost seen. A source
    that charged more than its worst case reserves proportionally more from then on. `spent_usd` and `spent_tokens` count the
    calls so far.
    """

    usd: float | None = None
    tokens: int | None = None
    spent_usd: float = 0.0
    spent_tokens: int = 0
    _held_usd: float = 0.0
    _held_tokens: int = 0
    _highest: dict[str, float] = field(default_factory=dict)
    _factor: dict[str, float] = field(default_factory=dict)
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def is_limited(self) -> bool:
        """Whether there is any limit."""
        return self.usd is not None or self.tokens is not None

    @property
    def reserves(self) -> bool:
        """Whether each call's maximum is set aside before the call."""
        return self.is_limited

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve the worst case, after the reservations of others if need be. Raises BudgetSpent when it no longer fits."""
        while True:
            usd = self._bound(worst.usd, source)
            self._raise_if_spent(usd, worst.tokens)
            if self._fits_beside_others(usd, worst.tokens):
                self._held_usd += usd
                self._held_tokens += worst.tokens
                is_bounded = worst.usd is not None
                is_founded = is_bounded or source in self._highest
                return Reservation(source, usd, worst.tokens, is_bounded, is_founded, next(self._numbers))
            await self._settlement()

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Replace a reservation by the actual cost; a cost of None is unknown and counts nothing.

        Only an answer shows what calls to its source cost.
        """
        if not reservation.is_open:
            return
        reservation.is_open = False
        self._held_usd = max(0.0, self._held_usd - reservation.usd)
        self._held_tokens -= reservation.tokens
        self.spent_tokens += tokens
        self.spent_usd += usd or 0.0
        if is_answer:
            self._learn(reservation, usd or 0.0)
        self._wake()

    def settle_unknown(self, reservation: Reservation) -> tuple[float, int]:
        """Charge a call that may have been billed without an answer in full; the charge in USD and tokens.

        Without a price, the charge is what the source's most expensive call justifies.
        """
        usd = reservation.charge
        self.settle(reservation, usd, reservation.tokens, is_answer=False)
        return usd, reservation.tokens

    def _learn(self, reservation: Reservation, usd: float) -> None:
        source = reservation.source
        self._highest[source] = max(usd, self._highest.get(source, 0.0))
        if reservation.is_bounded and usd > reservation.usd:
            surprise = usd / reservation.usd if reservation.usd else _MARGIN
            self._factor[source] = self._factor.get(source, 1.0) * surprise

    def _bound(self, usd: float | None, source: str) -> float:
        """The most the next call can cost, in USD."""
        if self.usd is None:
            return usd or 0.0
        if usd is not None:
            return usd * self._factor.get(source, 1.0)
        if source not in self._highest:
            return max(self.usd - self.spent_usd, 0.0)
        return self._highest[source] * _MARGIN

    def _raise_if_spent(self, usd: float, tokens: int) -> None:
        if self.usd is not None and (self.spent_usd + usd > self.usd or self.spent_usd >= self.usd):
            left = max(self.usd - self.spent_usd, 0.0)
            raise BudgetSpent(
                f"the budget of {self.usd:g} USD has {left:.4f} USD left, and the next call may cost {usd:.4f} USD.",
                "usd",
                raised(max(self.usd, self.spent_usd + usd)),
            )
        if self.tokens is not None and self.spent_tokens + tokens > self.tokens:
            left_tokens = max(self.tokens - self.spent_tokens, 0)
            raise BudgetSpent(
                f"the budget of {self.tokens} tokens has {left_tokens} left, and the next call may take {tokens}.",
                "tokens",
                raised(max(self.tokens, self.spent_tokens + tokens)),
            )

    def _fits_beside_others(self, usd: float, tokens: int) -> bool:
        fits_usd = self.usd is None or self.spent_usd + self._held_usd + usd <= self.usd
        return fits_usd and (self.tokens is None or self.spent_tokens + self._held_tokens + tokens <= self.tokens)

    async def _settlement(self) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        await place

    def _wake(self) -> None:
        """Let all waiting calls check again, in their order."""
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
