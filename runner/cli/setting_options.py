"""Setting options: the flags of a match's settings, which follow from their declarations in the match spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, make_dataclass
from typing import Annotated, Any

import typer

from runner.cli.options import complete_seats
from runner.session.match_spec import LARGEST, MatchSpec, setting_of

Values = dict[str, Any]
"""Values of settings by name."""


def setting_options(names: Sequence[str], told: Mapping[str, str] | None = None, hidden: Sequence[str] = ()) -> type:
    """An option group of these settings. `told` has the sentences that differ from those of a new match; their flags have no
    default value. `--help` shows none of the `hidden` ones."""
    found = [_field(name, (told or {}).get(name), name in hidden) for name in names]
    return make_dataclass("SettingOptions", found, frozen=True)


def _field(name: str, told: str | None, is_hidden: bool) -> tuple[str, Any, Any]:
    field, setting = MatchSpec.model_fields[name], setting_of(name)
    text = setting.help if told is None else told
    found: Any = list[str] if name == "seats" else field.annotation
    default = None if name == "seats" else field.default
    if default is None or (default is not False and (told is not None or "[default:" in text)):
        found, default = found | None, None
    bounds = {name: getattr(one, name) for one in field.metadata for name in ("ge", "le") if hasattr(one, name)}
    is_bounded = not setting.expects  # what else is expected is said by the spec
    info = typer.Option(
        *(setting.flags or [f"--{name.replace('_', '-')}"]),
        help=text,
        metavar=setting.metavar,
        hidden=is_hidden,
        readable=False,
        autocompletion=complete_seats if name == "seats" else None,
        min=bounds.get("ge") if is_bounded else None,
        max=most if is_bounded and (most := bounds.get("le", LARGEST)) != LARGEST else None,
    )
    return name, Annotated[found, info], default


def specified(group: Any) -> Values:
    """The settings of an option group whose values are not its defaults."""
    given = {field.name: (getattr(group, field.name), field.default) for field in fields(group)}
    found = {name: value for name, (value, default) in given.items() if value != default}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}


def as_flag(name: str, value: object) -> str:
    """A setting and its value as on a command line."""
    return f"{(setting_of(name).flags or [f'--{name}'.replace('_', '-')])[0]} {value}"
