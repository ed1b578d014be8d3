"""Budget: the USD and tokens that calls may take. Each call's maximum is reserved first, so the budget is never exceeded."""

import asyncio
import itertools
import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from runner.llm.outcome import BudgetSpent
from runner.llm.strict_json import number

CHARACTERS_A_TOKEN = 4
"""Characters of English prose in a token, on average over the tokenizers in use; lists and JSON take more tokens."""

_TOKENS_A_MESSAGE = 4


def estimated_tokens(characters: int) -> int:
    """Estimated tokens of a text with this many characters."""
    return -(-characters // CHARACTERS_A_TOKEN)


def message_tokens(messages: Iterable[Mapping[str, str]]) -> int:
    """About how many tokens these messages have; characters outside ASCII count by their UTF-8 bytes."""
    sizes = (len(message["content"].encode("utf-8", "replace")) for message in messages)
    return sum(estimated_tokens(size) + _TOKENS_A_MESSAGE for size in sizes)


_TEMPLATE_TOKENS, _FORM_TOKENS = 24, 600
"""Tokens a chat template may add around a message, and a provider for a tool or a schema beyond the schema's own text."""

_HIGHEST_PRICE = 1000.0
"""USD for one token or request. A higher price is none."""


@dataclass(frozen=True, slots=True)
class Prices:
    """USD for one token of prompt and of reply, and for one request. Cached prompt tokens cost `cached`."""

    prompt: float
    completion: float
    request: float = 0.0
    cached: float | None = None

    def cost(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """The cost of a call with these counts, in USD."""
        cached = min(cached_tokens, prompt_tokens)
        cached_price = self.prompt if self.cached is None else self.cached
        fresh = (prompt_tokens - cached) * self.prompt
        return self.request + fresh + cached * cached_price + completion_tokens * self.completion


FREE = Prices(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The maximum of one call: tokens, and USD if prices are known."""

    tokens: int
    usd: float | None


def most_prompt_tokens(messages: Iterable[Mapping[str, str]], schema_bytes: int = 0) -> int:
    """An upper bound on the tokens of a prompt: no tokenizer in use makes more tokens than UTF-8 bytes."""
    texts = [message.get("content", "") for message in messages]
    return sum(len(text.encode("utf-8", "replace")) + _TEMPLATE_TOKENS for text in texts) + schema_bytes + _FORM_TOKENS


def prices_from(pricing: Mapping[str, Any]) -> Prices | None:
    """Prices from an entry's `pricing` in OpenRouter's GET /models, the highest where they vary; None if unreadable. Values are
    strings in USD for a token; `overrides` holds the prices of long prompts or busy hours. The router's own entries have
    negative prices, which stand for "varies"."""
    overrides = pricing.get("overrides")
    tiers = [pricing, *(tier for tier in overrides if isinstance(tier, Mapping))] if isinstance(overrides, list) else [pricing]
    if _price(pricing, "prompt") is None or _price(pricing, "completion") is None:
        return None
    highest = dict.fromkeys(("prompt", "input_cache_write", "completion", "internal_reasoning", "request"), 0.0)
    for tier in tiers:
        for name in highest.keys() & {name for name, value in tier.items() if value not in (None, "")}:
            if (price := _price(tier, name)) is None:
                return None
            highest[name] = max(highest[name], price)
    prompt, written, completion, thought, request = highest.values()
    return Prices(max(prompt, written), max(completion, thought), request, _price(pricing, "input_cache_read"))


def _price(tier: Mapping[str, Any], name: str) -> float | None:
    found = number(tier.get(name))
    return found if found is not None and 0 <= found <= _HIGHEST_PRICE else None


PRICE_IT = "Set `prices` for it in agents.toml, 0 where it is free"
"""The remedy for a model without a price."""

_MARGIN = 2.0
"""Without a price, a call is assumed to cost at most this many times the highest cost seen."""


_MOST_RAISED = 4.0
"""How many times higher than the user's own a limit is that a command names."""


def raised(limit: float, needed: float = 0.0) -> float:
    """Twice a limit, or twice what is needed, rounded up to two digits; never more than a few times the limit."""
    wanted = 2 * max(limit, needed, 0.01)
    unit = 10.0 ** (math.floor(math.log10(wanted)) - 1)
    return float(f"{min(math.ceil(wanted / unit) * unit, _MOST_RAISED * limit or math.inf):.6g}")


def plain_number(limit: float) -> str:
    """A limit as it is given on a command line: without an exponent and without zeros at its end."""
    return f"{limit:.10f}".rstrip("0").rstrip(".")


@dataclass(slots=True)
class Reservation:
    """The amount reserved for one call to a source, which is a model at an endpoint. `is_bounded`: a price above 0 was known.
    `is_founded`: a price or the source's earlier calls justify the amount. `number` is the budget's own."""

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
    Without a price, or with one of 0, the first call of a source runs alone, and each later one reserves twice the highest cost
    seen. A source that charged more than its worst case reserves proportionally more from then on. After an answer without a
    cost, a limit in USD alone bounds nothing, and the source is asked no more.
    """

    usd: float | None = None
    tokens: int | None = None
    spent_usd: float = 0.0
    spent_tokens: int = 0
    _held_usd: float = 0.0
    _held_tokens: int = 0
    _highest: dict[str, float] = field(default_factory=dict)
    _untold: set[str] = field(default_factory=set)
    _factor: dict[str, float] = field(default_factory=dict)
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def is_limited(self) -> bool:
        return self.usd is not None or self.tokens is not None

    @property
    def needs_prices(self) -> bool:
        """Whether nothing but the cost of calls bounds them."""
        return self.usd is not None and self.tokens is None

    def pays_for(self, usd: float, tokens: float) -> bool:
        fits_usd = self.usd is None or self.spent_usd + usd <= self.usd
        return fits_usd and (self.tokens is None or self.spent_tokens + tokens <= self.tokens)

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve the worst case, after the reservations of others if need be. Raises BudgetSpent when it no longer fits."""
        while True:
            usd, tokens = self._bound(worst.usd, source), worst.tokens
            self._raise_if_spent(usd, tokens, source)
            if self.pays_for(self._held_usd + usd, self._held_tokens + tokens):
                self._held_usd += usd
                self._held_tokens += tokens
                is_bounded = bool(worst.usd)
                is_founded = is_bounded or source in self._highest
                return Reservation(source, usd, tokens, is_bounded, is_founded, next(self._numbers))
            self._waiting.append(asyncio.get_running_loop().create_future())
            await self._waiting[-1]

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Replace a reservation by the actual cost, None: unknown. Only an answer shows what calls to its source cost."""
        if not reservation.is_open:
            return
        reservation.is_open = False
        self._held_usd = max(0.0, self._held_usd - reservation.usd)
        self._held_tokens -= reservation.tokens
        self.spent_tokens += tokens
        self.spent_usd += usd or 0.0
        if is_answer:
            if usd is None and self.needs_prices:
                self._untold.add(reservation.source)
            self._learn(reservation, usd or 0.0)
        while self._waiting:  # all check again, in their order
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)

    def settle_unknown(self, reservation: Reservation) -> tuple[float, int]:
        """Charge what may have been billed, in full where a price or earlier calls justify it; the USD and tokens."""
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
        if self.usd is None:
            return usd or 0.0
        if usd:
            return usd * self._factor.get(source, 1.0)
        if source not in self._highest:
            return max(self.usd - self.spent_usd, 0.0)
        return self._highest[source] * _MARGIN

    def _raise_if_spent(self, usd: float, tokens: int, source: str) -> None:
        if self.usd is not None and (self.spent_usd + usd > self.usd or self.spent_usd >= self.usd):
            left, enough = max(self.usd - self.spent_usd, 0.0), raised(self.usd, self.spent_usd + usd)
            why = f"the budget of {self.usd:g} USD has {left:.4f} USD left, and the next call may cost {usd:.4f} USD."
            is_odd = enough < self.spent_usd + usd
            raise BudgetSpent(f"{why} Check the price of {source} first." if is_odd else why, "usd", enough)
        if self.tokens is not None and self.spent_tokens + tokens > self.tokens:
            left = max(self.tokens - self.spent_tokens, 0)
            why = f"the budget of {self.tokens} tokens has {left} left, and the next call may take {tokens}."
            raise BudgetSpent(why, "tokens", raised(max(self.tokens, tokens), self.spent_tokens + tokens))
        if source in self._untold:
            why = f"{source} does not say what an answer costs, so that the budget of {self.usd:g} USD bounds nothing."
            raise BudgetSpent(f"{why} {PRICE_IT}, or bound tokens.", "tokens", raised(self.spent_tokens + tokens))
