"""Finding words in what was told, asked and answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from runner.record.moments import Moment, Moments
from runner.screen.scene import Perspective


def finder(moments: Moments, perspective: Perspective, words: str) -> Callable[[Moment], bool]:
    """Whether the words, in either case, stand in anything the perspective may read at a moment."""
    wanted = words.casefold()
    return lambda moment: any(wanted in text.casefold() for text in _texts(moments, moment, perspective))


def _texts(moments: Moments, moment: Moment, perspective: Perspective) -> Iterator[str]:
    yield from (event.text for event in perspective.heard(moment.events))
    decided = moment.decided
    if decided is None or not perspective.reads(decided.seat):
        return
    yield json.dumps(moments.record(moment).get("action"), ensure_ascii=False)
    for line in decided.attempts:
        attempt = moments.index.record(line)
        reply = attempt.get("reply") or {}
        yield from (str(reply[name]) for name in ("text", "reasoning") if reply.get(name))
        yield str(attempt.get("why", ""))
        yield from (message["content"] for message in moments.index.messages(attempt))
