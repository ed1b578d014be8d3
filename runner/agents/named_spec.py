"""Named SPEC: a name that agents.toml gives to a program or a function, or that an installed package gives to a function."""

from __future__ import annotations

from runner.agents.environment import Settings
from runner.agents.spec import Function, Named, Spec, parse_spec


def seat_spec(text: str, settings: Settings) -> Spec:
    """The type a text stands for, with these settings."""
    return resolved(parse_spec(text), settings)


def resolved(spec: Spec, settings: Settings) -> Spec:
    """The program or function that a name stands for; any other SPEC as it is.

    A table of agents.toml comes before an entry point of the same name.
    """
    if not isinstance(spec, Named) or spec.name in settings.agents or spec.name in settings.faults:
        return spec
    entry = settings.programs.get(spec.name)
    return _of_entry_point(spec) if entry is None else entry.spec(spec)


def known_names(settings: Settings) -> list[str]:
    """The names that agents.toml and installed packages give."""
    from runner.agents.function_loader import installed_functions

    return list(dict.fromkeys((*settings.agents, *settings.programs, *installed_functions())))


def _of_entry_point(spec: Named) -> Spec:
    from runner.agents.function_loader import installed_functions

    found = installed_functions().get(spec.name) if spec.name else None
    if found is None:
        return spec
    return Function(spec.text, spec.pack, found.module, found.name, player=spec.player)
