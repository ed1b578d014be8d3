"""Asked texts: the question, the prompts, the thoughts and the raw answers of a decision, for the views that read them."""

from __future__ import annotations

import json

from runner.export.page.text_store import TextStore
from runner.match.records import AttemptRecord
from runner.record.decisions import LoggedDecision
from runner.screen.player.panel import spent_line
from runner.screen.safe_text import clean
from runner.screen.thoughts import thoughts

Facts = dict[str, object]
"""JSON-able values by name."""


def asked(decision: LoggedDecision, store: TextStore) -> Facts:
    """The data of a decision's texts."""
    assert decision.record is not None
    action = decision.record["action"]
    return {
        "question": None if decision.question is None else store.text(decision.question["text"]),
        "how": clean(decision.record["how"], 40),
        "action": None if action is None else store.text(json.dumps(action, ensure_ascii=False)),
        "attempts": [_attempt(attempt, store) for attempt in decision.attempts],
    }


def _attempt(attempt: AttemptRecord, store: TextStore) -> Facts:
    reply, request = attempt.get("reply") or {}, attempt.get("request")
    found = thoughts(attempt)
    return {
        "outcome": clean(attempt["outcome"], 40),
        "what": clean(attempt.get("what") or "", 60),
        "why": store.text(why) if (why := attempt.get("why")) else None,
        "messages": [store.message(message) for message in request["messages"]] if request else [],
        "reply": store.text(reply["text"]) if reply.get("text") else None,
        "thoughts": store.text(found) if found else None,
        "spent": spent_line(attempt),
    }
