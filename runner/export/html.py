"""HTML page of a match: self-contained, without network access, works from disk."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files

from runner.export.html_tables import Tables
from runner.export.page_review import Facts, PageReview
from runner.match.records import AttemptRecord, MessageRecord, ResultRecord
from runner.record.decisions import LoggedDecision, decisions
from runner.record.dedup import REFERENCE, is_reference, paragraphs
from runner.record.reader import Log
from runner.record.replay import opening
from runner.screen.narrator import Narrator
from runner.screen.palette import seat_style
from runner.screen.perspective import EVERYTHING, PUBLIC, Perspective
from runner.screen.result import verdict
from runner.screen.safe_text import clean, clean_block
from runner.screen.seat_labels import labels_of_records
from runner.screen.seen_review import SeenReview
from runner.screen.speech import quotation
from runner.screen.thoughts import thoughts

_PLACEHOLDER = re.compile("@@([A-Z]+)@@")


def to_html(log: Log, view: str, has_thoughts: bool = False, review: SeenReview | None = None) -> str:
    """The page. With `all` the reader can choose any perspective, else only the given one.

    Thoughts are folded into the texts of a decision; with `has_thoughts` their beginnings are part of the story, too. With a
    review the page has win shares and grades, for each perspective those that it may know.
    """
    page = _PageData(log, view, has_thoughts, review)
    script, style = (_part(f"page.{kind}") + _part(f"page_review.{kind}") for kind in ("js", "css"))
    digest = b64encode(sha256(script.encode()).digest()).decode()
    parts = {
        "POLICY": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
        "TITLE": escape(page.title),
        "STYLE": style,
        "DATA": json.dumps(page.data(), separators=(",", ":")).replace("<", "\\u003c"),
        "SCRIPT": script,
    }
    return _PLACEHOLDER.sub(lambda found: parts[found[1]], _part("page.html"))


def _part(name: str) -> str:
    return files("runner.export").joinpath(name).read_text(encoding="utf-8")


class _PageData:
    """The data of a page. Texts and table lines are stored once and referred to by number."""

    def __init__(self, log: Log, view: str, has_thoughts: bool, review: SeenReview | None) -> None:
        self._log = log
        self._game, _ = opening(log.header)
        players = log.header["players"]
        words = [EVERYTHING, PUBLIC, *(f"P-{seat}" for seat in range(players))] if view == EVERYTHING else [view]
        self._labels = labels_of_records(log.header["seats"])
        self._eyes = [Narrator(Perspective.of(word, players), has_thoughts, self._labels) for word in words]
        self._reviews = [PageReview(review, eye.perspective) for eye in self._eyes] if review else []
        self._seed = f", seed {log.header['seed']}" if view == EVERYTHING else ""
        self.title = f"{self._game.title}{self._seed}"
        self._names = tuple(clean(seat.get("name"), 60) for seat in log.header["seats"])
        self._tables = Tables(self._game)
        self._texts: dict[str, int] = {}
        self._of_shared: dict[str, int] = {}

    def data(self) -> Facts:
        """The data as JSON."""
        steps = [self._step(decision) for decision in decisions(self._log)]
        header, result = self._log.header, self._log.result
        return {
            "title": self.title,
            "game": self._game.title,
            "roundWord": self._game.round_word.capitalize(),
            "about": f"{header['players']} players, rules {clean(header['rules'], 60)}{self._seed}, "
            f"{clean(header.get('created'), 40)}",
            "names": self._names,
            "eyes": [eye.perspective.name for eye in self._eyes],
            "speakers": [[label, f"c-{seat_style(seat)}"] for seat, label in enumerate(self._labels)],
            "steps": steps,
            "styles": self._tables.styles,
            "lines": self._tables.lines,
            "texts": list(self._texts),
            "result": None if result is None else self._result(result),
            "reviews": [review.data() for review in self._reviews],
        }

    def _step(self, decision: LoggedDecision) -> Facts:
        for review in self._reviews:
            review.add(decision)
        return {
            "round": decision.state.round,
            "phase": decision.state.phase.name,
            "seat": decision.seat,
            "scores": list(decision.state.scores),
            "seen": [self._seen(decision, eye) for eye in self._eyes],
        }

    def _seen(self, decision: LoggedDecision, eye: Narrator) -> Facts:
        reads = decision.seat is not None and eye.perspective.reads(decision.seat)
        return {
            "story": [*self._story(decision, eye)],
            "tables": self._tables.drawn(eye.perspective.visible(decision.state, self._names)),
            "asked": self._asked(decision) if reads else None,
        }

    def _story(self, decision: LoggedDecision, eye: Narrator) -> Iterator[list[str | int]]:
        """What happened: lines, thoughts (their beginning, and the whole if that is more) and talk (the seat and its words)."""
        for attempt in decision.attempts:
            if (thought := eye.thought(attempt)) is not None:
                whole = thoughts(attempt)
                rest = [] if thought.plain.endswith(clean_block(whole)) else [self._text(whole)]
                yield ["thought", self._text(thought.plain.strip()), *rest]
            for line in eye.outcome(attempt, decision.state.setup.options.strikes):
                yield ["line", self._text(line.plain)]
        for line in eye.events(decision.events):
            yield ["line", self._text(line.plain)]
        for record in decision.talk:
            yield ["talk", record["seat"], self._text(quotation(record["text"]))]

    def _asked(self, decision: LoggedDecision) -> Facts:
        assert decision.record is not None
        return {
            "question": None if decision.question is None else self._text(decision.question["text"]),
            "action": self._json(decision.record["action"]),
            "attempts": [self._attempt(attempt) for attempt in decision.attempts],
        }

    def _attempt(self, attempt: AttemptRecord) -> Facts:
        from runner.screen.player.panel import spent_line

        reply, request = attempt.get("reply") or {}, attempt.get("request")
        return {
            "outcome": clean(attempt["outcome"], 40),
            "what": clean(attempt.get("what") or "", 60),
            "why": self._text(attempt.get("why") or ""),
            "messages": [list(self._message(message)) for message in request["messages"]] if request else [],
            "reply": self._text(reply["text"]) if reply.get("text") else None,
            "thoughts": self._text(found) if (found := thoughts(attempt)) else None,
            "spent": spent_line(attempt),
        }

    def _message(self, message: MessageRecord) -> Iterator[str | int]:
        """The role, then the numbers of the paragraphs. A shared paragraph is expanded once, however often it is sent."""
        yield clean(message.get("role"), 40)
        for part in paragraphs(message["content"]):
            yield self._shared(part[REFERENCE]) if is_reference(part) else self._text(str(part))

    def _shared(self, name: str) -> int:
        if name not in self._of_shared:
            self._of_shared[name] = self._text(str(self._log.shared[name]))
        return self._of_shared[name]

    def _result(self, result: ResultRecord) -> Facts:
        return {"text": verdict(result), "scores": result["scores"]}

    def _json(self, data: object) -> int | None:
        return None if data is None else self._text(json.dumps(data, ensure_ascii=False))

    def _text(self, text: str) -> int:
        return self._texts.setdefault(clean_block(text), len(self._texts))
