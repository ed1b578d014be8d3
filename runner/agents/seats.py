"""From a SPEC on the command line to somebody at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from games.core import Game, Setup, listed, quoted
from runner.agents.bots import BotAgent
from runner.agents.human import HumanAgent, Person
from runner.agents.manner import AS_EVER, Manner
from runner.agents.protocol import Agent
from runner.agents.rated import held_to_rated, rated_seat
from runner.errors import AccountError, UsageError
from runner.match.config import Seat
from runner.prompting.pack import PromptPack
from runner.settings import DEFAULT_MODEL_VARIABLE, KEY_VARIABLE, OTHER_KEY_VARIABLE, Settings, seat_variable

if TYPE_CHECKING:
    from runner.agents.llm import LlmAgent
    from runner.llm.client import Client
    from runner.llm.request import Model

OFFLINE = "offline"
HUMAN = "human"
_BOT = "bot:"
_PACK = "+pack:"
_OPENROUTER = "https://openrouter.ai/api/v1"
_MODEL_WITH_A_KEY = "openai/gpt-5-mini"


@dataclass(frozen=True, slots=True)
class Filled:
    """The SPEC of every seat, and whether the seats nobody spoke for are played by the offline model for want of a key."""

    specs: tuple[str, ...]
    offline_by_default: bool


def fill_seats(given: Sequence[str], players: int, settings: Settings) -> Filled:
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


def check_spec(spec: str, game: Game, settings: Settings, has_people: bool = False) -> None:
    """UsageError when a SPEC names a bot that the game does not have, nothing at all, or a person where there is none."""
    spec, pack = _split(spec)
    if pack is not None:
        PromptPack(pack)
        if spec.startswith(_BOT) or spec == HUMAN:
            what = "person" if spec == HUMAN else "bot"
            raise UsageError(f"The seat {quoted(spec)} is a {what}, which reads no prompts: leave {_PACK}{pack} away.")
    if spec == HUMAN:
        if not has_people:
            raise UsageError(
                f"The seat {quoted(spec)} is a person at the terminal, whom only `tabletop play`, `resume` and `fork` can ask."
            )
    elif spec.startswith(_BOT):
        if spec.removeprefix(_BOT) not in game.bots:
            bots = listed([f"{_BOT}{name}" for name in game.bots])
            raise UsageError(f"There is no bot {quoted(spec)} for {game.title}: there is {bots}.")
    elif is_offline(spec):
        from runner.llm.offline import HABITS, RATE, rate_of

        habit = spec.removeprefix(f"{OFFLINE}/")
        if spec != OFFLINE and habit not in HABITS and rate_of(habit) is None:
            names = [OFFLINE, *_habits(HABITS), f"{OFFLINE}/{RATE}0.1"]
            raise UsageError(f"There is no offline model {quoted(spec)}: there is {listed(names)}.")
    elif spec not in settings.agents and "/" not in spec and "@" not in spec:
        agents = f"an agent of agents.toml ({', '.join(settings.agents)}), " if settings.agents else ""
        raise UsageError(
            f"There is no seat {quoted(spec)}: a seat is {agents}bot:NAME, human, offline, a model such as"
            " openai/gpt-5-mini, or MODEL@BASE_URL."
        )


def _split(spec: str) -> tuple[str, Path | None]:
    """Who plays, and the folder of the seat's own prompt pack: `SPEC+pack:DIR`."""
    who, mark, folder = spec.partition(_PACK)
    return who, Path(folder) if mark else None


def with_pack(spec: str, folder: Path | None) -> str:
    """The SPEC of a seat that reads a prompt pack of its own."""
    return spec if folder is None else f"{spec}{_PACK}{folder}"


def is_offline(spec: str) -> bool:
    """Whether a SPEC is the offline model, as it is or with a bad habit (`offline/illegal`)."""
    return spec.split("/")[0] == OFFLINE and "@" not in spec


def _habits(names: Sequence[str]) -> list[str]:
    return [f"{OFFLINE}/{name}" for name in names]


def describe_seat(spec: str, settings: Settings, mistakes: float = 0.0) -> Seat:
    """The seat of a SPEC as it is shown and logged; `mistakes` is how often the offline model errs."""
    who, _ = _split(spec)
    return replace(_described(who, settings, mistakes), spec=spec)


