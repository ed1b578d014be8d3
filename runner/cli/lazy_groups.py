"""Lazy groups: a verb is a function, imported only when it runs, so that `--help` starts at once; its help has panels."""

import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from functools import cache, partial, wraps
from importlib import import_module
from importlib.resources import files
from inspect import Parameter, Signature, getdoc, signature
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from runner.errors import UsageError
from runner.files import read_toml

ClickCommand = Any
"""A command of click, which recent versions of Typer bundle and do not export."""


def _read(name: str) -> Mapping[str, Any]:
    return read_toml(files("runner.cli").joinpath(name).read_text(encoding="utf-8"))


_FEW = 8
"""Most options that one heading holds."""

RULES, _RARE = "Rules of the game", "Rare"
PANELS_OF = _read("verbs.toml")
"""The commands of each group by heading, and the `options` of verbs that have many."""

_PANELS: Mapping[str, str] = PANELS_OF["options"]
_PANEL_OF = {flag: panel for panel, flags in _PANELS.items() for flag in flags.split()}


class Verb(TyperCommand):
    """A command whose help has its options in panels."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options under the headings of their panels."""
        told = [(param, record) for param in self.get_params(ctx) if (record := param.get_help_record(ctx)) is not None]
        arguments = [record for param, record in told if param.param_type_name == "argument"]
        options = [(param, record) for param, record in told if param.param_type_name == "option"]
        _write(formatter, {"Arguments": arguments, **_panels_of(options)})


def _panels_of(options: Sequence[tuple[Any, tuple[str, str]]]) -> dict[str, list[tuple[str, str]]]:
    """The rows of options by heading: those of a game's own rules, those that the table above names, and what is left."""
    if len(options) <= _FEW:
        return {"Options": [row for _, row in options]}
    panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in _PANELS}
    for param, row in options:
        found = next((_PANEL_OF[flag] for flag in param.opts if flag in _PANEL_OF), _RARE)
        panels[getattr(param, "rich_help_panel", None) or found].append(row)
    return panels


def _write(formatter: Any, panels: Mapping[str, Sequence[tuple[str, str]]]) -> None:
    for heading, rows in panels.items():
        if rows:
            with formatter.section(heading):
                formatter.write_dl(rows)


class LazyGroup(TyperGroup):
    """A group that lists its commands without importing them. Each is a function of its own name in a module of `package` that
    has this name too, unless `homes` names another one, as `module` or `module:function`. `noun` is what errors call one."""

    noun = "command"
    package = ""
    panels: Mapping[str, Mapping[str, str]] = {}
    homes: Mapping[str, str] = {}

    def lines(self) -> Mapping[str, str]:
        """The commands by name, each with its line in `--help`."""
        return {name: line for lines in self.panels.values() for name, line in lines.items()}

    def load(self, name: str) -> ClickCommand:
        word = name.replace("-", "_")
        home, _, function = self.homes.get(name, word).partition(":")
        return command_of(getattr(import_module(f"{self.package}.{home}"), function or word), name)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands under their headings, in columns that are the same for all, and the group's own options."""
        lines = self.lines()
        widest = max(map(len, lines), default=0)
        panels = {heading: [(f"{name:<{widest}}", lines[name]) for name in names] for heading, names in self.panels.items()}
        options = [record for param in self.get_params(ctx) if (record := param.get_help_record(ctx))]
        _write(formatter, {**(panels or {"Commands": [*lines.items()]}), "Options": options})

    def line(self, name: str) -> str | None:
        """The line of a command in `--help`; None for an unknown name."""
        return self.lines().get(name)

    def list_commands(self, ctx: object) -> list[str]:
        return list(self.lines())

    def get_command(self, ctx: object, cmd_name: str) -> ClickCommand:
        """A stub with the name and the help line of a command; None for an unknown name."""
        line = self.line(cmd_name)
        return None if line is None else Verb(cmd_name, help=line)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the group's own options. `help WORDS` is `WORDS --help`."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, ClickCommand, list[str]]:
        """The command of these arguments. UsageError for an unknown name."""
        if args and not args[0].startswith("-") and self.line(args[0]) is None:
            raise self.refusal(args[0])
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else self.load(name), rest

    def names(self) -> Sequence[str]:
        """The names that a misspelt one may have meant."""
        return [*self.lines()]

    def refusal(self, name: str) -> Exception:
        """The error for a name that is not in `lines`."""
        from games.core import quoted

        if near := get_close_matches(name, self.names(), 1):
            return UsageError(f"There is no {self.noun} {quoted(name)}: did you mean {near[0]}?")
        return UsageError(f"There is no {self.noun} {quoted(name)}: choose one of {', '.join(self.lines())}.")


