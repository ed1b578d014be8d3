"""Prompt pack: the templates of every role, from the built-in pack and a folder that overrides any of its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from typing_extensions import TypedDict

from games.core import Question, View
from runner.digest import digest_of
from runner.errors import UsageError
from runner.files import read_regular_text, read_toml
from runner.prompting.template_errors import SUFFIX, prompt_error
from runner.validation import Amount, Digest, first_problem

if TYPE_CHECKING:
    from jinja2 import Environment, nodes

    from runner.llm.request import Message
    from runner.prompting.isolated_renderer import IsolatedRenderer
    from runner.prompting.renderer import TemplateRenderer

BUILT_IN = "built-in"
SHARED = "shared"
REASK = "shared/reask.j2"


class PromptsRecord(TypedDict, closed=True):
    """The prompt pack of a match; empty where no model plays."""

    pack: NotRequired[str]
    version: NotRequired[str]
    offline_mistakes: NotRequired[Amount]
    templates: NotRequired[dict[str, Digest]]


@dataclass
class PromptPack:
    """The templates: those of `folder`, if given, before the built-in ones. A folder may be a stranger's, so its prompts are
    rendered in a process with bounded memory and time."""

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
        return None if self.folder is None else read_manifest(self.folder)

    @property
    def name(self) -> str:
        return BUILT_IN if self.manifest is None else self.manifest.name

    @cached_property
    def _own(self) -> TemplateRenderer:
        from runner.prompting.renderer import TemplateRenderer

        return TemplateRenderer(self.folder)

    @property
    def environment(self) -> Environment:
        return self._own.environment

    @cached_property
    def _renderer(self) -> TemplateRenderer | IsolatedRenderer:
        if self.folder is None:
            return self._own
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

    def to_json(self, game: str) -> PromptsRecord:
        """The pack as a log's header has it: name, version, and the digest of every template of a game."""
        found: PromptsRecord = {"pack": self.name}
        if self.manifest is not None:
            found["version"] = self.manifest.version
            if self.manifest.offline:
                found["offline_mistakes"] = self.manifest.offline.mistakes
        return {**found, "templates": self.digests(game)}

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
                self._trees[name] = _parsed(source, name, str(self.path(name)))
            except Exception as error:  # whatever a user's template does wrong
                raise prompt_error(name, error) from error
        return self._trees[name]

    def overrides(self, name: str) -> bool:
        """Whether a template comes from the pack's own folder."""
        return self.folder is not None and (self.folder / name).is_file()

    def path(self, name: str) -> Path:
        from runner.prompting.renderer import built_in_path

        return self.folder / name if self.folder is not None and self.overrides(name) else built_in_path(name)


@lru_cache(500)
def _parsed(source: str, name: str, path: str) -> nodes.Template:
    """The syntax tree of a source, which packs share that differ in other templates."""
    return PromptPack().environment.parse(source, name, path)


def prompts_folder(game: str) -> str:
    """The folder of a game's templates; the games of OpenSpiel share one."""
    return game.partition(":")[0]


def template_name(game: str, role: str) -> str:
    return f"{prompts_folder(game)}/{role}{SUFFIX}"


_ABSENT: Mapping[str, object] = {
    **dict.fromkeys(("told", "recap", "notes", "advice", "stated")),
    "prints_form": False,
    "lists_legal": True,
    "lists_singly": False,
    "talk": (),
    "persona": "",
}
"""The variables of a player who is told which answers are legal, and has no past, no notes, no persona and no advice."""


def prompt_context(
    view: View, question: Question, options: Mapping[str, object], prints_schema: bool, **others: object
) -> dict[str, object]:
    """The variables of a template, as variables.toml describes them; `others` are those that a plain player lacks."""
    assert others.keys() <= _ABSENT.keys()
    shown = {"view": view, "own": view["own"], "me": view["seat"], "question": question, "options": options}
    return {**shown, "fields": question.schema["properties"], "prints_schema": prints_schema, **_ABSENT, **others}


FILE = "pack.toml"


class OfflineEntry(BaseModel):
    """The offline model's behaviour with the pack, to try comparisons without a language model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    mistakes: float = Field(ge=0, le=1)


class Manifest(BaseModel):
    """Name, version, author and games of a pack (no games: for all)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")
    version: str = Field(default="1", min_length=1, max_length=40)
    author: str = Field(default="", max_length=200)
    games: tuple[str, ...] = ()
    offline: OfflineEntry | None = None


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a pack; without a file the folder's name is the pack's name. UsageError names file and entry."""
    path = folder / FILE
    if not path.exists():
        return Manifest(name=folder.resolve().name or "pack")
    try:
        return Manifest.model_validate(read_toml(read_regular_text(path, "The manifest")))
    except ValidationError as error:
        raise UsageError(f"{path}: {first_problem(error, Manifest, offline=OfflineEntry)}") from error
    except ValueError as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error


def packs_below(folder: Path) -> list[tuple[Path, Manifest]]:
    """The prompt packs in a folder, itself included, down to two folders below it. UsageError for a manifest that is none."""
    found = sorted(path.parent for pattern in (FILE, f"*/{FILE}", f"*/*/{FILE}") for path in folder.glob(pattern))
    return [(path, read_manifest(path)) for path in found if not is_hidden(path.relative_to(folder))]


def is_hidden(path: Path) -> bool:
    """Whether a path leads into a hidden folder or to a hidden file: it is no part of a pack."""
    return any(part.startswith(".") for part in path.parts)
