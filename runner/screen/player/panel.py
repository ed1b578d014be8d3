"""Panels of a decision: question, messages, replies, tokens, cost and latency; or the whole thoughts."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from games.core import seat_name
from runner.match.records import AttemptRecord, DecisionRecord
from runner.record.decisions import LoggedDecision
from runner.screen.palette import BAD, GOOD, QUIET, TITLE, seat_text
from runner.screen.perspective import Perspective
from runner.screen.safe_text import block, clean
from runner.screen.speech import quotation
from runner.screen.thoughts import thoughts

_HOW = {"answer": "answered", "forced": "had no choice", "strike_out": "was struck out"}


def panel(decision: LoggedDecision, perspective: Perspective) -> RenderableType:
    """The texts of a decision that the perspective may see."""
    record = decision.record
    if record is None:
        return Text("No decision yet.", style=QUIET)
    title = _title(decision, record, perspective)
    if not perspective.reads(record["seat"]):
        return Group(title, _hidden("question and the answers", record, perspective))
    if record["action"] is not None:
        title += block(f" {json.dumps(record['action'], ensure_ascii=False)}")
    parts: list[RenderableType] = [title]
    if (question := decision.question) is not None:
        parts += [Text(f"Question {question['question']} ({clean(question['role'])})", style=QUIET), block(question["text"])]
    for attempt in decision.attempts:
        parts += _attempt(decision, attempt)
    return Group(*parts)


def thoughts_panel(decision: LoggedDecision, perspective: Perspective) -> RenderableType:
    """The whole thoughts behind a decision, attempt by attempt, if the perspective may see them."""
    record = decision.record
    if record is None:
        return Text("No decision yet.", style=QUIET)
    title = _title(decision, record, perspective)
    if not perspective.reads(record["seat"]):
        return Group(title, _hidden("thoughts", record, perspective))
    found = [text for attempt in decision.attempts if (text := thoughts(attempt))]
    if not found:
        return Group(title, Text("The log has no thoughts on this decision.", style=QUIET))
    return Group(title, *(part for text in found for part in (Rule(style=QUIET), block(text, "italic"))))


def _title(decision: LoggedDecision, record: DecisionRecord, perspective: Perspective) -> Text:
    who = Text(f"Decision {decision.number}: ", style=TITLE) + seat_text(record["seat"])
    return who + Text(f" {_HOW.get(how := perspective.how(record), clean(how))}")


def _hidden(what: str, record: DecisionRecord, perspective: Perspective) -> Text:
    return Text(f"The {what} of {seat_name(record['seat'])} are hidden in the view {perspective.name}.", style=QUIET)


def _attempt(decision: LoggedDecision, attempt: AttemptRecord) -> Iterator[RenderableType]:
    yield Rule(style=QUIET)
    yield _outcome(attempt)
    for message in decision.messages(attempt):
        yield Text(f"[{clean(message.get('role'), 40)}]", style="bold cyan")
        yield block(message["content"], QUIET)
    reply = attempt.get("reply") or {}
    if found := thoughts(attempt):
        yield Text("[thoughts]", style="bold magenta")
        yield block(found, "italic")
    if attempt.get("say"):
        yield Text("[says] ", style="bold magenta") + block(quotation(attempt["say"]))
    if reply:
        yield Text("[reply]", style="bold green")
        yield block(reply.get("text") or "(empty)")
        yield Text(spent_line(attempt), style=QUIET)


def _outcome(attempt: AttemptRecord) -> Text:
    outcome = attempt["outcome"]
    if outcome == "answer":
        return Text("✓ answer ", style=GOOD) + block(json.dumps(attempt.get("answer"), ensure_ascii=False))
    what = f" ({clean(attempt['what'], 40)})" if attempt.get("what") else ""
    return Text(f"✗ {clean(outcome, 40)}{what} ", style=BAD) + block(attempt.get("why", ""), longest=2000)


def spent_line(attempt: AttemptRecord) -> str:
    """Model and provider of an attempt, tokens, cost and latency."""
    reply = attempt.get("reply") or {}
    usage = reply.get("usage") or {}
    parts = [clean(reply[name], 80) for name in ("model", "provider") if reply.get(name)]
    if usage:
        parts.append(f"{usage.get('prompt_tokens', 0)} + {usage.get('completion_tokens', 0)} tokens")
    if reply.get("cost") is not None:
        parts.append(f"${reply['cost']:.6f}")
    if attempt.get("latency") is not None:
        parts.append(f"{attempt['latency']:.2f} s")
    return " · ".join(parts)
