"""Rank changes: how far the order of some players moves from one set of values to another."""

from collections.abc import Sequence
from typing import Any


def rank_changes(names: Sequence[str], values: Sequence[float], models: Sequence[str]) -> list[dict[str, Any]]:
    """The order of models with each pack, the highest first, and the sum of rank changes against the first pack; none for one
    model. `values` are those of the first model with all packs, then of the next model."""
    if len(models) < 2:
        return []
    each = [dict(zip(models, values[pack :: len(names)], strict=True)) for pack in range(len(names))]
    orders = [sorted(models, key=own.__getitem__, reverse=True) for own in each]
    moved = [sum(abs(order.index(model) - orders[0].index(model)) for model in models) for order in orders]
    return [{"pack": name, "order": order, "changes": change} for name, order, change in zip(names, orders, moved, strict=True)]
