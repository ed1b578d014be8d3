"""Faults to order for the offline server: what real endpoints do when they do not answer."""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

FAULTS = ("rate_limit", "server_error", "bad_gateway", "drip", "cut", "broken_json", "slow", "html")
"""429 with Retry-After, 500, a 502 inside a 200, blanks without end, a cut connection, half a body, lateness, a web page."""

FINE = "fine"
"""In a script: no fault."""

_DRIP_EVERY = 0.02
_ENVELOPE = b'{"id": "gen-broken", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assis'


@dataclass(frozen=True, slots=True)
class Faults:
    """Which faults happen: those of `script` first, one a request, then `kinds` evenly at `rate` (0 to 1).

    `retry_after` is what a rate limit demands and `slowness` how late a slow answer is, both in seconds. `script_repeats`
    plays the script over and over.
    """

    rate: float = 0.0
    kinds: tuple[str, ...] = FAULTS
    script: tuple[str, ...] = ()
    script_repeats: bool = False
    retry_after: float = 1.0
    slowness: float = 30.0

    def __post_init__(self) -> None:
        unknown = sorted({*self.kinds, *self.script} - {*FAULTS, FINE})
        if unknown:
            raise ValueError(f'there is no fault "{unknown[0]}"; there are {", ".join((*FAULTS, FINE))}')
        if not 0 <= self.rate <= 1:
            raise ValueError(f"the rate of faults has to be from 0 to 1, not {self.rate:g}")

    def sequence(self, seed: int) -> Iterator[str]:
        """The fault of each request in turn, for ever."""
        chance = random.Random(seed)
        while True:
            yield from self.script
            if not (self.script_repeats and self.script):
                break
        while True:
            yield chance.choice(self.kinds) if self.kinds and chance.random() < self.rate else FINE


@dataclass(frozen=True, slots=True)
class Quota:
    """So many requests in so many seconds, as a sliding window; one more gets a 429 that says how long to wait."""

    requests: int
    seconds: float


@dataclass(slots=True)
class Meter:
    """Measures requests against a quota."""

    quota: Quota | None
    _times: deque[float] = field(default_factory=deque)

    def wait(self, now: float) -> float | None:
        """Counts a request at `now`, in seconds; None when it is within the quota, else the seconds until the next may come."""
        if self.quota is None:
            return None
        while self._times and self._times[0] <= now - self.quota.seconds:
            self._times.popleft()
        if len(self._times) < self.quota.requests:
            self._times.append(now)
            return None
        return self._times[0] + self.quota.seconds - now


def response(
    status: int, body: bytes, content_type: str = "application/json", length: int | None = None, extra: str = ""
) -> bytes:
    """A whole HTTP response; `length` to announce another length than the body's, `extra` for further header lines."""
    announced = len(body) if length is None else length
    head = f"HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\ncontent-length: {announced}\r\n{extra}\r\n"
    return head.encode("latin-1", "replace") + body


def throttled(retry_after: float) -> bytes:
    """A 429 that demands to wait so many seconds."""
    body = {"error": {"code": 429, "message": "too many requests", "metadata": {"error_type": "rate_limit_exceeded"}}}
    wait = f"retry-after: {retry_after:.3f}".rstrip("0").rstrip(".")
    return response(429, json.dumps(body).encode(), extra=f"{wait}\r\n")


async def play(fault: str, writer: asyncio.StreamWriter, faults: Faults) -> bool:
    """Does what the fault does to a request; True when the connection can be used further."""
    match fault:
        case "rate_limit":
            writer.write(throttled(faults.retry_after))
        case "server_error":
            writer.write(response(500, b'{"error": {"code": 500, "message": "internal error"}}'))
        case "bad_gateway":
            writer.write(response(200, b'{"error": {"code": 502, "message": "provider returned error"}, "choices": null}'))
        case "broken_json":
            writer.write(response(200, _ENVELOPE))
        case "html":
            writer.write(response(502, b"<!DOCTYPE html><html><body>Bad gateway</body></html>", "text/html"))
        case "cut":
            writer.write(response(200, _ENVELOPE, length=4000))
            await writer.drain()
            return False
        case _:
            await _drip(writer)
    await writer.drain()
    return True


async def _drip(writer: asyncio.StreamWriter) -> None:
    """Blanks, one at a time, until the client has gone away."""
    writer.write(b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"1\r\n \r\n")
        await writer.drain()
        await asyncio.sleep(_DRIP_EVERY)
