"""Finding words in what was told, asked and answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from runner.record.decisions import LoggedDecision
from runner.screen.scene import Perspective


def finder(perspective: Perspective, words: str) -> Callable[[LoggedDecision], bool]:
    """Whether the words, in either case, stand in anything the perspective may read at a decision."""
    wanted = words.casefold()
    return lambda decision: any(wanted in text.casefold() for text in _texts(decision, perspective))


def _texts(decision: LoggedDecision, perspective: Perspective) -> Iterator[str]:
    yield from (event.text for event in perspective.heard(decision.events))
    record = decision.record
    if record is None or not perspective.reads(record["seat"]):
        return
    yield json.dumps(record["action"], ensure_ascii=False)
    for attempt in decision.attempts:
        reply = attempt.get("reply") or {}
        yield from (str(text) for text in (reply.get("text"), reply.get("reasoning")) if text)
        yield str(attempt.get("why", ""))
        yield from (message["content"] for message in decision.messages(attempt))
