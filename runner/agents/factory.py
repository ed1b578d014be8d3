"""Seating: from the SPEC of every seat to its description in the log and its agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from games.core import Game, Setup, listed, quoted
from runner.agents.bot_seats import bot_agent, bot_facts, check_bot
from runner.agents.environment import Settings
from runner.agents.human_agent import HumanAgent, Person
from runner.agents.mailbox_agent import MailboxAgent
from runner.agents.named_spec import known_names
from runner.agents.outside_seats import check_function, check_program, error_file, function_agent, program_agent
from runner.agents.player_name import check_name, default_name
from runner.agents.protocol import Agent
from runner.agents.seat import BOT_KIND, FUNCTION_KIND, PROGRAM_KIND, Seat
from runner.agents.settings import Reason
from runner.agents.spec import (
    OFFLINE,
    PACK,
    Bot,
    Endpoint,
    Function,
    Human,
    Local,
    Mcp,
    ModelSpec,
    Named,
    Offline,
    Program,
    Spec,
    is_model,
)  # fmt: skip
from runner.agents.wording import agent_settings, pack_of, prompt_options
from runner.errors import AccountError, UsageError, at_seat
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.llm.client import Client

NONE_READY: Mapping[int, Agent] = MappingProxyType({})


def check_spec(spec: Spec, game: Game, settings: Settings, has_people: bool = False) -> None:
    """UsageError for a name that is none, for a bot, an agent or an address that does not exist, and for a person where nobody
    can ask one."""
    if spec.player:
        check_name(spec.player)
    if spec.pack is not None and is_model(spec):
        PromptPack(spec.pack)
    match spec:
        case Bot():
            _check_no_pack(spec, BOT_KIND)
            check_bot(spec, game)
        case Human():
            _check_no_pack(spec, "person")
            if not has_people:
                raise UsageError(
                    f"The seat {quoted(spec.who)} is a person at the terminal, whom only `tabletop play`, `resume` and `fork`"
                    " can ask."
                )
        case Mcp():
            raise UsageError(
                f"The seat {quoted(spec.who)} is for an MCP client, which only `tabletop mcp` can ask: begin or resume the"
                " match there, with the tool new_match."
            )
        case Offline(model=model):
            _check_offline(model)
        case Endpoint(model=model, url=url):
            if url is not None and not (model and url):
                missing = "address" if model else "model"
                raise UsageError(
                    f"The seat {quoted(spec.who)} has no {missing}: write MODEL@BASE_URL, as in small@http://HOST:PORT/v1."
                )
            if url is not None:
                from runner.agents.resolve import checked_address

                checked_address(url, spec.who)
        case Local(path=path):
            from runner.agents.local_files import local_model

            local_model(path)
        case Program():
            _check_no_pack(spec, "program")
            check_program(spec)
        case Function():
            _check_no_pack(spec, "function")
            check_function(spec)
        case Named(name=name):
            _check_agent(name, settings)


def _check_no_pack(spec: Bot | Human | Program | Function, what: str) -> None:
    if spec.pack is not None:
        raise UsageError(f"The seat {quoted(spec.who)} is a {what}, which reads no prompts: leave {PACK}{spec.pack} away.")


def _check_offline(model: str) -> None:
    from runner.llm.offline import BEHAVIOURS, RATE, rate_of

    behaviour = model.removeprefix(f"{OFFLINE}/")
    if model != OFFLINE and behaviour not in BEHAVIOURS and rate_of(behaviour) is None:
        names = [OFFLINE, *(f"{OFFLINE}/{name}" for name in BEHAVIOURS), f"{OFFLINE}/{RATE}0.1"]
        raise UsageError(f"There is no offline model {quoted(model)}: there is {listed(names)}.")


def _check_agent(name: str, settings: Settings) -> None:
    if name in settings.faults:
        raise AccountError(
            settings.faults[name], remedy="Correct it, or name another seat; `tabletop agents` lists the others."
        )
    entry = settings.agents.get(name)
    if not name:
        raise UsageError("A name without a player was given: write NAME=SPEC, as in ada=offline.")
    if entry is None:
        names = known_names(settings)
        near = get_close_matches(name, names, 1)
        meant = f" Did you mean {near[0]}?" if near else ""
        named = [name for name in names if name in settings.agents or name in settings.programs]
        agents = f"an agent of agents.toml ({', '.join(named)}), " if named else ""
        raise UsageError(
            f"There is no seat {quoted(name)}: a seat is {agents}bot:NAME, human, offline, a model such as"
            f" openai/gpt-5-mini, MODEL@BASE_URL, cmd:COMMAND LINE, or py:MODULE:NAME.{meant}"
        )
    if entry.is_offline:
        _check_offline(entry.model)
    if entry.local_path is not None:
        from runner.agents.local_files import local_model

        local_model(entry.local_path, entry)


def describe_seat(spec: Spec, settings: Settings, mistakes: float = 0.0) -> Seat:
    """The seat of a SPEC as it is shown and logged; `mistakes` is the offline model's rate of mistakes."""
    kind, facts = _kind_and_facts(spec, settings, mistakes)
    return Seat(spec, given_name(spec, settings) or default_name(spec), kind, facts)


