"""From a SPEC on the command line to somebody at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from games.core import Game, Setup, listed, quoted
from runner.agents.bot_agent import BotAgent
from runner.agents.environment import DEFAULT_MODEL_VARIABLE, KEY_VARIABLE, Settings, seat_variable
from runner.agents.human_agent import HumanAgent, Person
from runner.agents.protocol import Agent
from runner.agents.rated_seats import rated_seat
from runner.agents.resolve import OPENROUTER, model_of, model_without_key
from runner.agents.seat import Seat
from runner.agents.settings import AS_EVER, Manner
from runner.agents.spec import BOT, HUMAN, OFFLINE, PACK, is_offline, needs_client, split_spec
from runner.errors import UsageError, at_seat
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.llm.client import Client

_MODEL_WITH_A_KEY = "openai/gpt-5-mini"


@dataclass(frozen=True, slots=True)
class Filled:
    """The SPEC of every seat, whether the seats nobody spoke for are played by the offline model for want of a key, and the
    model that plays them, which costs money, as there is one."""

    specs: tuple[str, ...]
    offline_by_default: bool
    paid_by_default: str | None = None


def fill_seats(given: Sequence[str], players: int, settings: Settings) -> Filled:
    """A SPEC for each seat: those given first, then MODEL_PLAYER_n, then the default model, then the offline model.

    UsageError when more are given than there are seats.
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
    return Filled((*given, *rest), OFFLINE in rest and not has_key, paid)


def check_spec(spec: str, game: Game, settings: Settings, has_people: bool = False) -> None:
    """UsageError when a SPEC names a bot that the game does not have, nothing at all, or a person where there is none."""
    spec, pack = split_spec(spec)
    if pack is not None:
        PromptPack(pack)
        if spec.startswith(BOT) or spec == HUMAN:
            what = "person" if spec == HUMAN else "bot"
            raise UsageError(f"The seat {quoted(spec)} is a {what}, which reads no prompts: leave {PACK}{pack} away.")
    entry = settings.agents.get(spec)
    offline = entry.model if entry is not None and entry.is_offline else spec
    if spec == HUMAN:
        if not has_people:
            raise UsageError(
                f"The seat {quoted(spec)} is a person at the terminal, whom only `tabletop play`, `resume` and `fork` can ask."
            )
    elif spec.startswith(BOT):
        if spec.removeprefix(BOT) not in game.bots:
            bots = listed([f"{BOT}{name}" for name in game.bots])
            raise UsageError(f"There is no bot {quoted(spec)} for {game.title}: there is {bots}.")
    elif is_offline(offline):
        from runner.llm.offline import HABITS, RATE, rate_of

        habit = offline.removeprefix(f"{OFFLINE}/")
        if offline != OFFLINE and habit not in HABITS and rate_of(habit) is None:
            names = [OFFLINE, *_habits(HABITS), f"{OFFLINE}/{RATE}0.1"]
            raise UsageError(f"There is no offline model {quoted(offline)}: there is {listed(names)}.")
    elif spec not in settings.agents and "@" in spec:
        model, _, url = spec.partition("@")
        if not model or not url:
            missing = "address" if model else "model"
            raise UsageError(
                f"The seat {quoted(spec)} has no {missing}: write MODEL@BASE_URL, as in small@http://HOST:PORT/v1."
            )
    elif spec not in settings.agents and "/" not in spec:
        agents = f"an agent of agents.toml ({', '.join(settings.agents)}), " if settings.agents else ""
        raise UsageError(
            f"There is no seat {quoted(spec)}: a seat is {agents}bot:NAME, human, offline, a model such as"
            " openai/gpt-5-mini, or MODEL@BASE_URL."
        )


def _habits(names: Sequence[str]) -> list[str]:
    return [f"{OFFLINE}/{name}" for name in names]


def describe_seat(spec: str, settings: Settings, mistakes: float = 0.0) -> Seat:
    """The seat of a SPEC as it is shown and logged; `mistakes` is how often the offline model errs."""
    who, _ = split_spec(spec)
    return replace(_described(who, settings, mistakes), spec=spec)


