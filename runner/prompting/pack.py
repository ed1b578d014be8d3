"""Prompt pack: the templates of every role, from the built-in pack and a folder that overrides any of its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Template, TemplateError, nodes

from games.core import Question, View, seat_name
from runner.digest import digest_of
from runner.errors import UsageError
from runner.llm.request import Message
from runner.prompting.fence import as_json, fence
from runner.prompting.loader import SHARED_CODE, built_in_folder, loader_of
from runner.prompting.sandbox import LONGEST_MESSAGE, BoundedEnvironment
from runner.prompting.template_errors import SUFFIX, prompt_error

if TYPE_CHECKING:
    from runner.prompting.manifest import Manifest

BUILT_IN = "built-in"
SHARED = "shared"
REASK = "shared/reask.j2"
ROLES = ("system", "user", "assistant")


@dataclass
class PromptPack:
    """The templates: those of `folder`, if given, before the built-in ones of the same name."""

    folder: Path | None = None
    _compiled: dict[str, Template] = field(default_factory=dict, init=False, repr=False)
    _trees: dict[str, nodes.Template] = field(default_factory=dict, init=False, repr=False)
    _digests: dict[str, dict[str, str]] = field(default_factory=dict, init=False, repr=False)
    _others: dict[Path, PromptPack] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.folder is not None and not self.folder.is_dir():
            raise UsageError(f"The prompt pack {self.folder} is not a folder.")

    @cached_property
    def manifest(self) -> Manifest | None:
        """The pack's manifest; None for the built-in pack. UsageError for a file that cannot be read."""
        if self.folder is None:
            return None
        from runner.prompting.manifest import read_manifest

        return read_manifest(self.folder)

    @property
    def name(self) -> str:
        """The pack's name."""
        return BUILT_IN if self.manifest is None else self.manifest.name

    @cached_property
    def environment(self) -> BoundedEnvironment:
        """The Jinja environment of this pack."""
        environment = BoundedEnvironment(loader=loader_of(self.folder), bytecode_cache=SHARED_CODE)
        environment.filters["fence"] = fence
        environment.filters["tojson"] = as_json
        environment.filters["seat"] = seat_name
        return environment

    def other(self, folder: Path) -> PromptPack:
        """The pack of another folder, for a seat with its own pack; compiled once for all matches of this pack."""
        if folder not in self._others:
            self._others[folder] = PromptPack(folder)
        return self._others[folder]

    def render(self, game: str, role: str, context: Mapping[str, object]) -> list[Message]:
        """The messages of a role's template. PromptError names template and line."""
        messages: list[Message] = []

        def message(speaker: str, caller: Callable[[], str]) -> str:
            if speaker not in ROLES:
                raise TemplateError(f'message("{speaker}"): the speaker has to be one of {", ".join(ROLES)}')
            messages.append({"role": speaker, "content": _tidied(_bounded(caller()))})
            return ""

        name = template_name(game, role)
        rest = self._rendered(name, {**context, "message": message})
        if rest.strip() or not messages:
            raise prompt_error(name, TemplateError('text outside of its messages: put it into {% call message("user") %}'))
        return messages

    def render_text(self, name: str, context: Mapping[str, object]) -> str:
        """The text of a template. PromptError names template and line."""
        return _tidied(self._rendered(name, context))

    def names(self, game: str) -> list[str]:
        """The names of all templates that the game's prompts can use."""
        return [name for name in self.environment.list_templates(extensions=["j2"]) if name.split("/")[0] in (game, SHARED)]

    def digests(self, game: str) -> dict[str, str]:
        """The digest of every template that the game's prompts can use, by name, at the time of the first call."""
        if game not in self._digests:
            self._digests[game] = {name: digest_of(self.source(name)) for name in self.names(game)}
        return dict(self._digests[game])

    def to_json(self, game: str) -> dict[str, object]:
        """The pack as a log's header has it: name, version, and the digest of every template of a game."""
        facts: dict[str, object] = {"pack": self.name}
        if self.manifest is not None:
            facts["version"] = self.manifest.version
            facts |= {"offline_mistakes": self.manifest.offline.mistakes} if self.manifest.offline else {}
        return {**facts, "templates": self.digests(game)}

    def source(self, name: str) -> str:
        """The source of a template. PromptError when there is none."""
        loader = self.environment.loader
        assert loader is not None
        try:
            return loader.get_source(self.environment, name)[0]
        except Exception as error:  # a file may be missing, unreadable, no text
            raise prompt_error(name, error) from error

    def tree(self, name: str) -> nodes.Template:
        """The syntax tree of a template, not to be changed. PromptError when it is not Jinja."""
        if name not in self._trees:
            source = self.source(name)
            try:
                self._trees[name] = self.environment.parse(source, name, str(self.path(name)))
            except Exception as error:  # whatever a user's template does wrong
                raise prompt_error(name, error) from error
        return self._trees[name]

    def has(self, game: str, role: str) -> bool:
        """Whether there is a template for a role."""
        return self.path(template_name(game, role)).is_file()

    def overrides(self, name: str) -> bool:
        """Whether a template comes from the pack's own folder."""
        return self.folder is not None and (self.folder / name).is_file()

    def path(self, name: str) -> Path:
        """The file that a template comes from."""
        folder = self.folder if self.folder is not None and self.overrides(name) else built_in_folder()
        return folder / name

    def _rendered(self, name: str, context: Mapping[str, object]) -> str:
        self.environment.begin()
        try:
            return _bounded(self._template(name).render(context))
        except Exception as error:  # whatever a user's template does wrong
            raise prompt_error(name, error) from error

    def _template(self, name: str) -> Template:
        if name not in self._compiled:
            self._compiled[name] = self.environment.get_template(name)
        return self._compiled[name]


def template_name(game: str, role: str) -> str:
    """The name of a role's template."""
    return f"{game}/{role}{SUFFIX}"


VARIABLES = {
    "view": "all that the seat may know",
    "own": "what the seat alone knows: the same as view.own",
    "me": "the seat's number; `me | seat` is its name",
    "question": "what is asked: text, consequences and choices (of each legal answer, in words), schema, role",
    "fields": "the fields of an answer by name: description, and enum with the legal values",
    "options": "the options in force, all that are numbers and words",
    "prints_schema": "whether the prompt has to print the schema, as the model does not get it as data",
    "lists_legal": "whether the player is told which answers are legal",
    "notes": "what the player wrote down for itself, empty for nothing yet; none when it keeps no notes",
}
"""The variables of a template, each with a description."""


def prompt_context(
    view: View,
    question: Question,
    options: Mapping[str, object],
    prints_schema: bool,
    lists_legal: bool = True,
    notes: str | None = None,
) -> dict[str, object]:
    """The variables of a template: the seat's view, the question, the options in force, the form of the answer.

    `lists_legal`: the prompt lists the legal answers. `notes` are the player's private notes (None: it keeps none).
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
    """The text without trailing blanks, and with at most one empty line in a row."""
    lines: list[str] = []
    for line in text.strip().split("\n"):
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines)


def _bounded(text: str) -> str:
    if len(text) > LONGEST_MESSAGE:
        raise TemplateError(f"it writes {len(text)} characters, more than the {LONGEST_MESSAGE} that a message may have")
    return text