def _described(spec: str, settings: Settings, mistakes: float) -> Seat:
    if spec in settings.agents:
        entry = settings.agents[spec]
        names = ("model", "base_url", "parameters", "time_limit", "max_tokens")
        return Seat(spec, spec, "model", {name: getattr(entry, name) for name in names} | entry.manner.to_json())
    if spec.startswith(_BOT):
        return Seat(spec, spec, "bot", {})
    if spec == HUMAN:
        return Seat(spec, spec, "human", {})
    if is_offline(spec):
        name = spec.replace(OFFLINE, "offline model", 1)
        facts = {"model": spec, "note": "no language model: answers at random", "mistakes": mistakes}
        return Seat(spec, name, "offline", facts)
    model, _, url = spec.partition("@")
    return Seat(spec, model or url, "model", {"model": model, "base_url": url or _OPENROUTER})


def seat_of(spec: str, game: Game, pack: PromptPack, settings: Settings, mistakes: float = 0.0, is_rated: bool = False) -> Seat:
    """The seat of a SPEC in a match that has this prompt pack; one with prompts of its own says which."""
    seat, own = describe_seat(spec, settings, mistakes), pack_of(spec, settings, pack)
    if is_rated:
        seat = rated_seat(seat)
    if own is pack:
        return seat
    return replace(seat, name=f"{seat.name} ({own.name})", facts={**seat.facts, "prompts": own.to_json(game.name)})


def model_of(spec: str, settings: Settings, is_rated: bool = False) -> Model:
    """The model a SPEC stands for. AccountError when its key is missing or rated play refuses it, UsageError when its
    address is none."""
    who, _ = _split(spec)
    model = _model_of(who, settings)
    return held_to_rated(model, who) if is_rated else model


def _model_of(spec: str, settings: Settings) -> Model:
    from runner.llm.offline import OFFLINE_URL
    from runner.llm.request import Model

    if spec in settings.agents:
        return _named_model(spec, settings)
    if is_offline(spec):
        return Model(spec, OFFLINE_URL, "", "none")
    name, _, url = spec.partition("@")
    url = _checked_address(url or _OPENROUTER, spec)
    variable = _key_variable(url)
    return Model(name, url, _key(spec, variable, settings), variable)


def has_key(spec: str, settings: Settings) -> bool:
    """Whether the key that the model of a SPEC needs, if it needs any, is there."""
    try:
        model_of(spec, settings)
    except AccountError:
        return False
    return True


def model_without_key(spec: str, settings: Settings) -> Model:
    """The model a SPEC stands for, with its key if there is one, for what needs none: prices and the words of prompts."""
    absent = {KEY_VARIABLE, *(entry.key for entry in settings.agents.values() if entry.key)} - settings.variables.keys()
    return model_of(spec, replace(settings, variables={**settings.variables, **dict.fromkeys(absent, "")}))


def endpoint_of(url: str, settings: Settings) -> Model:
    """A nameless model at an address, for questions about the endpoint itself; its key goes along when there is one."""
    from runner.llm.offline import OFFLINE_URL
    from runner.llm.request import Model

    if url == OFFLINE:
        return Model("", OFFLINE_URL, "", "none")
    variable = _key_variable(url)
    return Model("", _checked_address(url, url), settings.get(variable, ""), variable)


def _checked_address(url: str, said: str) -> str:
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise UsageError(f"{quoted(said)} has no address: write http://HOST:PORT/v1 for it.")
    return url


def _named_model(name: str, settings: Settings) -> Model:
    """The model of an agent of agents.toml."""
    from runner.llm.prices import Prices
    from runner.llm.request import AnswerForm, Model

    entry = settings.agents[name]
    variable = entry.key or _key_variable(entry.base_url)
    prices = None if entry.prices is None else Prices(entry.prices.prompt / 1e6, entry.prices.completion / 1e6)
    return Model(
        entry.model,
        entry.base_url,
        _key(name, variable, settings, is_named=entry.key is not None),
        variable,
        parameters=entry.parameters,
        headers=entry.headers,
        time_limit=entry.time_limit,
        max_tokens=entry.max_tokens,
        form=entry.form and AnswerForm(entry.form),
        prices=prices,
        speaks_openrouter=entry.openrouter,
        attempts=None if entry.retries is None else entry.retries + 1,
        caches=entry.cache,
    )


