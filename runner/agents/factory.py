"""Seating: from the SPEC of every seat to its description in the log and its agent."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType

from games.core import Game, listed, quoted
from runner.agents.environment import Environment
from runner.agents.model_seats import model_of, thinking
from runner.agents.named_spec import known_names
from runner.agents.protocol import Agent
from runner.agents.seat import Seat
from runner.agents.seat_kind import AgentContext
from runner.agents.settings import SeatSettings
from runner.agents.spec import HUMAN, OFFLINE, Named, Offline, Spec, forms, is_model, length_fault
from runner.errors import AccountError, UsageError, at_seat


def check_spec(spec: Spec, game: Game, environment: Environment, asks: Sequence[type[Spec]] = ()) -> None:
    """UsageError for a text that is too long, for a bot, an agent or an address that does not exist, and for a person or an MCP
    client where none can be asked: `asks` has the kinds of seat that can. AccountError for an agent with a fault."""
    if (fault := length_fault(spec)) is not None:
        raise UsageError(f"The seat {quoted(spec.named_text)} is too long: {fault}.")
    if isinstance(spec, Named) and spec.name not in environment.agents:
        raise _no_agent(spec.name, environment)
    spec.check(game, environment, asks)


def _no_agent(name: str, environment: Environment) -> UsageError | AccountError:
    """Why there is no agent of a name."""
    if name in environment.faults:
        return AccountError(
            environment.faults[name], remedy="Correct it, or name another seat; `tabletop agents` lists the others."
        )
    if not name:
        return UsageError("A name without a player was given: write NAME=SPEC, as in ada=offline.")
    names = known_names(environment)
    near = get_close_matches(name, (*names, HUMAN, OFFLINE), 1)
    meant = f" Did you mean {near[0]}?" if near else ""
    known = [name for name in names if name in environment.agents or name in environment.programs]
    agents = [f"an agent of agents.toml ({', '.join(known)})"] if known else []
    return UsageError(f"There is no seat {quoted(name)}: a seat is {listed([*agents, *forms()])}.{meant}")


def describe_seat(spec: Spec, environment: Environment, settings: SeatSettings | None = None) -> Seat:
    """The seat of a SPEC as it is shown and logged, with the settings of its agent unless others are given."""
    kind, identity, name = spec.kind_in(environment), spec.describe(environment), spec.given_name(environment)
    if not is_model(spec):
        return Seat(spec, name or spec.default_name, kind, identity)
    own = spec.settings(environment) if settings is None else settings
    own = own if kind == Offline.kind else own.without(["mistakes"])
    return Seat(spec, name or spec.default_name, kind, thinking(identity, own), own)


async def seat_agents(
    seats: Sequence[Seat], context: AgentContext, ready: Mapping[int, Agent] = MappingProxyType({})
) -> list[Agent]:
    """An agent for each seat that is not `ready`. TabletopError, before any call, for one that is not available."""
    await _prepare_models(seats, context)
    agents = list[Agent]()
    for number, seat in enumerate(seats):
        agents.append(ready[number] if number in ready else await seat.spec.make(seat.settings, number, context))
    return agents


async def _prepare_models(seats: Sequence[Seat], context: AgentContext) -> None:
    """Check every model, then start the servers of model files."""
    has_files = False
    for number, seat in enumerate(seats):
        if is_model(seat.spec):
            with at_seat(number):
                has_files |= model_of(seat.spec, context.environment, seat.settings).connector is not None
    if has_files:
        from runner.agents.local_start import MatchSeats, start_local

        table = MatchSeats(context.game, context.setup, [(seat.spec, seat.settings) for seat in seats])
        await start_local([table], context.pack, context.environment)
