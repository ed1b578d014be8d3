"""Sums over attempts: what a decision, a seat or a match took."""

from __future__ import annotations

from collections.abc import Sequence

from runner.match.records import AttemptRecord, UsageRecord

Row = dict[str, object]
"""The values of a row by column; a column that is missing is null."""


def attempt_sums(attempts: Sequence[AttemptRecord]) -> Row:
    """The counts, tokens, USD and seconds of attempts."""
    replies = [reply for attempt in attempts if (reply := attempt.get("reply"))]
    return {
        "attempts": len(attempts),
        "mistakes": sum(attempt["outcome"] == "mistake" for attempt in attempts),
        "failures": sum(attempt["outcome"] in ("infrastructure", "configuration") for attempt in attempts),
        **token_sums([reply.get("usage") or {} for reply in replies]),
        "cost": round(sum((reply.get("cost") or 0.0 for reply in replies), 0.0), 8),
        "latency": round(sum(attempt.get("latency") or 0.0 for attempt in attempts), 3),
    }


def token_sums(usages: Sequence[UsageRecord]) -> Row:
    """The tokens of replies, by kind."""
    return {
        "prompt_tokens": sum(used.get("prompt_tokens", 0) for used in usages),
        "completion_tokens": sum(used.get("completion_tokens", 0) for used in usages),
        "reasoning_tokens": sum(used.get("reasoning_tokens", 0) for used in usages),
        "cached_tokens": sum(used.get("cached_tokens", 0) for used in usages),
        "cache_write_tokens": sum(used.get("cache_write_tokens", 0) for used in usages),
    }


def last_reply(attempts: Sequence[AttemptRecord]) -> Row:
    """The `model` and the `provider` of the last reply."""
    replies = [reply for attempt in attempts if (reply := attempt.get("reply"))]
    return {name: replies[-1].get(name) for name in ("model", "provider")} if replies else {}
