"""Seating: from the SPEC of every seat to its description in the log and its agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from games.core import Game, Setup, listed, quoted
from runner.agents.bot_seats import bot_agent, bot_facts, check_bot
from runner.agents.environment import Environment
from runner.agents.named_spec import agent_settings, known_names, pack_of
from runner.agents.protocol import Agent
from runner.agents.seat import Seat, check_name
from runner.agents.spec import (
    HUMAN,
    OFFLINE,
    PACK,
    Bot,
    Endpoint,
    Function,
    Human,
    Local,
    Mcp,
    Named,
    Offline,
    Program,
    Spec,
    command_fault,
    is_model,
    length_fault,
)  # fmt: skip
from runner.agents.waiting_agents import HumanAgent, MailboxAgent, Person
from runner.errors import AccountError, UsageError, at_seat
from runner.llm.request import OPENROUTER
from runner.llm.skin import PLAIN, Skin
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.agents.shared_programs import Programs
    from runner.llm.client import Client


def check_spec(spec: Spec, game: Game, environment: Environment, asks: tuple[type[Spec], ...] = ()) -> None:
    """UsageError for a text that is too long, for a name that is none, for a bot, an agent or an address that does not exist,
    and for a person or an MCP client where none can be asked: `asks` has the kinds of seat that can."""
    if (fault := length_fault(spec)) is not None:
        raise UsageError(f"The seat {quoted(spec.named_text)} is too long: {fault}.")
    if spec.player:
        check_name(spec.player)
    if spec.pack is not None and is_model(spec):
        PromptPack(spec.pack)
    elif spec.pack is not None and not isinstance(spec, Mcp):
        kind = "person" if isinstance(spec, Human) else spec.kind
        raise UsageError(f"The seat {quoted(spec.who)} is a {kind}, which reads no prompts: leave {PACK}{spec.pack} away.")
    match spec:
        case Bot():
            check_bot(spec, game)
        case Human() if Human not in asks:
            raise UsageError(
                f"The seat {quoted(spec.who)} is a person at the terminal, whom only `tabletop play`, `resume` and `fork`"
                " can ask."
            )
        case Mcp() if Mcp not in asks:
            raise UsageError(
                f"The seat {quoted(spec.who)} is for an MCP client, which only `tabletop mcp` can ask: begin or resume the"
                " match there, with the tool new_match."
            )
        case Offline(model=model):
            _check_offline(model)
        case Endpoint(model=model, url=str(url)):
            if not (model and url):
                missing = "address" if model else "model"
                raise UsageError(
                    f"The seat {quoted(spec.who)} has no {missing}: write MODEL@BASE_URL, as in small@http://HOST:PORT/v1."
                )
            from runner.agents.resolve import checked_address

            checked_address(url, spec.who)
        case Local(path=path):
            from runner.agents.resolve import local_model

            local_model(path)
        case Program(command=command):
            if (fault := command_fault(command)) is not None:
                from runner.agents.program_agent import program_error

                raise program_error(spec, fault)
        case Function():
            from runner.agents.function_loader import check_function

            check_function(spec)
        case Named(name=name):
            _check_agent(name, environment)


def _check_offline(model: str) -> None:
    from runner.llm.offline import BEHAVIOURS, RATE, rate_of

    behaviour = model.removeprefix(f"{OFFLINE}/")
    if model != OFFLINE and behaviour not in BEHAVIOURS and rate_of(behaviour) is None:
        names = [OFFLINE, *(f"{OFFLINE}/{name}" for name in BEHAVIOURS), f"{OFFLINE}/{RATE}0.1"]
        raise UsageError(f"There is no offline model {quoted(model)}: there is {listed(names)}.")


def _check_agent(name: str, environment: Environment) -> None:
    if name in environment.faults:
        raise AccountError(
            environment.faults[name], remedy="Correct it, or name another seat; `tabletop agents` lists the others."
        )
    entry = environment.agents.get(name)
    if not name:
        raise UsageError("A name without a player was given: write NAME=SPEC, as in ada=offline.")
    if entry is None:
        names = known_names(environment)
        near = get_close_matches(name, (*names, HUMAN, OFFLINE), 1)
        meant = f" Did you mean {near[0]}?" if near else ""
        named = [name for name in names if name in environment.agents or name in environment.programs]
        agents = f"an agent of agents.toml ({', '.join(named)}), " if named else ""
        raise UsageError(
            f"There is no seat {quoted(name)}: a seat is {agents}bot:NAME, human, offline, a model such as"
            f" openai/gpt-5-mini, MODEL@BASE_URL, cmd:COMMAND LINE, or py:MODULE:NAME.{meant}"
        )
    if entry.is_offline:
        _check_offline(entry.model)
    if entry.local_path is not None:
        from runner.agents.resolve import local_model

        local_model(entry.local_path, entry)


def describe_seat(spec: Spec, environment: Environment, mistakes: float = 0.0) -> Seat:
    """The seat of a SPEC as it is shown and logged; `mistakes` is the offline model's rate of mistakes."""
    kind, facts = spec.kind, dict[str, object]()
    match spec:
        case Bot():
            facts = bot_facts(spec)
        case Program(command=command):
            facts = {"command": command}
        case Function(module=module, name=name):
            facts = {"function": f"{module}:{name}"}
        case Offline(model=model):
            facts = {"model": model}
        case Endpoint(model=model, url=url):
            facts = {"model": model, "base_url": url or OPENROUTER}
        case Local(path=path):
            facts = _file_facts(path)
        case Named(name=name):
            entry = environment.agents[name]
            kind = Offline.kind if entry.is_offline else kind
            facts = entry.facts() | ({} if entry.local_path is None else _file_facts(entry.local_path))
    if kind == Offline.kind:
        facts |= {"note": "no language model: answers at random", "mistakes": mistakes}
    return Seat(spec, given_name(spec, environment) or spec.default_name, kind, facts)