def given_name(spec: Spec, settings: Settings) -> str:
    """The name that NAME=SPEC or agents.toml gives the player; empty for none."""
    entry = settings.agents.get(spec.who) or settings.programs.get(spec.who)
    return spec.player or (entry.name if entry else None) or ""


def _kind_and_facts(spec: Spec, settings: Settings, mistakes: float) -> tuple[str, dict[str, object]]:
    match spec:
        case Bot():
            return BOT_KIND, bot_facts(spec)
        case Human():
            return "human", {}
        case Mcp():
            return "mcp", {}
        case Program(command=command):
            return PROGRAM_KIND, {"command": command}
        case Function(module=module, name=name):
            return FUNCTION_KIND, {"function": f"{module}:{name}"}
        case Offline(model=model):
            return "offline", {"model": model, **_offline_facts(mistakes)}
        case Endpoint(model=model, url=url):
            from runner.llm.request import OPENROUTER

            return "model", {"model": model, "base_url": url or OPENROUTER}
        case Local(path=path):
            from runner.agents.local_files import local_facts

            return "model", local_facts(path)
        case Named(name=name):
            entry = settings.agents[name]
            if entry.is_offline:
                return "offline", entry.facts() | _offline_facts(mistakes)
            from runner.agents.local_files import local_facts

            return "model", entry.facts() | ({} if entry.local_path is None else local_facts(entry.local_path))


def _offline_facts(mistakes: float) -> dict[str, object]:
    return {"note": "no language model: answers at random", "mistakes": mistakes}


def seat_of(
    spec: Spec,
    game: Game,
    pack: PromptPack,
    settings: Settings,
    mistakes: float = 0.0,
    is_rated: bool = False,
    reason: Reason | None = None,
) -> Seat:
    """The seat of a SPEC in a match with this prompt pack; a seat with its own pack says which.

    `reason`: whether its model is asked for a reason; None: as agents.toml says.
    """
    seat, own = describe_seat(spec, settings, mistakes), pack_of(spec, settings, pack)
    if is_rated:
        seat = seat.rated()
    if reason is not None:
        seat = seat.with_reason(reason)
    if own is pack:
        return seat
    name = given_name(spec, settings) or f"{seat.name} ({own.name})"
    return replace(seat, name=name, facts={**seat.facts, "prompts": own.to_json(game.name)})


async def seat_agents(
    specs: Sequence[Spec],
    game: Game,
    setup: Setup,
    pack: PromptPack,
    settings: Settings,
    client: Client | None,
    is_rated: bool = False,
    person: Person | None = None,
    reasons: Sequence[Reason] = (),
    log: Path | None = None,
    ready: Mapping[int, Agent] = NONE_READY,
) -> list[Agent]:
    """An agent for each SPEC; `person` puts decisions to people. TabletopError, before any call, for an unavailable one.

    `reasons`: for each seat whether its model is asked for a reason. Programs write their standard error beside the `log`.
    """
    if any(map(is_model, specs)):
        await _prepare_models(specs, game, setup, pack, settings, is_rated)
    agents: list[Agent] = []
    for seat, spec in enumerate(specs):
        match spec:
            case _ if seat in ready:
                agents.append(ready[seat])
            case Bot():
                agents.append(bot_agent(spec, game))
            case Human():
                assert person is not None
                agents.append(HumanAgent(person))
            case Mcp():
                agents.append(MailboxAgent())
            case Program():
                agents.append(program_agent(spec, game, settings, given_name(spec, settings), error_file(log, seat)))
            case Function():
                agents.append(function_agent(spec))
            case _:
                assert client is not None
                with at_seat(seat):
                    reason = reasons[seat] if reasons else None
                    agents.append(await model_agent(spec, pack, setup, settings, client, is_rated, reason))
    return agents


async def _prepare_models(
    specs: Sequence[Spec], game: Game, setup: Setup, pack: PromptPack, settings: Settings, is_rated: bool
) -> None:
    """Check every model, then start the servers of model files."""
    from runner.agents.local_start import Table, start_local
    from runner.agents.resolve import model_of

    for seat, spec in enumerate(specs):
        if is_model(spec):
            with at_seat(seat):
                model_of(spec, settings, is_rated)
    await start_local([Table(game, setup, specs)], pack, settings)


async def model_agent(
    spec: ModelSpec,
    pack: PromptPack,
    setup: Setup,
    settings: Settings,
    client: Client,
    is_rated: bool = False,
    reason: Reason | None = None,
) -> LlmAgent:
    """The model of a SPEC, asked with `pack` unless it has its own. TabletopError when it is not available.

    `reason`: whether it is asked for a reason; None: as agents.toml says.
    """
    from runner.agents.model_agent import LlmAgent
    from runner.agents.resolve import model_of
    from runner.llm.offline import OFFLINE_URL, RATE

    model, pack = model_of(spec, settings, is_rated), pack_of(spec, settings, pack)
    if model.base_url == OFFLINE_URL and pack.manifest and pack.manifest.offline:
        model = replace(model, name=f"{OFFLINE}/{RATE}{pack.manifest.offline.mistakes}")
    form = await client.choose_form(model)
    return LlmAgent(client, model, form, pack, prompt_options(setup), agent_settings(spec, settings, reason))
