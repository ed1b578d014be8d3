"""Harness: one call of a seat's model, made in this process with exactly the messages of the seat's prompt."""

from __future__ import annotations

from typing import Any

import verifiers.v1 as vf


class TabletopHarnessConfig(vf.HarnessConfig):
    """Nothing of its own."""


class TabletopHarness(vf.Harness[TabletopHarnessConfig]):
    """A turn is one call of the seat. No process is started, and nothing is added to the conversation: a seat without a memory
    sends each decision by itself, which is one branch of its trace."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def session(
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: Any, data: Any, *others: Any
    ) -> vf.HarnessSession:
        """Tell the seat where its model is during this rollout."""
        trace.state.endpoint, trace.state.secret = endpoint, secret
        return await super().session(ctx, trace, runtime, endpoint, secret, mcp_urls, data, *others)

    async def launch(self, *rollout: Any) -> vf.ProgramResult:
        """A table has no prompt of its own: its seats are asked turn by turn."""
        raise vf.HarnessError("this harness plays seats of tabletop alone: use it with the environment tabletop-v1")

    async def resume(self, ctx: Any, trace: Any, *rollout: Any) -> vf.ProgramResult:
        """Make the call that the seat has put into the state."""
        if trace.state.call is None:
            return await self.launch()
        trace.state.outcome = await trace.state.call()
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
