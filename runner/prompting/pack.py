"""Prompt pack: the templates of every role, from the built-in pack and a folder that overrides any of its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from games.core import Question, View
from runner.digest import digest_of
from runner.errors import UsageError
from runner.prompting.template_errors import SUFFIX, prompt_error

if TYPE_CHECKING:
    from jinja2 import nodes

    from runner.llm.request import Message
    from runner.prompting.manifest import Manifest
    from runner.prompting.prompt_environment import PromptEnvironment
    from runner.prompting.renderer import Renderer

BUILT_IN = "built-in"
SHARED = "shared"
REASK = "shared/reask.j2"


@dataclass
class PromptPack:
    """The templates: those of `folder`, if given, before the built-in ones of the same name.

    A folder may be a stranger's, so its prompts are rendered in a process with bounded memory and time.
    """

    folder: Path | None = None
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
    def environment(self) -> PromptEnvironment:
        """The Jinja environment of this pack, to read its templates."""
        from runner.prompting.renderer import TemplateRenderer

        return TemplateRenderer(self.folder).environment

    @cached_property
    def _renderer(self) -> Renderer:
        if self.folder is None:
            from runner.prompting.renderer import TemplateRenderer

            return TemplateRenderer(None)
        from runner.prompting.isolated_renderer import IsolatedRenderer

        return IsolatedRenderer(self.folder)

    def other(self, folder: Path) -> PromptPack:
        """The pack of another folder, for a seat with its own pack; compiled once for all matches of this pack."""
        if folder not in self._others:
            self._others[folder] = PromptPack(folder)
        return self._others[folder]

    def render(self, game: str, role: str, context: Mapping[str, object]) -> list[Message]:
        """The messages of a role's template. PromptError names template and line."""
        return self._renderer.messages(template_name(game, role), context)

    def render_text(self, name: str, context: Mapping[str, object]) -> str:
        """The text of a template. PromptError names template and line."""
        return self._renderer.text(name, context)

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
            from runner.prompting.sandbox import syntax_tree

            try:
                self._trees[name] = syntax_tree(source, name, str(self.path(name)))
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
        from runner.prompting.loader import built_in_path

        return self.folder / name if self.folder is not None and self.overrides(name) else built_in_path(name)


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
    "prints_form": "whether the prompt has to show how an answer looks, in place of the schema: for a base model",
    "lists_legal": "whether the player is told which answers are legal",
    "told": "the view of the question before this one, if the conversation still has its past; otherwise none",
    "talk": "what players said to the table lately, oldest first: seat and text of each line; empty if nobody said anything",
    "notes": "what the player wrote down for itself, empty for nothing yet; none when it keeps no notes",
    "persona": "a text about the player from agents.toml; empty for none",
    "advice": "hints on play from agents.toml, `none` for no hints; none when the pack's own are taken",
}
"""The variables of a template, each with a description."""


def prompt_context(
    view: View,
    question: Question,
    options: Mapping[str, object],
    prints_schema: bool,
    lists_legal: bool = True,
    notes: str | None = None,
    told: View | None = None,
    talk: Sequence[tuple[int, str]] = (),
    persona: str = "",
    advice: str | None = None,
    prints_form: bool = False,
) -> dict[str, object]:
    """The variables of a template: the seat's view, the question, the options in force, the form of the answer.

    `lists_legal`: the prompt lists the legal answers. `notes` are the player's private notes (None: it keeps none). `told` is
    the view of the question before, if the prompt need not repeat the past up to it. `talk`: table talk, seat and text.
    `persona` and `advice` are the texts of the player's agent; advice None takes the pack's own, and "none" or an empty text
    leaves it out. `prints_form`: the prompt shows how an answer looks, in place of the schema.
    """
    return {
        "view": view,
        "own": view["own"],
        "me": view["seat"],
        "question": question,
        "fields": question.schema["properties"],
        "options": options,
        "prints_schema": prints_schema,
        "prints_form": prints_form,
        "lists_legal": lists_legal,
        "notes": notes,
        "told": told,
        "talk": [{"seat": seat, "text": text} for seat, text in talk],
        "persona": persona,
        "advice": advice,
    }