def _key_variable(url: str) -> str:
    """Which variable holds the key for an address: OpenRouter's key goes to OpenRouter alone."""
    return KEY_VARIABLE if urlsplit(url).hostname == "openrouter.ai" else OTHER_KEY_VARIABLE


def _key(seat: str, variable: str, settings: Settings, is_named: bool = False) -> str:
    """The key of a seat; a server that is not OpenRouter may need none. AccountError when one is needed and absent."""
    if variable in settings:
        return settings[variable]
    if variable != KEY_VARIABLE and not is_named:
        return ""
    raise AccountError(
        f"The seat {seat} needs a key: put {variable}=... into .env or the environment,"
        f" or play with --seat {OFFLINE} or --seat {_BOT}steady."
    )


def bot_agent(spec: str, game: Game) -> BotAgent:
    """The bot of a SPEC that has been checked."""
    return BotAgent(game.bots[spec.removeprefix(_BOT)])


async def seat_agents(
    specs: Sequence[str],
    game: Game,
    setup: Setup,
    pack: PromptPack,
    settings: Settings,
    client: Client | None,
    is_rated: bool = False,
    person: Person | None = None,
) -> list[Agent]:
    """An agent for each SPEC; `person` puts decisions to people. TabletopError when one of them cannot be had; nobody has
    been asked anything then."""
    agents: list[Agent] = []
    for spec in filter(lambda spec: needs_client([spec]), specs):
        model_of(spec, settings, is_rated)
    for spec in specs:
        if spec.startswith(_BOT):
            agents.append(bot_agent(spec, game))
        elif spec == HUMAN:
            assert person is not None
            agents.append(HumanAgent(person))
        else:
            assert client is not None
            agents.append(await model_agent(spec, pack, setup, settings, client, is_rated))
    return agents


async def model_agent(
    spec: str, pack: PromptPack, setup: Setup, settings: Settings, client: Client, is_rated: bool = False
) -> LlmAgent:
    """The model of a SPEC, asked with `pack` unless it has prompts of its own. TabletopError when it cannot be had."""
    from runner.agents.llm import LlmAgent
    from runner.llm.errors import AccountProblem
    from runner.llm.offline import OFFLINE_URL, RATE

    model, pack = model_of(spec, settings, is_rated), pack_of(spec, settings, pack)
    if model.base_url == OFFLINE_URL and pack.manifest and pack.manifest.offline:
        model = replace(model, name=f"{OFFLINE}/{RATE}{pack.manifest.offline.mistakes}")
    try:
        form = await client.choose_form(model)
    except AccountProblem as problem:
        raise AccountError(str(problem)) from problem
    return LlmAgent(client, model, form, pack, prompt_options(setup), _manner(spec, settings))


def wording_agent(spec: str, pack: PromptPack, setup: Setup, settings: Settings) -> LlmAgent:
    """The model of a SPEC as somebody who words questions as in a match and asks nobody; it needs no key."""
    from runner.agents.llm import LlmAgent
    from runner.llm.client import Client
    from runner.llm.request import AnswerForm

    model, own = model_without_key(spec, settings), pack_of(spec, settings, pack)
    form = model.form or AnswerForm.STRICT_SCHEMA
    return LlmAgent(Client(), model, form, own, prompt_options(setup), _manner(spec, settings))


def _manner(spec: str, settings: Settings) -> Manner:
    entry = settings.agents.get(_split(spec)[0])
    return AS_EVER if entry is None else entry.manner


def pack_of(spec: str, settings: Settings, pack: PromptPack) -> PromptPack:
    """The prompt pack of a seat: the one its SPEC names, else that of its agent in agents.toml, else the one of the match."""
    who, folder = _split(spec)
    if folder is not None:
        return pack.other(folder)
    entry = settings.agents.get(who)
    return pack if entry is None or entry.prompts is None else pack.other(entry.prompts)


def prompt_options(setup: Setup) -> dict[str, Any]:
    """The options that a prompt may state: all that are plain numbers and words."""
    return {name: value for name, value in setup.options.to_json().items() if not isinstance(value, (list, dict))}


def needs_client(specs: Sequence[str]) -> bool:
    """Whether any seat is played by a model."""
    return any(not spec.startswith(_BOT) and spec != HUMAN for spec in specs)


def people(specs: Sequence[str]) -> tuple[int, ...]:
    """The seats played by people."""
    return tuple(seat for seat, spec in enumerate(specs) if spec == HUMAN)
