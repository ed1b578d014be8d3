"""Seat costs: what a model costs per decision, from past logs and from price lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runner.agents.environment import Settings
from runner.agents.resolve import model_without_key
from runner.agents.spec import Offline, Spec, is_model
from runner.record.log_copies import originals
from runner.record.log_folder import summaries
from runner.record.log_summary import LogState, SeatSummary

if TYPE_CHECKING:
    from runner.llm.prices import Prices


@dataclass(slots=True)
class CostHistory:
    """What a SPEC used in finished matches of a game: sums over its decisions."""

    matches: int = 0
    decisions: int = 0
    usd: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0

    def add(self, seat: SeatSummary) -> None:
        """Add one seat of one match."""
        self.matches += 1
        self.decisions += seat.decisions
        self.usd += seat.cost
        self.prompt_tokens += seat.prompt_tokens
        self.completion_tokens += seat.completion_tokens
        self.seconds += seat.seconds


def cost_histories(logs: Path, game: str) -> dict[str, CostHistory]:
    """The history of each SPEC in the logs of a folder."""
    found: dict[str, CostHistory] = {}
    for log in originals(summaries(logs)):
        if log.game == game and log.state is LogState.FINISHED and not log.is_playback and not log.is_fork:
            for seat in log.seats:
                found.setdefault(seat.spec, CostHistory()).add(seat)
    return found


async def list_prices(specs: Iterable[Spec], settings: Settings) -> dict[str, Prices]:
    """The prices of each SPEC that its agent or its endpoint's public list states; no key is needed and nothing is charged."""
    from runner.llm.client import Client
    from runner.llm.model_list import find

    found: dict[str, Prices] = {}
    async with Client() as client:
        for spec in dict.fromkeys(specs):
            if is_model(spec) and not isinstance(spec, Offline):
                model = model_without_key(spec, settings)
                entry = None if model.prices else find(await client.models(model), model.name)
                if prices := model.prices or (entry and entry.prices):
                    found[spec.text] = prices
    return found