def _file_facts(path: Path) -> dict[str, object]:
    from runner.agents.resolve import checked_file

    file = checked_file(path)
    template = {} if file.header.has_template else {"chat_template": "tabletop"}
    return {"model": file.name, "sha256": file.sha256, **template}


def given_name(spec: Spec, environment: Environment) -> str:
    """The name that NAME=SPEC or agents.toml gives the player; empty for none."""
    entry = environment.agents.get(spec.who) or environment.programs.get(spec.who)
    return spec.player or (entry.name if entry else None) or ""


class AgentContext(NamedTuple):
    """What the agents of a match are made with: its game and set-up, the prompts of seats without a pack, the environment,
    the running programs that it shares with other matches, and the words that models read."""

    game: Game
    setup: Setup
    pack: PromptPack
    environment: Environment
    programs: Programs | None = None
    skin: Skin = PLAIN


async def seat_agents(
    seats: Sequence[Seat],
    context: AgentContext,
    client: Client | None,
    person: Person | None = None,
    log: Path | None = None,
    ready: Mapping[int, Agent] = MappingProxyType({}),
) -> list[Agent]:
    """An agent for each seat that is not `ready`; `person` puts decisions to people. Programs write their standard error beside
    the `log`. TabletopError, before any call, for one that is not available."""
    await _prepare_models(seats, context)
    agents: list[Agent] = []
    for number, seat in enumerate(seats):
        match spec := seat.spec:
            case _ if number in ready:
                agents.append(ready[number])
            case Bot():
                agents.append(bot_agent(spec, context.game))
            case Human():
                assert person is not None
                agents.append(HumanAgent(person))
            case Mcp():
                agents.append(MailboxAgent())
            case Program():
                from runner.agents.program_agent import program_agent

                errors = None if log is None else log.with_name(f"{log.name}.P-{number}.stderr")
                name = given_name(spec, context.environment)
                programs = context.programs
                agents.append(program_agent(spec, context.game, context.environment, name, errors, programs, agents))
            case Function():
                from runner.agents.function_agent import function_agent

                agents.append(function_agent(spec))
            case _:
                assert client is not None
                with at_seat(number):
                    agents.append(await model_agent(seat, context, client))
    return agents


async def _prepare_models(seats: Sequence[Seat], context: AgentContext) -> None:
    """Check every model, then start the servers of model files."""
    if not any(is_model(seat.spec) for seat in seats):
        return
    from runner.agents.resolve import model_of

    has_files = False
    for number, seat in enumerate(seats):
        if is_model(seat.spec):
            with at_seat(number):
                has_files |= model_of(seat.spec, context.environment, seat.is_rated).connector is not None
    if has_files:
        from runner.agents.local_start import MatchSeats, start_local

        table = MatchSeats(context.game, context.setup, [seat.spec for seat in seats])
        await start_local([table], context.pack, context.environment)


async def model_agent(seat: Seat, context: AgentContext, client: Client) -> LlmAgent:
    """The model of a seat, asked with the pack of the context unless it has its own. TabletopError when it is not available."""
    from runner.agents.model_agent import LlmAgent
    from runner.agents.resolve import model_of
    from runner.llm.offline import OFFLINE_URL, RATE

    spec, environment = seat.spec, context.environment
    assert is_model(spec)
    model, pack = model_of(spec, environment, seat.is_rated), pack_of(spec, environment, context.pack)
    if model.base_url == OFFLINE_URL and pack.manifest and pack.manifest.offline:
        model = replace(model, name=f"{OFFLINE}/{RATE}{pack.manifest.offline.mistakes}")
    form = await client.choose_form(model)
    settings = agent_settings(spec, environment, seat.reason, seat.has_belief)
    settings = replace(settings, choices=seat.choices, policy=seat.policy)
    return LlmAgent(client, model, form, pack, settings, context.skin)
