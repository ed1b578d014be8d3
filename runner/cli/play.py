"""`tabletop play GAME`: one sub-command per game, with the game's own options."""

from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

import games
from games.core import Game, Option, OptionError, seat_name
from runner.agents.environment import DEFAULT_MODEL_VARIABLE, Environment, seat_variable
from runner.agents.log_trust import trust_played
from runner.agents.spec import Filled, Human, Mcp, fill_seats
from runner.cli.command_environment import load_environment
from runner.cli.display_options import DisplayOptions
from runner.cli.lazy_groups import RULES, ClickCommand, LazyGroup, command_of, new_group
from runner.cli.named_people import with_consent
from runner.cli.options import complete_choices
from runner.cli.output import is_agreed, note_odd_name
from runner.cli.setting_options import Values, as_flag, option_value, setting_options, specified
from runner.errors import UsageError
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean
from runner.session.match_defaults import defaults_of
from runner.session.match_spec import SETTINGS, Before, MatchSpec, ReadyMatch, SeatSpec, changed_seats, ready
from runner.session.session import Source, new_log_path

_SETTINGS = setting_options(SETTINGS)
_REMEDY = "Name the seats with --seat (offline and bot:NAME are free), set DEFAULT_MODEL, or add --budget USD."


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What `play` has beside the settings of a match."""

    log: Path | None = None
    record: Path | None = None
    playback: Path | None = None
    is_dry_run: bool = False


class GameCommands(LazyGroup):
    """Play a match: live table, log, result.

    Example: tabletop play dixiquote --num-players 4 --target 10 --seat bot:steady --seed 7
    """

    noun = "game"

    def lines(self) -> Mapping[str, str]:
        return {game.name: game.summary for game in games.registered().games}

    def line(self, name: str) -> str | None:
        """The summary of a game, without loading the others."""
        try:
            return games.load(name).summary
        except OptionError:
            return None

    def load(self, name: str) -> ClickCommand:
        return play_command(games.load(name))

    def refusal(self, name: str) -> Exception:
        """Why a game is not there, or cannot be used."""
        if broken := [error for error in games.registered().broken if error.game == name]:
            return broken[0]
        try:
            games.load(name)
        except OptionError as error:
            is_misspelt = type(error) is OptionError and get_close_matches(name, self.lines(), 1)
            return super().refusal(name) if is_misspelt else error
        return super().refusal(name)


play = new_group(GameCommands, add_completion=False, options_metavar="", subcommand_metavar="GAME [OPTIONS]")


def play_command(game: Game) -> ClickCommand:
    rules = {name: option for name, option in game.options.items() if name != "strikes"}
    group = make_dataclass("GameOptions", [(name, _annotation(option), None) for name, option in rules.items()])

    def run(settings: object, options: PlayOptions, display: DisplayOptions, own: object) -> None:
        given = {name: word for name, word in vars(own).items() if word is not None}
        files = {name: word for name, word in given.items() if rules[name].convert}
        values = {name: option_value(rules[name], word) for name, word in given.items()}
        try:
            _play({"game": game.name, "options": values, **specified(settings)}, options, display)
        except OptionError as error:
            file = next((f"--{name} {word}: " for name, word in files.items() if name in str(error)), "")
            raise OptionError(f"{file}{error}") from error

    run.__doc__ = f"{game.title}: {game.summary}\n\nExample: tabletop play {game.name} --seat bot:steady --seed 7"
    return command_of(run, game.name, settings=_SETTINGS, own=group)


def _annotation(option: Option) -> object:
    flags = [f"--{name.replace('_', '-')}" for name in (option.name, *option.synonyms)]
    text = f"{option.help} [default: {'built in' if option.convert else str(option.default).lower()}]"
    if option.choices == (False, True):
        flags = [f"{flags[0]}/--no-{flags[0][2:]}", *flags[1:]]
        return Annotated[bool | None, typer.Option(*flags, help=text, rich_help_panel=RULES)]
    choices = [str(choice).lower() for choice in option.choices]
    words = ["FILE"] if option.convert else ["N"] * (option.minimum is not None) + choices
    completion = None if option.convert else complete_choices(choices)
    metavar = "|".join(words) or "TEXT"
    return Annotated[
        str | None, typer.Option(*flags, help=text, metavar=metavar, rich_help_panel=RULES, autocompletion=completion)
    ]


def _play(given: Values, options: PlayOptions, display: DisplayOptions) -> None:
    if options.record is not None and options.record.exists():
        raise UsageError(f"--record {options.record}: the file already exists.")
    if options.record is not None and options.log is not None and options.record.resolve() == options.log.resolve():
        raise UsageError(f"--record and --log name one file, {options.log}: name two.")
    environment = load_environment()
    found, display, is_offline = (_new if options.playback is None else _played_back)(given, options, display, environment)
    if options.is_dry_run:
        from runner.cli.estimate_output import print_match_estimate

        print_match_estimate(found, display.as_json)
        return
    from runner.cli import terminal_match  # takes as long as the rest

    note_odd_name(options.log)
    source = Source(options.log or new_log_path(found.config.game))
    terminal_match.play_match(found, source, display, record=options.record, is_offline_by_default=is_offline)


def _new(
    given: Values, options: PlayOptions, display: DisplayOptions, environment: Environment
) -> tuple[ReadyMatch, DisplayOptions, bool]:
    """A new match: `.env` names the players of seats that are left, agents.toml has defaults for what else is not specified;
    a preset that is specified has its own options. True: the offline model has such seats. AccountError for wrong defaults."""
    game, seats = games.load(given["game"]), given.get("seats", ())
    defaults, options_by_default = defaults_of(environment, game)
    players = given.get("players") or (len(seats) if len(seats) in game.players else defaults.players)
    values = given["options"] if "rules" in given else {**options_by_default, **given["options"]}
    spec = MatchSpec.of({**defaults.of_match, **given, "players": players, "options": values}, as_flag)
    filled = fill_seats(seats, game.set_up(players, 0, None, {}).players, environment)
    spec = spec.model_copy(update={"seats": tuple(SeatSpec(one, one.player) for one in filled.specs)})
    found = ready(spec, environment, asks=(Human,))
    if not options.is_dry_run:
        check_free_seats(filled, len(seats), environment, bool(spec.bounds), display.is_quiet)
        trust_played(found.specs, environment)
        found = with_consent(found)
    view = None if any(isinstance(spec, Human) for spec in filled.specs) else defaults.view
    speed = defaults.speed if display.speed is None else display.speed
    display = replace(display, view=display.view or view, speed=speed, is_still=display.is_still or defaults.still)
    return found, display, filled.offline_by_default


def _played_back(
    given: Values, options: PlayOptions, display: DisplayOptions, environment: Environment
) -> tuple[ReadyMatch, DisplayOptions, bool]:
    """The match of a recording. UsageError when it is another one than that of the options."""
    from runner.record.resume import read_playback

    assert options.playback is not None
    playback = read_playback(options.playback)
    header = playback.log.header
    if header.get("game") != given["game"]:
        raise UsageError(
            f"The recording {playback.log.path} is of another match: its game is {header.get('game')}, not {given['game']}."
        )
    spec = MatchSpec.of_header(header, given, as_flag)
    named = changed_seats(header, given) if options.is_dry_run else range(len(spec.seats))  # playback alone reaches nothing
    known = replace(environment, files="")  # it has only prices asked for
    found = ready(spec, known, asks=(Human, Mcp), before=Before(header, named), playback=playback)
    return found, display, False


def check_free_seats(filled: Filled, given: int, environment: Environment, has_consent: bool, is_quiet: bool) -> None:
    """Print who plays the seats after the first `given` ones. UsageError when they cost money and nobody agrees to that."""
    free = range(given, len(filled.specs))
    named = [seat for seat in free if environment.get(seat_variable(seat), environment.get(DEFAULT_MODEL_VARIABLE))]
    if named and not is_quiet:
        players = ", ".join(f"{seat_name(seat)} {clean(filled.specs[seat].named_text, 200)}" for seat in named)
        print_note(f"Free seats, from .env or the environment: {players}.")
    if filled.paid_by_default and not has_consent:
        names = ", ".join(seat_name(seat) for seat in free if seat not in named)
        text = f"No --seat names {names}: {filled.paid_by_default} would play there, which costs money."
        if not (agreed := is_agreed(f"{text} Play?")):
            raise UsageError(text if agreed is None else "Nothing was played.", remedy=_REMEDY)
