"""Response headers: how long to wait, and when a quota resets."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from runner.json_types import JsonObject
from runner.llm.loose_json import number as number  # also for those that read other parts of an error

_MILLISECONDS = 1e11
"""An epoch larger than this counts milliseconds."""


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds to wait from `now` (epoch seconds), from retry-after-ms or Retry-After in seconds or as a date (RFC 9110)."""
    milliseconds = number(headers.get("retry-after-ms"))
    if milliseconds is not None and milliseconds >= 0:
        return milliseconds / 1000
    value = headers.get("retry-after")
    if value is None:
        return None
    seconds = number(value)
    return max(seconds, 0.0) if seconds is not None else _seconds_until(value, now)


def _seconds_until(date: str, now: float) -> float | None:
    try:
        return max(parsedate_to_datetime(date).timestamp() - now, 0.0)
    except (ValueError, TypeError, OverflowError):
        return None


def quota_reset(headers: Mapping[str, str], metadata: JsonObject, now: float) -> float | None:
    """When an exhausted quota resets, in epoch seconds; None unless the quota is exhausted.

    From X-RateLimit-Remaining and -Reset, which OpenRouter repeats in error.metadata.headers.
    """
    repeated = metadata.get("headers")
    quota = {str(name).lower(): value for name, value in repeated.items()} if isinstance(repeated, Mapping) else {}
    remaining = number(headers.get("x-ratelimit-remaining", quota.get("x-ratelimit-remaining")))
    reset = number(headers.get("x-ratelimit-reset", quota.get("x-ratelimit-reset")))
    if remaining != 0 or reset is None:
        return None
    moment = reset / 1000 if reset > _MILLISECONDS else reset
    return moment if moment > now - 86_400 else now + max(reset, 0.0)


def next_utc_midnight(now: float) -> float:
    """The next midnight of the UTC day, in epoch seconds: when free daily quotas reset."""
    today = datetime.fromtimestamp(now, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (today + timedelta(days=1)).timestamp()


def moment(value: object) -> float | None:
    """A point in time given as ISO 8601 or as epoch (milli)seconds, in epoch seconds."""
    found = number(value)
    if found is not None:
        return found / 1000 if found > _MILLISECONDS else found
    try:
        return datetime.fromisoformat(str(value)).timestamp()
    except ValueError:
        return None
