"""Setting options: the flags of a match's settings, as they are declared, and the values of a game's options."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, make_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from games.core import Game, Option, OptionError
from runner.agents.settings import SeatSettings, Setting, setting_of
from runner.cli.options import complete_seats
from runner.errors import UsageError
from runner.files import read_regular_text
from runner.session.match_spec import MatchSpec
from runner.validation import LARGEST

Values = dict[str, Any]
"""Values of settings by name."""

_WORD = "__"
"""What is between a setting and a word that has a flag of its own, as in `policy__play`."""


def setting_options(names: Sequence[str], told: Mapping[str, str] | None = None, hidden: Sequence[str] = ()) -> type:
    """An option group of these settings. `told` has the sentences that differ from those of a new match; their flags have no
    default value. `--help` shows neither the `hidden` ones nor those that are rare."""
    found = [one for name in names for one in _options(name, (told or {}).get(name), name in hidden)]
    return make_dataclass("SettingOptions", found, frozen=True)


def _options(name: str, told: str | None, is_hidden: bool) -> Iterator[tuple[str, Any, Any]]:
    """The options of a setting: its own, and one for each word that stands beside on and off."""
    field, setting = MatchSpec.model_fields[name], setting_of(MatchSpec, name)
    text = setting.help if told is None else told
    parts = get_args(field.annotation)
    words = [word for part in parts if bool in parts and get_origin(part) is Literal for word in get_args(part)]
    found: Any = list[str] if name == "seats" else bool if words else field.annotation
    default = None if name in {"seats", *SeatSettings.model_fields} else field.default
    if default is None or (default is not False and (told is not None or "[default:" in text)) or told is not None:
        found, default = found | None, None
    bounds = {name: getattr(one, name) for one in field.metadata for name in ("ge", "le") if hasattr(one, name)}
    is_bounded = not setting.expects  # what else is expected is said by the spec
    info = typer.Option(
        *_flags(name, setting, default is None and found == bool | None),
        help=text,
        metavar=setting.metavar,
        hidden=is_hidden or setting.is_rare,
        readable=False,
        autocompletion=complete_seats if name == "seats" else None,
        min=bounds.get("ge") if is_bounded else None,
        max=most if is_bounded and (most := bounds.get("le", LARGEST)) != LARGEST else None,
    )
    yield f"{name}{_WORD}" if name == "help" else name, Annotated[found, info], default  # click has a `help` of its own
    for word in words:
        flag = typer.Option(f"{_flags(name, setting)[0]}-{word}", help=text, hidden=True)
        yield f"{name}{_WORD}{word}", Annotated[bool, flag], False


def _flags(name: str, setting: Setting, has_off: bool = False) -> Sequence[str]:
    """The flags of a setting; `has_off`: with one that turns it off."""
    found = setting.flags or (f"--{name.replace('_', '-')}",)
    return (f"{found[0]}/--no-{found[0][2:]}", *found[1:]) if has_off else found


def specified(group: Any) -> Values:
    """The settings of an option group whose values are not its defaults."""
    given = {field.name: (getattr(group, field.name), field.default) for field in fields(group)}
    found: Values = {}
    for name, (value, default) in given.items():
        setting, _, word = name.partition(_WORD)
        if value != default:
            found[setting] = word or (tuple(value) if isinstance(value, list) else value)
    return found


def as_flag(name: str, value: object) -> str:
    """A setting and its value as on a command line."""
    return f"{_flags(name, setting_of(MatchSpec, name))[0]} {value}"


def option_value(option: Option, word: str | bool) -> object:
    """The value of an option; data, such as a deck, comes from a JSON file or a list. OptionError or UsageError."""
    if isinstance(word, bool):
        return word
    if option.convert is None:
        return option.parse(word)
    if "," in word and not Path(word).exists():
        return option.check([part.strip() for part in word.split(",")])
    try:
        return option.check(json.loads(read_regular_text(Path(word), f"--{option.name}: the file")))
    except OptionError as error:
        raise OptionError(f"--{option.name} {word}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--{option.name} {word}: the file is not JSON ({error}).") from error


def option_values(game: Game, words: Sequence[str]) -> Values:
    """Options of a game's rules from words NAME=VALUE. UsageError for another word and for an option that there is not."""
    values = Values()
    for word in words:
        name, mark, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not mark or name not in game.options:
            why = f"{game.name} has no option {name}" if mark else "expected NAME=VALUE"
            raise UsageError(f"--option {word}: {why}; `tabletop rules {game.name} --options` lists the names.")
        values[name] = option_value(game.options[name], value.strip())
    return values
