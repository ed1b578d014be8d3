"""Client seat: the open question of one client's seat, what it has been told, and how its answers were judged."""

from __future__ import annotations

import asyncio

from runner.agents.mailbox_agent import MailboxAgent
from runner.agents.protocol import Ask, Given
from runner.match.records import AttemptRecord
from runner.screen.people.help_commands import is_written
from runner.serve.told_events import Told

Answer = dict[str, object]
"""The structured content of a tool's answer."""


class ClientSeat:
    """A seat whose answers a client gives. `told` has the events since the seat's last decision."""

    def __init__(self, number: int, mailbox: MailboxAgent) -> None:
        self.number = number
        self.mailbox = mailbox
        self.told: list[Told] = []
        self._verdict: asyncio.Future[Answer] | None = None

    def post(self, given: Given) -> asyncio.Future[Answer]:
        """Answer the open question. The future gets the match's verdict: `ok`, or a mistake."""
        self._verdict = asyncio.get_running_loop().create_future()
        self.mailbox.post(given)
        return self._verdict

    def judged(self, record: AttemptRecord, usual_strikes: int) -> None:
        """Take in an attempt of this seat, as the match has judged it."""
        verdict: Answer = {"status": "ok"}
        if record["outcome"] == "mistake":
            left = record.get("strikes", usual_strikes) - record.get("strike", 0) - 1
            verdict = {"status": "mistake", "why": record.get("why", ""), "left": left}
        if not verdict.get("left"):
            self.told.clear()
        if self._verdict is not None and not self._verdict.done():
            self._verdict.set_result(verdict)

    def turn(self, ask: Ask) -> Answer:
        """The open question as a client gets it."""
        return {
            "status": "your_turn",
            "decision": ask.number,
            "view": ask.view,
            "question": ask.question.whole,
            "schema": ask.question.schema,
            "legal": None if is_written(ask.question) else ask.answers(),
            "told": list(self.told),
            "mistakes": [{"kind": mistake.kind, "answer": mistake.answer, "why": mistake.why} for mistake in ask.mistakes],
        }
