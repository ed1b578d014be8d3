"""Seat policy: which players a client of the server may name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core import quoted, seat_name
from runner.agents.environment import Settings
from runner.agents.named_spec import seat_spec
from runner.agents.spec import Bot, Endpoint, Mcp, Named, Offline, Spec
from runner.errors import UsageError
from runner.llm.request import OPENROUTER


@dataclass(frozen=True, slots=True)
class SeatPolicy:
    """Clients may name bots, the offline model and `mcp`, which cost nothing and start nothing.

    `has_budget` adds models of OpenRouter and agents of agents.toml. `allowed` are further SPECs, each exactly as a client
    gives it: addresses, programs, Python functions, prompt packs, searching bots with a number of playouts.
    """

    allowed: frozenset[str] = frozenset()
    has_budget: bool = False

    @classmethod
    def of(cls, allowed: Sequence[str], has_budget: bool, settings: Settings) -> SeatPolicy:
        """The policy of a command line. UsageError for a seat that costs money without a budget."""
        for text in allowed:
            if not has_budget and _is_paid(seat_spec(text, settings), settings):
                raise UsageError(f"--allow-seat {text} costs money: add --budget USD, the most that all matches may cost.")
        return cls(frozenset(allowed), has_budget)

    def check(self, specs: Sequence[Spec], settings: Settings) -> None:
        """UsageError for a player that a client may not name, and where no seat is a client's."""
        for seat, spec in enumerate(specs):
            if not self._allows(spec, settings):
                flag = "--budget USD" if _is_paid(spec, settings) and spec.pack is None else f"--allow-seat {spec.text}"
                raise UsageError(
                    f"{seat_name(seat)} cannot be {quoted(spec.text)}: this server lets clients seat bots, offline and mcp.",
                    remedy=f"The person who starts it can allow more, with {flag}.",
                )
        if not any(isinstance(spec, Mcp) for spec in specs):
            raise UsageError("No seat is mcp: name it for each seat that a client plays.")

    def _allows(self, spec: Spec, settings: Settings) -> bool:
        if spec.text in self.allowed:
            return True
        if spec.pack is not None:
            return False
        return _is_free(spec, settings) or (self.has_budget and _is_paid(spec, settings))


def _is_free(spec: Spec, settings: Settings) -> bool:
    """Whether a SPEC is a bot, the offline model, or a client's seat. A bot with a number may compute for long."""
    if isinstance(spec, Named):
        return spec.name in settings.agents and settings.agents[spec.name].is_offline
    if isinstance(spec, Bot):
        return ":" not in spec.name
    return isinstance(spec, Mcp | Offline)


def _is_paid(spec: Spec, settings: Settings) -> bool:
    """Whether a SPEC is a model of OpenRouter, or an agent of agents.toml whose model is not of this machine."""
    if isinstance(spec, Endpoint):
        return spec.url in (None, OPENROUTER)
    entry = settings.agents.get(spec.name) if isinstance(spec, Named) else None
    return entry is not None and not (entry.is_offline or entry.is_local)
