"""Tool types: the arguments of each tool, whose docstring describes it to clients, and its structured result."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from typing_extensions import TypedDict

from runner.record.json_line import decode

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
Handle = Annotated[str, Field(max_length=300, description="the secret handle of your seat, from new_match")]
_Options = Annotated[
    _Object,
    Field(description='options of the game by name, as list_games gives them; "rules" names a preset', max_length=50),
]


class Arguments(BaseModel):
    """Arguments of a tool; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(Arguments):
    """List the games, with players, presets, bots and options."""


class RulesArguments(Arguments):
    """Read the rules of a game, with the options in force."""

    game: Annotated[_Short, Field(description="the name of a game")]
    options: _Options = {}


class NewMatchArguments(Arguments):
    """Begin a match, or resume a paused one. It gives one secret handle for each seat that is mcp: a handle plays its seat.
    Keep yours, and give the others to their players. A resumed match keeps the handles that this server gave before.
    """

    game: Annotated[_Short, Field(description="the name of a game; leave it out with resume")] = ""
    seats: Annotated[
        list[_Short],
        Field(
            description='who plays each seat, in order: "mcp" for yourself or another client, "bot:steady", "bot:random",'
            ' "offline"; "NAME=mcp" gives the player a name',
            max_length=16,
        ),
    ] = []
    seed: Annotated[int | None, Field(description="the deal, for a match that is to be repeated; random without it")] = None
    options: _Options = {}
    talk: Annotated[bool, Field(description="whether players may say a line to the table with each answer")] = False
    resume: Annotated[
        _Short, Field(description="the log of a paused match of this server, to continue it; nothing else then")
    ] = ""


class HandleArguments(Arguments):
    """Draw the table as your seat sees it."""

    handle: Handle


class WaitArguments(HandleArguments):
    """Wait until your seat has to decide, at most 25 s. your_turn brings the decision: what you see, the question, the legal
    answers (null: write one for schema), and what happened since your last decision. not_yet: call it again.
    """

    seconds: Annotated[
        float, Field(description=f"how long to wait; more than {LONGEST_WAIT:g} counts as {LONGEST_WAIT:g}", ge=0)
    ] = LONGEST_WAIT


class ActArguments(HandleArguments):
    """Answer a decision. ok: the answer counts. mistake: it was invalid, for the reason in why; answer the same decision again
    before none are left. stale: the decision is over or being judged, and nothing was counted against you.
    """

    decision: Annotated[int, Field(description="the number of the decision, from wait_for_turn", ge=0)]
    answer: Annotated[_Object, Field(description="the answer, as the decision's schema says; one of legal if given")]
    say: Annotated[str, Field(description="a line to the whole table, at most 200 characters, if the match has talk")] = ""
    reason: Annotated[str, Field(description="why you answer so; only the log and its readers see it", max_length=20_000)] = ""


class GameFacts(TypedDict):
    """A game in the list."""

    name: str
    title: str
    summary: str
    players: list[int]
    presets: list[str]
    bots: list[str]
    options: dict[str, str]


class GamesResult(TypedDict):
    """Of `list_games`."""

    games: list[GameFacts]


class TextResult(TypedDict):
    """Of `rules` and `table`."""

    text: str


class NewMatchResult(TypedDict):
    """Of `new_match`."""

    match: str
    handles: dict[str, str]
    log: str


class ToldResult(TypedDict):
    """One thing that happened."""

    kind: str
    text: str
    data: dict[str, Any]


class MistakeResult(TypedDict):
    """An earlier invalid answer to the same decision."""

    kind: str
    answer: Any
    why: str


class TurnResult(TypedDict):
    """Of `wait_for_turn`. `result` only when the match is over, the rest only when it is your turn."""

    status: Literal["your_turn", "not_yet", "over"]
    decision: NotRequired[int]
    view: NotRequired[dict[str, Any]]
    question: NotRequired[str]
    schema: NotRequired[dict[str, Any]]
    legal: NotRequired[list[dict[str, Any]] | None]
    told: NotRequired[list[ToldResult]]
    mistakes: NotRequired[list[MistakeResult]]
    result: NotRequired[dict[str, Any]]


class ActResult(TypedDict):
    """Of `act`. `why` and `left`, the invalid answers that are left before a penalty, only for a mistake."""

    status: Literal["ok", "mistake", "stale"]
    why: NotRequired[str]
    left: NotRequired[int]
