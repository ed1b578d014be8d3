"""`tabletop play GAME`: one sub-command a game, whose own options are options of the sub-command."""

from __future__ import annotations

import inspect
import json
import secrets
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

import games
from games.core import Game, Option, OptionError, State
from runner.cli.completion import choices_named, seats_named
from runner.cli.display_options import AsJson, JsonLines, OwnView, Plain, Quiet, Showing, Speed, Thoughts
from runner.cli.lazy_groups import HELP_NAMES, LazyGroup, made
from runner.errors import UsageError
from runner.match.config import Asking


class AskOrder(StrEnum):
    """Whether seats that owe a decision at the same time are asked at once or one by one."""

    simultaneous = "simultaneous"
    sequential = "sequential"


class GamesToPlay(LazyGroup):
    """A sub-command for each game."""

    noun = "game"

    def lines(self) -> Mapping[str, str]:
        """The games with their summaries."""
        return {name: games.load(name).summary for name in games.names()}

    def load(self, name: str) -> Any:
        """The sub-command of a game."""
        return play_command(games.load(name))


app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    cls=GamesToPlay,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=HELP_NAMES,
)


@app.callback()
def play() -> None:
    """Play a match: live table, log, result.

    Example: tabletop play dixiquote --num-players 4 --target 10 --seat bot:steady --seed 7
    """


def play_command(game: Game) -> Any:
    """The command that plays a game, with the game's own options."""
    own = {name: option for name, option in game.options.items() if name != "strikes"}

    def run(**words: Any) -> None:
        given = {name: word for name in own if (word := words.pop(name)) is not None}
        data_files = {name: word for name, word in given.items() if own[name].convert}
        _play(game, {name: _value(own[name], word) for name, word in given.items()}, data_files, **words)

    common = list(inspect.signature(_play).parameters.values())[3:]
    parameters = [p.replace(kind=p.KEYWORD_ONLY, annotation=_ANNOTATIONS[p.name]) for p in common]
    signed: Any = run
    signed.__signature__ = inspect.Signature([*parameters, *(_parameter(option) for option in own.values())])
    run.__doc__ = f"{game.title}: {game.summary}\n\nExample: tabletop play {game.name} --seat bot:steady --seed 7"
    command = typer.Typer(
        rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES
    )
    command.command()(run)
    return made(command, game.name)


def _parameter(option: Option) -> inspect.Parameter:
    """The command-line option of a game's option."""
    flags = [f"--{name.replace('_', '-')}" for name in (option.name, *option.synonyms)]
    shown = f"{option.help} [default: {_default(option)}]"
    if option.choices == (False, True):
        kind: Any = bool | None
        flags = [f"{flags[0]}/--no-{flags[0][2:]}", *flags[1:]]
        annotation: Any = Annotated[kind, typer.Option(*flags, help=shown, rich_help_panel="Rules")]
    else:
        told = typer.Option(
            *flags,
            help=shown,
            metavar=_metavar(option),
            rich_help_panel="Rules",
            autocompletion=None if option.convert else choices_named(_choices(option)),
        )
        annotation = Annotated[str | None, told]
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _default(option: Option) -> str:
    return "built in" if option.convert else str(option.default).lower()


def _choices(option: Option) -> list[str]:
    return [str(choice).lower() for choice in option.choices]


def _metavar(option: Option) -> str:
    if option.convert:
        return "FILE"
    words = _choices(option)
    if option.minimum is not None:
        words.insert(0, "N")
    return "|".join(words) or "TEXT"


def _value(option: Option, word: str | bool) -> Any:
    """The value of an option from its word on the command line; of one that holds data, from a JSON file or a list."""
    if isinstance(word, bool):
        return word
    if option.convert is None:
        return option.parse(word)
    if "," in word and not Path(word).exists():
        return option.check([part.strip() for part in word.split(",")])
    try:
        data = json.loads(Path(word).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--{option.name} {word}: the file cannot be read ({error.strerror}).") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--{option.name} {word}: the file is not JSON ({error}).") from error
    try:
        return option.check(data)
    except OptionError as error:
        raise OptionError(f"--{option.name} {word}: {error}") from error


