"""Client seat: the open question of one client's seat, and how its answers are judged."""

from __future__ import annotations

import asyncio

from games.core import PHASE
from runner.agents.mailbox_agent import MailboxAgent
from runner.agents.program_messages import told
from runner.agents.protocol import Ask, Given
from runner.match.records import AttemptRecord

Answer = dict[str, object]
"""The structured content of a tool's answer."""


class ClientSeat:
    """A seat whose answers a client gives."""

    def __init__(self, number: int, mailbox: MailboxAgent) -> None:
        self.number = number
        self.mailbox = mailbox
        self._verdict: asyncio.Future[Answer] | None = None
        self._posted: tuple[int, object] | None = None

    def post(self, given: Given) -> asyncio.Future[Answer]:
        """Answer the open question. The future gets the match's verdict: `ok`, or a mistake.

        The mistake that was judged last, sent again, gets its verdict again, once: its client may have lost the reply.
        """
        assert self.mailbox.ask is not None
        posted = self.mailbox.ask.number, given.data
        if posted == self._posted and self._verdict is not None:
            self._posted = None
            return self._verdict
        self._posted = posted
        self._verdict = asyncio.get_running_loop().create_future()
        self.mailbox.post(given)
        return self._verdict

    def judged(self, record: AttemptRecord, usual_strikes: int) -> None:
        """Take in an attempt of this seat, as the match has judged it."""
        verdict: Answer = {"status": "ok"}
        if record["outcome"] == "mistake":
            left = record.get("strikes", usual_strikes) - record.get("strike", 0) - 1
            verdict = {"status": "mistake", "why": record.get("why", ""), "left": left}
        if self._verdict is not None and not self._verdict.done():
            self._verdict.set_result(verdict)

    def turn(self, ask: Ask) -> Answer:
        """The open question as a client gets it, its mistakes among it."""
        self._posted = None
        return {
            "status": "your_turn",
            "decision": ask.number,
            "view": ask.view,
            "question": ask.question.whole,
            "schema": ask.question.schema,
            "legal": None if ask.question.has_free_text else ask.answers(),
            "told": told(event for event in ask.told if event.kind != PHASE)["events"],  # the view has the phase
            "mistakes": [{"kind": mistake.kind, "answer": mistake.answer, "why": mistake.why} for mistake in ask.mistakes],
        }
