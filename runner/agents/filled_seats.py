"""Filled seats: a SPEC for every seat, also for those that the command line does not name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runner.agents.environment import DEFAULT_MODEL_VARIABLE, KEY_VARIABLE, Settings, seat_variable
from runner.agents.named_spec import seat_spec
from runner.agents.spec import OFFLINE, Spec
from runner.errors import UsageError

_MODEL_WITH_A_KEY = "openai/gpt-5-mini"


@dataclass(frozen=True, slots=True)
class Filled:
    """The SPEC of every seat. `offline_by_default`: without a key, the offline model plays the free seats. `paid_by_default`:
    the model that plays them with a key, which costs money."""

    specs: tuple[Spec, ...]
    offline_by_default: bool
    paid_by_default: str | None = None


def fill_seats(given: Sequence[str], players: int, settings: Settings) -> Filled:
    """A SPEC for each seat: those given first, then MODEL_PLAYER_n, then the default model, then the offline model.

    UsageError for more SPECs than seats.
    """
    if len(given) > players:
        raise UsageError(
            f"There are {len(given)} --seat options but only {players} seats: raise --num-players or leave some out."
        )
    named, has_key = settings.get(DEFAULT_MODEL_VARIABLE), KEY_VARIABLE in settings
    default = named or (_MODEL_WITH_A_KEY if has_key else OFFLINE)
    free = [seat for seat in range(len(given), players) if not settings.get(seat_variable(seat))]
    rest = [settings.get(seat_variable(seat), default) for seat in range(len(given), players)]
    paid = _MODEL_WITH_A_KEY if free and has_key and not named else None
    specs = tuple(seat_spec(text, settings) for text in (*given, *rest))
    return Filled(specs, OFFLINE in rest and not has_key, paid)
