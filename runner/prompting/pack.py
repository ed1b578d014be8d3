"""Prompt packs: the templates of every role, from the built-in pack and from a folder that overrides any of its files."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, FileSystemLoader, StrictUndefined, Template, TemplateError, TemplateNotFound
from jinja2.sandbox import ImmutableSandboxedEnvironment

from games.core import Question, View, seat_name
from runner.errors import UsageError
from runner.prompting.text import fence
from runner.record.digest import digest_of

Message = dict[str, str]
BUILT_IN = "built-in"
SHARED = "shared"
ROLES = ("system", "user", "assistant")


def built_in_folder() -> Path:
    """Where the built-in pack is installed."""
    return Path(str(files("prompts")))


@dataclass
class PromptPack:
    """The templates in reach: those of `folder`, if given, before the built-in ones of the same name."""

    folder: Path | None = None
    _compiled: dict[str, Template] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.folder is not None and not self.folder.is_dir():
            raise UsageError(f"The prompt pack {self.folder} is not a folder.")

    @property
    def name(self) -> str:
        """The folder's name, or that of the built-in pack."""
        return BUILT_IN if self.folder is None else self.folder.name

    @cached_property
    def environment(self) -> ImmutableSandboxedEnvironment:
        """Jinja in a sandbox, in which an undefined name is an error."""
        loaders: list[BaseLoader] = [FileSystemLoader(folder) for folder in (self.folder, built_in_folder()) if folder]
        environment = ImmutableSandboxedEnvironment(
            loader=ChoiceLoader(loaders),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            autoescape=False,
            auto_reload=False,
        )
        environment.filters["fence"] = fence
        environment.filters["seat"] = seat_name
        return environment

    def render(self, game: str, role: str, context: dict[str, Any]) -> list[Message]:
        """The messages that the role's template writes. UsageError names file and line when it cannot be rendered."""
        messages: list[Message] = []

        def message(speaker: str, caller: Any) -> str:
            if speaker not in ROLES:
                raise TemplateError(f'message("{speaker}"): the speaker has to be one of {", ".join(ROLES)}')
            messages.append({"role": speaker, "content": _tidied(caller())})
            return ""

        name = f"{game}/{role}.j2"
        try:
            rest = self._template(name).render(**context, message=message)
        except Exception as error:  # whatever a user's template does wrong
            raise UsageError(_complaint(name, error)) from error
        if rest.strip() or not messages:
            raise UsageError(f'The prompt {name} has text outside of its messages: put it into {{% call message("user") %}}.')
        return messages

    def render_text(self, name: str, context: dict[str, Any]) -> str:
        """The text that a template writes. UsageError names file and line when it cannot be rendered."""
        try:
            return _tidied(self._template(name).render(**context))
        except Exception as error:  # whatever a user's template does wrong
            raise UsageError(_complaint(name, error)) from error

    def digests(self, game: str) -> dict[str, str]:
        """The digest of every template that the game's prompts can draw on, by name."""
        names = [name for name in self.environment.list_templates(extensions=["j2"]) if name.split("/")[0] in (game, SHARED)]
        return {name: digest_of(self._source(name)) for name in names}

    def to_json(self, game: str) -> dict[str, Any]:
        """The pack as a log's header has it: its name, and the digest of every template of a game."""
        return {"pack": self.name, "templates": self.digests(game)}

    def _template(self, name: str) -> Template:
        if name not in self._compiled:
            self._compiled[name] = self.environment.get_template(name)
        return self._compiled[name]

    def _source(self, name: str) -> str:
        loader = self.environment.loader
        assert loader is not None
        return loader.get_source(self.environment, name)[0]


def prompt_context(
    view: View,
    question: Question,
    options: dict[str, Any],
    prints_schema: bool,
    lists_legal: bool = True,
    notes: str | None = None,
) -> dict[str, Any]:
    """All that a template has in reach: the seat's view, the question, the options in force, the form of the answer.

    `lists_legal` is whether the player is to be told which answers are legal, `notes` what it wrote down for itself
    (None: it keeps no notes).
    """
    return {
        "view": view,
        "own": view["own"],
        "me": view["seat"],
        "question": question,
        "fields": question.schema["properties"],
        "options": options,
        "prints_schema": prints_schema,
        "lists_legal": lists_legal,
        "notes": notes,
    }


def _tidied(text: str) -> str:
    """Lines without trailing blanks, and never more than one empty line in a row."""
    lines: list[str] = []
    for line in text.strip().split("\n"):
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines)


def _complaint(name: str, error: Exception) -> str:
    if isinstance(error, TemplateNotFound):
        return f"There is no prompt template {error.name}."
    line = getattr(error, "lineno", None) or _line_in_template(error)
    where = f"{getattr(error, 'name', None) or name}{f', line {line}' if line else ''}"
    return f"The prompt {where} cannot be rendered: {getattr(error, 'message', None) or error}."


def _line_in_template(error: Exception) -> int | None:
    trace, line = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(".j2"):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