_ANNOTATIONS: dict[str, Any] = {
    "num_players": Annotated[
        int | None, typer.Option("--num-players", "--players", help="How many play. [default: the game's own]", metavar="N")
    ],
    "seat": Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            help="Who plays, once a seat: bot:NAME, human, offline, a model such as openai/gpt-5-mini, MODEL@BASE_URL, or one"
            " of them with prompts of its own, SPEC+pack:DIR."
            " Seats left free are filled from .env.",
            metavar="SPEC",
            autocompletion=seats_named,
        ),
    ],
    "seed": Annotated[int | None, typer.Option("--seed", help="All chance comes from it. [default: drawn]", metavar="N")],
    "rules": Annotated[
        str | None, typer.Option("--rules", help="A preset of rules, as `tabletop games` lists them.", metavar="NAME")
    ],
    "strikes": Annotated[
        int | None, typer.Option("--strikes", help="Invalid answers in a row that bring the penalty. [default: 3]", metavar="N")
    ],
    "ask": Annotated[
        AskOrder | None,
        typer.Option("--ask", help="Ask seats that decide at the same time at once, or one by one. [default: simultaneous]"),
    ],
    "ask_forced": Annotated[bool, typer.Option("--ask-forced", help="Ask even when only one answer is legal.")],
    "prompts": Annotated[Path | None, typer.Option("--prompts", help="A folder whose templates override the built-in ones.")],
    "log": Annotated[Path | None, typer.Option("--log", help="Where to log. [default: a new file in logs/]")],
    "budget": Annotated[float | None, typer.Option("--budget", help="The most that may be spent, in USD.", metavar="USD")],
    "budget_tokens": Annotated[
        int | None, typer.Option("--budget-tokens", help="The most that may be spent, in tokens.", metavar="N")
    ],
    "record": Annotated[
        Path | None, typer.Option("--record", help="Write every answer to a file as it comes, for --playback.", metavar="FILE")
    ],
    "playback": Annotated[
        Path | None,
        typer.Option(
            "--playback",
            help="Play the same match again with the answers of a recording or a log, asking nobody. What is not named here"
            " is as recorded.",
            metavar="FILE",
        ),
    ],
    "estimate": Annotated[
        bool, typer.Option("--estimate", help="Only say what the match may take, from prices and past logs; play nothing.")
    ],
    "rated": Annotated[
        bool, typer.Option("--rated", help="Take answers of exactly the models and pinned providers named, of nobody else.")
    ],
    "mistakes": Annotated[
        float, typer.Option("--mistakes", help="How often the offline model errs, from 0 to 1.", metavar="RATE", min=0, max=1)
    ],
    "view": OwnView,
    "speed": Speed,
    "thoughts": Thoughts,
    "plain": Plain,
    "json_events": JsonLines,
    "quiet": Quiet,
    "as_json": AsJson,
}


def _begun(
    game: Game, players: int | None, seed: int, rules: str | None, options: Mapping[str, Any], data_files: Mapping[str, str]
) -> State:
    """A match begun. OptionError names the file, where what is wrong is what stands in one."""
    try:
        return game.begin(players, seed, rules, **options)
    except OptionError as error:
        file = next((f"--{name} {word}: " for name, word in data_files.items() if name in str(error)), "")
        raise OptionError(f"{file}{error}") from error


def _play(
    game: Game,
    options: dict[str, Any],
    data_files: Mapping[str, str],
    num_players: int | None = None,
    seat: list[str] | None = None,
    rules: str | None = None,
    seed: int | None = None,
    strikes: int | None = None,
    ask: AskOrder | None = None,
    ask_forced: bool = False,
    prompts: Path | None = None,
    log: Path | None = None,
    budget: float | None = None,
    budget_tokens: int | None = None,
    record: Path | None = None,
    playback: Path | None = None,
    estimate: bool = False,
    rated: bool = False,
    mistakes: float = 0.0,
    view: str | None = None,
    speed: float = 0.0,
    thoughts: bool = False,
    plain: bool = False,
    json_events: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    from runner.agents.factory import fill_seats
    from runner.cli import play_session
    from runner.cli.environment import load_settings
    from runner.cli.model_options import Models
    from runner.cli.play_options import Words
    from runner.record.log_target import NewLog
    from runner.record.recorded_answers import read_playback

    if strikes is not None:
        options["strikes"] = strikes
    showing = Showing(view, speed, quiet, as_json, plain, thoughts, json_events)
    order: Asking | None = None if ask is None else ask.value
    words = Words(num_players, tuple(seat or ()), seed, rules, options, order, ask_forced, prompts, mistakes, rated)
    recorded = None if playback is None else read_playback(playback)
    if recorded is not None:
        words = words.as_recorded(game.name, recorded)
    models = Models(budget, budget_tokens, words.mistakes, words.is_rated, record, recorded)
    if recorded is not None:
        models = models.bounded_as(recorded.header)
    seed = secrets.randbelow(1_000_000) if words.seed is None else words.seed
    state = _begun(game, words.players, seed, words.rules, words.options, data_files)
    settings = load_settings()
    filled = fill_seats(words.seats, state.setup.players, settings)
    pack = words.pack(recorded)
    asking = words.ask or "simultaneous"
    config = play_session.configure(game, state.setup, filled.specs, pack, asking, words.ask_forced, settings, models)
    if recorded is not None:
        recorded.check(config, state)
        config = replace(config, playback=recorded.to_json())
    if estimate:
        from runner.cli.match_estimate import print_match_estimate

        print_match_estimate(config, pack, settings, models, as_json)
        return
    play_session.play(
        config,
        filled,
        pack,
        settings,
        NewLog(log or play_session.new_log_path(game, seed)),
        models,
        showing,
    )
