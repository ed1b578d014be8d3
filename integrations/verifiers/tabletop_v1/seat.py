"""Seat: a player of tabletop whose model calls are turns of an interaction of verifiers."""

from __future__ import annotations

from functools import partial

import verifiers.v1 as vf

from games.core import seat_name
from runner.agents.model_agent import LlmAgent
from runner.agents.protocol import AgentReply, DecisionRequest, Mistake, Report
from runner.agents.settings import SeatSettings
from runner.errors import PausedError
from runner.llm.call import OnAttempt
from runner.llm.client import Client
from runner.llm.outcome import Delivered, ModelMistake
from runner.llm.request import AnswerForm, Model, Request
from runner.prompting.pack import PromptPack


class LimitReached(Exception):
    """The rollout takes no more turns: a limit of its agent, a stop, or a time limit."""


class TurnClient(Client):
    """A client whose calls are turns of one interaction."""

    def __init__(self, interaction: vf.Interaction) -> None:
        super().__init__()
        self._interaction = interaction

    @property
    def trace(self) -> vf.Trace:
        """The trace of the seat, which grows with each turn."""
        return self._interaction.trace

    async def complete(self, request: Request, *, on_attempt: OnAttempt) -> Delivered | ModelMistake:
        """Ask the model in one turn; its retries are part of the turn. LimitReached when the rollout takes no more turns,
        PausedError when the model cannot be called."""
        state = self.trace.state
        state.call, state.outcome = partial(super().complete, request, on_attempt=on_attempt), None
        if self.trace.stop_condition is None:
            await self._interaction.turn([dict(message) for message in request.messages])
        outcome, state.call, state.outcome = state.outcome, None, None  # traces are pickled, and calls cannot be
        if outcome is not None:
            return outcome
        if self.trace.errors:
            raise PausedError(f"{self.trace.errors[-1].type}: {self.trace.errors[-1].message}")
        raise LimitReached(self.trace.stop_condition)


class Seat(LlmAgent):
    """A seat that verifiers plays. `nodes` has, for each question of the match, the node of the trace with the last answer."""

    def __init__(self, client: TurnClient, model: Model, pack: PromptPack, settings: SeatSettings) -> None:
        super().__init__(client, model, AnswerForm.TEXT, pack, settings)
        self.trace = client.trace
        self.nodes: dict[int, int] = {}

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The model's answer. Where the rollout takes no more turns, an invalid one, so that the match plays on without it."""
        try:
            reply = await super().answer(ask, report)
        except LimitReached as limit:
            return AgentReply(mistake=Mistake("limit", "", f"{seat_name(ask.seat)} takes no more turns: {limit}"))
        self.nodes[ask.number] = self.trace.calls[-1].node
        return reply
