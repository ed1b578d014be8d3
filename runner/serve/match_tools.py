"""Match tools: what clients can call, each with its arguments and its result."""

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

import games
from games.core import Game, listed, quoted
from runner.agents.protocol import AgentReply
from runner.errors import UsageError
from runner.files import read_toml
from runner.game_folders import rules_text
from runner.llm.strict_json import without_surrogates
from runner.record.line import decode
from runner.serve.hosted_match import Answer
from runner.serve.match_host import RULES, MatchHost, split_options
from runner.session.match_spec import CHANGES, MatchSpec, SeatText
from runner.validation import first_problem

LONGEST_ARGUMENTS = 64 * 1024
"""Characters of a call's arguments as JSON."""

_CHANGE = {*CHANGES} - {"seats"}
"""What a client may change in a match that it resumes."""

INSTRUCTIONS = files("runner.serve").joinpath("instructions.txt").read_text(encoding="utf-8")
"""What a client is told of the tools."""

LONGEST_WAIT = 25.0
"""Seconds. Clients give up on a call after 60 s."""


def _object(value: object) -> object:
    """An object, also one that a client sends as JSON text. ValueError for anything else."""
    if isinstance(value, str):
        with suppress(ValueError):
            value = decode(value)
    if not isinstance(value, dict):
        raise ValueError("it has to be an object")
    return value


_Object = Annotated[dict[str, Any], BeforeValidator(_object)]
_Short = Annotated[str, Field(max_length=300)]
_Options = Annotated[_Object, Field(max_length=50)]


class Arguments(BaseModel):
    """Arguments of a tool; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RulesArguments(Arguments):
    """A game and its options."""

    game: _Short
    options: _Options = Field(default_factory=dict)


class NewMatchArguments(MatchSpec):
    """A match to begin, or the log of one to resume."""

    model_config = ConfigDict(strict=False)

    game: _Short = ""
    seats: Annotated[tuple[SeatText, ...], Field(max_length=16)] = ()
    options: _Options = Field(default_factory=dict)
    resume: _Short = ""


class HandleArguments(Arguments):
    """A seat."""

    handle: _Short


class WaitArguments(HandleArguments):
    """How long to wait for a decision of a seat."""

    seconds: Annotated[float, Field(ge=0)] = LONGEST_WAIT


class ActArguments(HandleArguments):
    """The answer to a decision."""

    decision: Annotated[int, Field(ge=0)]
    answer: _Object
    say: str = ""
    reason: Annotated[str, Field(max_length=20_000)] = ""


_TOLD = read_toml(files("runner.serve").joinpath("tools.toml").read_text(encoding="utf-8"))
"""What clients are told of each tool and of its arguments."""

_RESULTS = json.loads(files("runner.serve").joinpath("results.json").read_text(encoding="utf-8"))
"""The JSON Schema of each tool's structured content."""


@dataclass(frozen=True)
class MatchTool:
    """A tool: `run` gives the structured content of its result."""

    name: str
    arguments: type[Arguments | NewMatchArguments]
    run: Callable[[MatchHost, Any], Awaitable[Answer]]

    @property
    def description(self) -> str:
        """What it does, for clients."""
        return str(_TOLD[self.name]["about"])

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        found = {name: part for name, part in self.arguments.model_json_schema().items() if name != "description"}
        for name in found["properties"].keys() & _TOLD[self.name].keys():
            found["properties"][name]["description"] = _TOLD[self.name][name]
        return found

    @property
    def output_schema(self) -> dict[str, Any]:
        """The JSON Schema of its structured content."""
        found: dict[str, Any] = _RESULTS[self.name]
        return found


async def call(host: MatchHost, name: str, arguments: Mapping[str, Any]) -> Answer:
    """The structured content of a tool's result. TabletopError or OptionError, one sentence, for a refusal."""
    if (tool := TOOLS.get(name)) is None:
        raise UsageError(f"There is no tool {quoted(name)}: there is {', '.join(TOOLS)}.")
    try:
        text = without_surrogates(json.dumps(arguments, ensure_ascii=False))
        if len(text) > LONGEST_ARGUMENTS:
            raise UsageError(f"{name}: the arguments have {len(text):,} characters, more than {LONGEST_ARGUMENTS:,}.")
        checked = tool.arguments.model_validate(decode(text))
    except ValidationError as error:
        raise UsageError(f"{name}: {first_problem(error, tool.arguments)}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name}: the arguments cannot be read: {error}.") from error
    return await tool.run(host, checked)


async def _list_games(host: MatchHost, given: Arguments) -> Answer:
    return {"games": [game_facts(game) for game in map(games.load, games.names())]}


def game_facts(game: Game) -> dict[str, object]:
    """What a client can choose of a game."""
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": [game.players[0], game.players[-1]],
        "presets": list(game.presets),
        "bots": [f"bot:{name}" for name in game.bots],
        "options": {name: option.help for name, option in game.options.items()},
    }


async def _rules(host: MatchHost, given: RulesArguments) -> Answer:
    game = games.load(given.game)
    setup = game.set_up(None, 0, *split_options(given.options))
    lines = [f"- {option}: {value}" for option, value in setup.options.to_json().items() if not isinstance(value, list | dict)]
    return {"text": "\n".join([rules_text(game), f"## Options in this match ({RULES}: {setup.rules})", "", *lines, ""])}


async def _new_match(host: MatchHost, given: NewMatchArguments) -> Answer:
    if given.resume:
        changes = {name: getattr(given, name) for name in given.model_fields_set - {"resume"}}
        if changes.keys() - _CHANGE:
            raise UsageError(f"resume takes everything from the log but {listed(sorted(_CHANGE))}: leave the rest out.")
        return await host.resume(given.resume, changes)
    if not given.game or not given.seats:
        raise UsageError("new_match needs game and seats, or resume.")
    return await host.begin(given)


async def _wait_for_turn(host: MatchHost, given: WaitArguments) -> Answer:
    match, seat = host.seat(given.handle)
    return await match.wait_for_turn(seat, min(given.seconds, LONGEST_WAIT))


async def _act(host: MatchHost, given: ActArguments) -> Answer:
    match, seat = host.seat(given.handle)
    text = json.dumps(given.answer, ensure_ascii=False)
    return await match.act(seat, given.decision, AgentReply(given.answer, text=text, say=given.say, reason=given.reason))


async def _table(host: MatchHost, given: HandleArguments) -> Answer:
    match, seat = host.seat(given.handle)
    return {"text": match.table(seat)}


TOOLS = {
    tool.name: tool
    for tool in (
        MatchTool("list_games", Arguments, _list_games),
        MatchTool("rules", RulesArguments, _rules),
        MatchTool("new_match", NewMatchArguments, _new_match),
        MatchTool("wait_for_turn", WaitArguments, _wait_for_turn),
        MatchTool("act", ActArguments, _act),
        MatchTool("table", HandleArguments, _table),
    )
}
