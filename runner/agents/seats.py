"""From a SPEC on the command line to somebody at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from games.core import Game, Setup, listed, quoted, seat_name
from runner.agents.bots import BotAgent
from runner.agents.protocol import Agent
from runner.errors import AccountError, UsageError
from runner.match.config import Seat
from runner.prompting.pack import PromptPack
from runner.settings import DEFAULT_MODEL_VARIABLE, KEY_VARIABLE, OTHER_KEY_VARIABLE, seat_variable

if TYPE_CHECKING:
    from runner.llm.client import Client
    from runner.llm.request import Model

OFFLINE = "offline"
_BOT = "bot:"
_OPENROUTER = "https://openrouter.ai/api/v1"
_MODEL_WITH_A_KEY = "openai/gpt-5-mini"


@dataclass(frozen=True, slots=True)
class Filled:
    """The SPEC of every seat, and whether the seats nobody spoke for are played by the offline model for want of a key."""

    specs: tuple[str, ...]
    offline_by_default: bool


def fill_seats(given: Sequence[str], players: int, settings: Mapping[str, str]) -> Filled:
    """A SPEC for each seat: those given first, then MODEL_PLAYER_n, then the default model, then the offline model.

    UsageError when more are given than there are seats.
    """
    if len(given) > players:
        raise UsageError(
            f"There are {len(given)} --seat options but only {players} seats: raise --num-players or leave some out."
        )
    default = settings.get(DEFAULT_MODEL_VARIABLE) or (_MODEL_WITH_A_KEY if KEY_VARIABLE in settings else OFFLINE)
    rest = [settings.get(seat_variable(seat), default) for seat in range(len(given), players)]
    return Filled((*given, *rest), OFFLINE in rest and KEY_VARIABLE not in settings)


def check_spec(spec: str, game: Game) -> None:
    """UsageError when a SPEC names a bot that the game does not have, or nothing at all."""
    if spec.startswith(_BOT) and spec.removeprefix(_BOT) not in game.bots:
        bots = listed([f"{_BOT}{name}" for name in game.bots])
        raise UsageError(f"There is no bot {quoted(spec)} for {game.title}: there is {bots}.")
    if is_offline(spec):
        from runner.llm.offline import HABITS

        if spec != OFFLINE and spec.removeprefix(f"{OFFLINE}/") not in HABITS:
            raise UsageError(f"There is no offline model {quoted(spec)}: there is {listed([OFFLINE, *_habits(HABITS)])}.")
        return
    if not spec.startswith(_BOT) and "/" not in spec.split("@")[0] and "@" not in spec:
        raise UsageError(
            f"There is no seat {quoted(spec)}: a seat is bot:NAME, offline, a model such as openai/gpt-5-mini,"
            " or MODEL@BASE_URL."
        )


def is_offline(spec: str) -> bool:
    """Whether a SPEC is the offline model, as it is or with a bad habit (`offline/illegal`)."""
    return spec.split("/")[0] == OFFLINE and "@" not in spec


def _habits(names: Sequence[str]) -> list[str]:
    return [f"{OFFLINE}/{name}" for name in names]


def describe_seat(spec: str, index: int) -> Seat:
    """The seat of a SPEC as it is shown and logged."""
    if spec.startswith(_BOT):
        return Seat(spec, spec, "bot", {})
    if is_offline(spec):
        name = spec.replace(OFFLINE, "offline model", 1)
        return Seat(spec, name, "offline", {"model": spec, "note": "no language model: answers at random"})
    model, _, url = spec.partition("@")
    return Seat(spec, model or f"model of {seat_name(index)}", "model", {"model": model, "base_url": url or _OPENROUTER})


def model_of(spec: str, settings: Mapping[str, str], **limits: Any) -> Model:
    """The model a SPEC stands for. AccountError when its key is missing, UsageError when its address is none."""
    from runner.llm.offline import OFFLINE_URL
    from runner.llm.request import Model

    if is_offline(spec):
        return Model(spec, OFFLINE_URL, "", "none", **limits)
    name, _, url = spec.partition("@")
    if not url:
        if KEY_VARIABLE not in settings:
            raise AccountError(
                f"The seat {name} needs a key: put {KEY_VARIABLE}=... into .env or the environment,"
                f" or play with --seat {OFFLINE} or --seat {_BOT}steady."
            )
        return Model(name, _OPENROUTER, settings[KEY_VARIABLE], KEY_VARIABLE, **limits)
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise UsageError(f"The seat {quoted(spec)} has no address: write MODEL@http://HOST:PORT/v1.")
    is_openrouter = address.hostname == "openrouter.ai"
    variable = KEY_VARIABLE if is_openrouter else OTHER_KEY_VARIABLE
    return Model(name, url, settings.get(variable, ""), variable, **limits)


async def seat_agents(
    specs: Sequence[str], game: Game, setup: Setup, pack: PromptPack, settings: Mapping[str, str], client: Client | None
) -> list[Agent]:
    """An agent for each SPEC. TabletopError when one of them cannot be had."""
    options = prompt_options(setup)
    agents: list[Agent] = []
    for spec in specs:
        if spec.startswith(_BOT):
            agents.append(BotAgent(game.bots[spec.removeprefix(_BOT)]))
        else:
            assert client is not None
            agents.append(await _model_agent(spec, pack, options, settings, client))
    return agents


async def _model_agent(
    spec: str, pack: PromptPack, options: dict[str, Any], settings: Mapping[str, str], client: Client
) -> Agent:
    from runner.agents.llm import LlmAgent
    from runner.llm.errors import AccountProblem

    model = model_of(spec, settings)
    try:
        form = await client.choose_form(model)
    except AccountProblem as problem:
        raise AccountError(str(problem)) from problem
    return LlmAgent(client, model, form, pack, options)


def prompt_options(setup: Setup) -> dict[str, Any]:
    """The options that a prompt may state: all that are plain numbers and words."""
    return {name: value for name, value in setup.options.to_json().items() if not isinstance(value, (list, dict))}


def needs_client(specs: Sequence[str]) -> bool:
    """Whether any seat is played by a model."""
    return any(not spec.startswith(_BOT) for spec in specs)
