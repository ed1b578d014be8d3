"""What models cost before anybody has asked them anything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from runner.agents.environment import Settings
from runner.agents.resolve import model_without_key
from runner.agents.spec import Offline, Spec, is_model

if TYPE_CHECKING:
    from runner.llm.prices import Prices


async def prices_of(specs: Iterable[Spec], settings: Settings) -> dict[Spec, Prices]:
    """The prices of each SPEC that its agent or its endpoint's list states. The offline model costs nothing and has none.

    Lists of prices are public, so that no key is needed for them. Nothing is charged.
    """
    from runner.llm.client import Client
    from runner.llm.model_list import find

    found: dict[Spec, Prices] = {}
    async with Client() as client:
        for spec in dict.fromkeys(specs):
            if not is_model(spec) or isinstance(spec, Offline):
                continue
            model = model_without_key(spec, settings)
            entry = None if model.prices else find(await client.models(model), model.name)
            if prices := model.prices or (entry and entry.prices):
                found[spec] = prices
    return found
