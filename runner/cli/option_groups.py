"""Option groups: frozen dataclasses whose fields are command-line options, declared once and shared by verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import get_type_hints

Command = Callable[..., None]


def with_option_groups(function: Command, /, **groups: type) -> Command:
    """A command whose parameters that are option groups are replaced by the options of each group, in the same place.

    `groups` names the group of a parameter where it is known only at run time. Typer reads the new signature; a call
    builds the groups from the values of their options.
    """
    hints = {**get_type_hints(function, include_extras=True), **groups}
    found = {name: hint for name, hint in hints.items() if isinstance(hint, type) and is_dataclass(hint)}

    @wraps(function)
    def run(**values: object) -> None:
        for name, group in found.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        function(**values)

    run.__dict__["__signature__"] = Signature([*_parameters(function, hints, found)])
    return run


def _parameters(function: Command, hints: Mapping[str, type], groups: Mapping[str, type]) -> Iterator[Parameter]:
    for parameter in signature(function).parameters.values():
        if parameter.name in groups:
            yield from _options(groups[parameter.name])
        else:
            yield parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[parameter.name])


def _options(group: type) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name])
