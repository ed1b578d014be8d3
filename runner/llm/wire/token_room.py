"""Token room: how many tokens an endpoint has for a reply, from the numbers of its error."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runner.json_types import JsonObject
from runner.llm.refused import Room
from runner.llm.tokens import estimated_tokens
from runner.llm.wire.error_object import ErrorObject
from runner.llm.wire.request_fields import TOKEN_FIELDS

_NUMBER = re.compile(r"(?<![\w.-])(\d{1,3}(?:[,_]\d{3})+|\d{1,8})(?![\w-]|[.,]\d)")
_CONTEXT = re.compile(r"\bcontext\b|\binput|\bprompt|\bmessages\b", re.IGNORECASE)
_CONTEXT_SIZE = re.compile(r"context(?:[ _-](?:length|window|size))?(?: is| of|:| =)? (\d[\d,_]*)", re.IGNORECASE)
"""The number that a sentence calls the context."""

_LEAST = re.compile(r"minimum|at least|>=|greater|below|too small|lower bound", re.IGNORECASE)
_SMALLEST_BOUND = 16
"""The smallest bound that is taken for one, in tokens."""

_SMALLEST_REPLY = 64
"""Tokens left beside a prompt: less room than this is none."""


def bound_sent(asked: JsonObject) -> int | None:
    """The bound on the reply in a request."""
    return next((sent for name in TOKEN_FIELDS if isinstance(sent := asked.get(name), int)), None)


def room_for_reply(error: ErrorObject, asked: JsonObject, letters: int) -> Room | None:
    """The room for a reply to a prompt of this many letters; None where the error's numbers do not say.

    The prompt's tokens are recognised by their size: among the numbers they are the ones that this prompt may well have.
    """
    sent, numbers = bound_sent(asked) or 0, _numbers(error)
    estimate, is_context = estimated_tokens(letters), _CONTEXT.search(error.words) is not None
    if is_context and (room := _beside_prompt(numbers, _named_context(error), sent, estimate)):
        return room
    if below := [number for number in numbers if _SMALLEST_BOUND <= number < sent]:
        return _within(max(below), error, estimate)
    above = [number for number in numbers if number > sent]
    if above and _LEAST.search(error.words) and sent < _SMALLEST_REPLY:
        return Room(min(above))
    return _of_context(numbers, sent, estimate) if is_context else None


def _numbers(error: ErrorObject) -> tuple[int, ...]:
    in_words = (int(found.replace(",", "").replace("_", "")) for found in _NUMBER.findall(error.words))
    return tuple(number for number in (*error.counts, *in_words) if number not in (0, error.status))


def _named_context(error: ErrorObject) -> int | None:
    found = _CONTEXT_SIZE.search(error.words)
    return int(re.sub(r"[,_]", "", found[1])) if found else None


def _beside_prompt(numbers: tuple[int, ...], named: int | None, sent: int, estimate: int) -> Room | None:
    """The context less the prompt, where the numbers give both, or the context and the sum of prompt and bound."""
    for summed in (0, sent):
        found = [
            Room(context - prompt, context, prompt)
            for context, prompt in _pairs(numbers, summed)
            if named in (None, context) and _is_plausible(prompt, estimate) and _SMALLEST_REPLY <= context - prompt < sent
        ]
        if found:
            return min(found, key=lambda room: (abs((room.prompt or 0) - estimate), -room.bound))
    return None


def _pairs(numbers: tuple[int, ...], summed: int) -> Iterator[tuple[int, int]]:
    """Each context and prompt that two of the numbers may stand for, the second one with a summand."""
    for place, number in enumerate(numbers):
        for other in (*numbers[:place], *numbers[place + 1 :]):
            yield number, other - summed


def _is_plausible(prompt: int, estimate: int) -> bool:
    return estimate * 2 <= prompt * 5 and prompt <= estimate * 3 + 500


def _within(bound: int, error: ErrorObject, estimate: int) -> Room | None:
    """A bound that was named. Where it is the context's own size, that less the prompt, or None for a prompt that fills it."""
    if not re.search(r"\bcontext\b", error.words, re.IGNORECASE):
        return Room(bound)
    left = bound - _with_margin(estimate)
    return Room(left, bound, _with_margin(estimate)) if left >= _SMALLEST_REPLY else None


def _of_context(numbers: tuple[int, ...], sent: int, estimate: int) -> Room | None:
    """The room in a context that holds the prompt but not the bound beside it."""
    prompt = _with_margin(estimate)
    tight = [number for number in numbers if prompt + _SMALLEST_REPLY <= number <= estimate + sent]
    return Room(min(tight) - prompt, min(tight), prompt) if tight else None


def _with_margin(estimate: int) -> int:
    return estimate + estimate // 4 + 64