def _described(spec: str, settings: Settings, mistakes: float) -> Seat:
    if spec in settings.agents:
        entry = settings.agents[spec]
        names = ("model", "base_url", "parameters", "time_limit", "max_tokens")
        facts = {name: getattr(entry, name) for name in names} | entry.manner.to_json()
        if entry.is_offline:
            return Seat(spec, spec, "offline", facts | _no_language_model(mistakes))
        return Seat(spec, spec, "model", facts)
    if spec.startswith(BOT):
        return Seat(spec, spec, "bot", {})
    if spec == HUMAN:
        return Seat(spec, spec, "human", {})
    if is_offline(spec):
        name = spec.replace(OFFLINE, "offline model", 1)
        return Seat(spec, name, "offline", {"model": spec, **_no_language_model(mistakes)})
    model, _, url = spec.partition("@")
    return Seat(spec, model or url, "model", {"model": model, "base_url": url or OPENROUTER})


def _no_language_model(mistakes: float) -> dict[str, Any]:
    return {"note": "no language model: answers at random", "mistakes": mistakes}


def seat_of(spec: str, game: Game, pack: PromptPack, settings: Settings, mistakes: float = 0.0, is_rated: bool = False) -> Seat:
    """The seat of a SPEC in a match that has this prompt pack; one with prompts of its own says which."""
    seat, own = describe_seat(spec, settings, mistakes), pack_of(spec, settings, pack)
    if is_rated:
        seat = rated_seat(seat)
    if own is pack:
        return seat
    return replace(seat, name=f"{seat.name} ({own.name})", facts={**seat.facts, "prompts": own.to_json(game.name)})


def bot_agent(spec: str, game: Game) -> BotAgent:
    """The bot of a SPEC that has been checked."""
    return BotAgent(game.bots[spec.removeprefix(BOT)])


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
    for seat, spec in enumerate(specs):
        if needs_client([spec]):
            with at_seat(seat):
                model_of(spec, settings, is_rated)
    for seat, spec in enumerate(specs):
        if spec.startswith(BOT):
            agents.append(bot_agent(spec, game))
        elif spec == HUMAN:
            assert person is not None
            agents.append(HumanAgent(person))
        else:
            assert client is not None
            with at_seat(seat):
                agents.append(await model_agent(spec, pack, setup, settings, client, is_rated))
    return agents


async def model_agent(
    spec: str, pack: PromptPack, setup: Setup, settings: Settings, client: Client, is_rated: bool = False
) -> LlmAgent:
    """The model of a SPEC, asked with `pack` unless it has prompts of its own. TabletopError when it cannot be had."""
    from runner.agents.model_agent import LlmAgent
    from runner.llm.offline import OFFLINE_URL, RATE

    model, pack = model_of(spec, settings, is_rated), pack_of(spec, settings, pack)
    if model.base_url == OFFLINE_URL and pack.manifest and pack.manifest.offline:
        model = replace(model, name=f"{OFFLINE}/{RATE}{pack.manifest.offline.mistakes}")
    form = await client.choose_form(model)
    return LlmAgent(client, model, form, pack, prompt_options(setup), _manner(spec, settings))


def wording_agent(spec: str, pack: PromptPack, setup: Setup, settings: Settings) -> LlmAgent:
    """The model of a SPEC as somebody who words questions as in a match and asks nobody; it needs no key."""
    from runner.agents.model_agent import LlmAgent
    from runner.llm.client import Client
    from runner.llm.request import AnswerForm

    model, own = model_without_key(spec, settings), pack_of(spec, settings, pack)
    form = model.form or AnswerForm.STRICT_SCHEMA
    return LlmAgent(Client(), model, form, own, prompt_options(setup), _manner(spec, settings))


def _manner(spec: str, settings: Settings) -> Manner:
    entry = settings.agents.get(split_spec(spec)[0])
    return AS_EVER if entry is None else entry.manner


def pack_of(spec: str, settings: Settings, pack: PromptPack) -> PromptPack:
    """The prompt pack of a seat: the one its SPEC names, else that of its agent in agents.toml, else the one of the match."""
    who, folder = split_spec(spec)
    if folder is not None:
        return pack.other(folder)
    entry = settings.agents.get(who)
    return pack if entry is None or entry.prompts is None else pack.other(entry.prompts)


def prompt_options(setup: Setup) -> dict[str, Any]:
    """The options that a prompt may state: all that are plain numbers and words."""
    return {name: value for name, value in setup.options.to_json().items() if not isinstance(value, (list, dict))}
