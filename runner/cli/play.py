"""`tabletop play GAME`: one sub-command per game, with the game's own options."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import make_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import games
from games.core import Game, Option, OptionError, State
from runner.cli.completion import complete_choices
from runner.cli.display_options import DisplayOptions
from runner.cli.lazy_groups import HELP_NAMES, Command, LazyGroup, command_of, new_app
from runner.cli.option_groups import with_option_groups
from runner.cli.play_options import PlayOptions
from runner.errors import UsageError
from runner.match.config import Asking

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.agents.filled_seats import Filled
from runner.regular_files import read_regular_text

Values = dict[str, object]
"""Options of a game by name."""


class GameCommands(LazyGroup):
    """The sub-command of each game."""

    noun = "game"

    def lines(self) -> Mapping[str, str]:
        """The games with their summaries."""
        return {game.name: game.summary for game in games.registered().games}

    def line(self, name: str) -> str | None:
        """The summary of a game, without loading the others."""
        try:
            return games.load(name).summary
        except OptionError:
            return None

    def load(self, name: str) -> Command:
        """The sub-command of a game."""
        return play_command(games.load(name))

    def refusal(self, name: str) -> Exception:
        """Why a game is not there, or cannot be used."""
        broken = [error for error in games.registered().broken if error.game == name]
        return broken[0] if broken else super().refusal(name)


app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    cls=GameCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=HELP_NAMES,
)


@app.callback()
def play() -> None:
    """Play a match: live table, log, result.

    Example: tabletop play dixiquote --num-players 4 --target 10 --seat bot:steady --seed 7
    """


def play_command(game: Game) -> Command:
    """The command that plays a game."""
    rules = {name: option for name, option in game.options.items() if name != "strikes"}
    group = make_dataclass("GameOptions", [(name, _annotation(option), None) for name, option in rules.items()])

    def run(options: PlayOptions, display: DisplayOptions, own: object) -> None:
        given = {name: word for name, word in vars(own).items() if word is not None}
        files = {name: word for name, word in given.items() if rules[name].convert}
        _play(game, {name: _value(rules[name], word) for name, word in given.items()}, files, options, display)

    run.__doc__ = f"{game.title}: {game.summary}\n\nExample: tabletop play {game.name} --seat bot:steady --seed 7"
    command = new_app()
    command.command()(with_option_groups(run, own=group))
    return command_of(command, game.name)


def _annotation(option: Option) -> object:
    """The type and the flags of a game's option."""
    flags = [f"--{name.replace('_', '-')}" for name in (option.name, *option.synonyms)]
    text = f"{option.help} [default: {_default(option)}]"
    if option.choices == (False, True):
        flags = [f"{flags[0]}/--no-{flags[0][2:]}", *flags[1:]]
        return Annotated[bool | None, typer.Option(*flags, help=text, rich_help_panel="Rules")]
    completion = None if option.convert else complete_choices(_choices(option))
    info = typer.Option(*flags, help=text, metavar=_metavar(option), rich_help_panel="Rules", autocompletion=completion)
    return Annotated[str | None, info]


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


def _value(option: Option, word: str | bool) -> object:
    """The value of an option from the command line; for an option that holds data, from a JSON file or a list."""
    if isinstance(word, bool):
        return word
    if option.convert is None:
        return option.parse(word)
    if "," in word and not Path(word).exists():
        return option.check([part.strip() for part in word.split(",")])
    try:
        data = json.loads(read_regular_text(Path(word), f"--{option.name}: the file"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--{option.name} {word}: the file is not JSON ({error}).") from error
    try:
        return option.check(data)
    except OptionError as error:
        raise OptionError(f"--{option.name} {word}: {error}") from error


def _begin(game: Game, options: PlayOptions, seed: int, values: Values, files: Mapping[str, str]) -> State:
    """The first state of a match. OptionError names the file whose data is wrong."""
    try:
        return game.begin(options.players(game), seed, options.rules, **values)
    except OptionError as error:
        file = next((f"--{name} {word}: " for name, word in files.items() if name in str(error)), "")
        raise OptionError(f"{file}{error}") from error


def _with_defaults(game: Game, options: PlayOptions, values: Values, settings: Settings) -> tuple[PlayOptions, Values]:
    """The options with the defaults of agents.toml for what is not specified; a preset that is specified has its own options.

    AccountError when the defaults are wrong.
    """
    from runner.cli.config_files import defaults_of

    defaults = defaults_of(settings, game)
    under = {} if options.rules else defaults.options
    return replace(options, num_players=options.players(game) or defaults.players), {**under, **values}


def _shown_as(game: Game, display: DisplayOptions, filled: Filled, settings: Settings) -> DisplayOptions:
    """How the match is shown, with the defaults of agents.toml; human players have the view that is theirs."""
    from runner.agents.spec import people
    from runner.cli.config_files import defaults_of

    defaults = defaults_of(settings, game)
    view = None if people(filled.specs) else defaults.view
    speed = defaults.speed if display.speed is None else display.speed
    return replace(display, view=display.view or view, speed=speed)


def _play(game: Game, values: Values, files: Mapping[str, str], options: PlayOptions, display: DisplayOptions) -> None:
    from runner.agents.filled_seats import fill_seats
    from runner.cli import match_setup, session
    from runner.cli.config_files import load_settings
    from runner.cli.free_seats import check_free_seats
    from runner.match.seeds import new_seed
    from runner.record.log_target import LOGS, NewLog, new_log_path

    if options.strikes is not None:
        values["strikes"] = options.strikes
    playback, given = options.recorded(game.name), options.seat or ()
    settings = load_settings()
    if playback is not None:
        options, values = options.completed(playback), {**playback.header["options"], **values}
    else:
        options, values = _with_defaults(game, options, values, settings)
    models = options.models(playback)
    seed = new_seed() if options.seed is None else options.seed
    state = _begin(game, options, seed, values, files)
    filled = fill_seats(options.seat or (), state.setup.players, settings)
    ask: Asking = "simultaneous" if options.ask is None else options.ask.value
    pack = options.pack(playback)
    how = ask, options.ask_forced, options.hopeless, options.talk
    setup = match_setup.configure(game, state.setup, filled, pack, settings, models, *how)
    if playback is not None:
        setup = match_setup.with_logged_seats(setup, playback.header, models.reason)
        playback.check(setup.config, state)
        setup = replace(setup, config=replace(setup.config, playback=playback.to_json()))
    if options.estimate:
        if playback is not None:
            match_setup.check_given(filled.specs, given, settings)
        from runner.cli.estimate_output import print_match_estimate

        print_match_estimate(setup.config, pack, settings, models, display.as_json)
        return
    has_consent = options.has_consent or bool(models.bounds)
    check_free_seats(filled, len(options.seat or ()), settings, has_consent, display.is_quiet)
    shown = _shown_as(game, display, filled, settings)
    session.play_match(setup, NewLog(options.log or new_log_path(game, LOGS)), shown)
