"""Agent tables: the tables within an agent of agents.toml."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_serializer


def _is_json(table: dict[str, object]) -> dict[str, object]:
    for name, value in table.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError(f"{name} is no JSON value; dates, times, NaN and infinity are none") from None
    return table


JsonTable = Annotated[dict[str, object], AfterValidator(_is_json)]
"""A table that goes into requests."""


TABLE = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
"""Tables have no other fields, and no NaN."""


class PricesEntry(BaseModel):
    """USD for a million tokens, for endpoints that do not list prices."""

    model_config = TABLE

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class ReasoningEntry(BaseModel):
    """Reasoning settings (openrouter.ai/docs, reasoning tokens)."""

    model_config = TABLE

    effort: Literal["max", "xhigh", "high", "medium", "low", "minimal", "none"] | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    exclude: bool | None = None
    enabled: bool | None = None
    summary: str | None = None


class ProviderEntry(BaseModel):
    """Provider routing and data policy (openrouter.ai/docs, provider routing)."""

    model_config = TABLE

    order: list[str] | None = None
    only: list[str] | None = None
    ignore: list[str] | None = None
    allow_fallbacks: bool | None = None
    require_parameters: bool | None = None
    data_collection: Literal["allow", "deny"] | None = None
    zdr: bool | None = None
    enforce_distillable_text: bool | None = None
    quantizations: list[str] | None = None
    sort: Literal["price", "throughput", "latency"] | JsonTable | None = None
    preferred_min_throughput: float | dict[str, float] | None = None
    preferred_max_latency: float | dict[str, float] | None = None
    max_price: dict[Literal["prompt", "completion", "request", "image", "audio"], float] | None = None

    @field_serializer("max_price")
    def _as_text(self, prices: dict[str, float] | None) -> dict[str, str] | None:
        """The prices as text, as OpenRouter documents them."""
        return None if prices is None else {name: f"{price:g}" for name, price in prices.items()}