def new_group(cls: type[LazyGroup], **settings: Any) -> typer.Typer:
    """The app of a group of commands, whose help is the docstring of its class."""
    app = _app(cls=cls, no_args_is_help=True, **settings)
    app.callback(help=cls.__doc__)(lambda: None)
    return app


def command_of(verb: typer.Typer | Callable[..., None], name: str, **groups: type) -> ClickCommand:
    """The command of a group, or of a verb; `groups` as for `with_option_groups`."""
    if isinstance(verb, typer.Typer):
        app = verb
    else:
        app = _app(add_completion=False)
        about = _told_of(verb).get("about")
        app.command(cls=Verb, help=about and f"{getdoc(verb)}\n\n{about}")(with_option_groups(verb, **groups))
    command = typer.main.get_command(app)
    command.name = name
    return command


def _app(**settings: Any) -> typer.Typer:
    names = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    return typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=names, **settings)


def with_option_groups(verb: Callable[..., None], /, **groups: type) -> Callable[..., None]:
    """A verb whose parameters that are option groups are replaced by the options of each group, in the same place. A group is a
    dataclass whose fields are options, declared once and shared by verbs; one that is known only at run time is in `groups` or
    in `Annotated[object, GROUP]`. Typer reads the new signature, with all that help.toml says of each option; a call builds the
    groups from their options."""
    hints = {**get_type_hints(verb, include_extras=True), **groups}
    known = {name: getattr(hint, "__metadata__", (hint,))[0] for name, hint in hints.items()}
    found = {name: group for name, group in known.items() if isinstance(group, type) and is_dataclass(group)}
    parameters, own = list[Parameter](), _told_of(verb)
    for parameter in signature(verb).parameters.values():
        if (group := found.get(parameter.name)) is None:
            annotation = _declared(hints[parameter.name], own, parameter.name)
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=annotation))
            continue
        types, told = get_type_hints(group, include_extras=True), _told_of(group)
        parameters += [
            Parameter(
                one.name,
                parameter.KEYWORD_ONLY,
                default=one.default,
                annotation=_declared(types[one.name], told, one.name),
            )
            for one in fields(group)
        ]

    @wraps(verb)
    def run(**values: object) -> None:
        for name, group in found.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        verb(**values)

    run.__dict__["__signature__"] = Signature(parameters)
    return run


_PREFIX = re.compile("^(?:is|has|as)_")
_help = cache(partial(_read, "help.toml"))


def _told_of(owner: Any) -> Mapping[str, Any]:
    """What help.toml says of a verb or a group of options."""
    found: Mapping[str, Any] = _help().get(owner.__name__, {})
    return found


def _declared(hint: Any, told: Mapping[str, Any], name: str) -> Any:
    """The type of a parameter, with what help.toml says of it."""
    kind, info = get_args(hint) if get_origin(hint) is Annotated else (hint, None)
    word = _PREFIX.sub("", name)
    row = told.get(name, None if getattr(info, "help", None) else _help()["shared"].get(word))
    if row is None:
        return hint
    given = {"readable": False, **({"help": row} if isinstance(row, str) else row)}  # a file says itself why it is not
    is_argument, flags = "argument" in given, given.pop("flags", f"--{word.replace('_', '-')}" if hint is bool else "")
    given |= {"metavar": given.pop("argument")} if is_argument else {}
    given |= {"param_decls": flags.split()} if flags else {}
    found = copy(info) or (typer.Argument if is_argument else typer.Option)()
    vars(found).update(given)
    return Annotated[kind, found]
