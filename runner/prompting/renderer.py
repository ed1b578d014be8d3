"""Renderer: messages and the text of templates, from the folder of a pack, then the built-in one, rendered in this process."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment

from games.core import seat_name
from games.registry import installed
from runner.errors import UsageError
from runner.files import open_regular
from runner.game_folders import folder_of
from runner.prompting.template_errors import PromptError, prompt_error

if TYPE_CHECKING:
    from runner.llm.request import Message


LONGEST = 600
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
_TOKENS = re.compile(r"[<\[\]◁▷]")
"""Characters with which chat templates mark who speaks: `<|im_start|>`, `<end_of_turn>`, `[INST]`, `]~b]`, `◁think▷`."""

_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def fence(value: object, longest: int = LONGEST) -> str:
    """A text as one JSON string: on one line, in quotes that it cannot close, nothing invisible in it, bounded. Text of other
    players and of decks enters a prompt only like this, so that no layout turns it into an instruction. Brackets are escaped: a
    server that finds the control tokens of its model in any text finds none here."""
    text = str(value)
    if len(text) > longest:
        text = text[:longest] + f"… (cut, {len(text)} characters)"
    return _TOKENS.sub(_escaped, as_json(text))


def as_json(value: object) -> str:
    """A value as JSON on one line, readable, with nothing invisible and no tag in it."""
    return _visible(_ENCODE(value).replace("<", "\\u003c"))


def inline(line: object) -> str:
    """A line of a game's recap, in which words of players are JSON strings: these are as safe as in a fence."""
    return _TOKENS.sub(_escaped, _visible(str(line)))


def _visible(text: str) -> str:
    return text if text.isprintable() else "".join(json.dumps(c)[1:-1] if is_invisible(c) else c for c in text)


def _escaped(letter: re.Match[str]) -> str:
    return f"\\u{ord(letter[0]):04x}"


def is_invisible(letter: str) -> bool:
    """Whether a letter is a control, a format mark or another invisible character."""
    return not letter.isprintable() and unicodedata.category(letter) in _INVISIBLE


LONGEST_PROMPT = 400_000
"""Maximum characters of all messages of a prompt."""


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja for the templates of strangers. The process that renders them bounds time and memory.

    Products and powers are intercepted so that Jinja never computes one while it compiles.
    """

    intercepted_binops = frozenset({"*", "**"})


def _prepared(kind: type[Environment], folder: Path | None) -> Environment:
    """Jinja in which an undefined name is an error."""
    environment = kind(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, auto_reload=False, loader=loader_of(folder)
    )
    del environment.filters["random"], environment.globals["lipsum"]  # a prompt is the same whenever it is rendered
    environment.filters |= {"fence": fence, "inline": inline, "tojson": as_json, "seat": seat_name}
    return environment


class _Trusted(Environment):
    """Jinja for the built-in templates: what it finds as in every other, and the keys of objects without a failing look at
    their attributes first, which takes a quarter of rendering."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute; of an object as JSON has it, the value of a key."""
        if type(obj) is dict and attribute in obj and attribute not in _OF_EVERY_OBJECT:
            return obj[attribute]
        return super().getattr(obj, attribute)


_OF_EVERY_OBJECT = frozenset(dir(dict))


@cache
def _built_in() -> Environment:
    """Jinja for the built-in templates, compiled once in a process. They are trusted like the code beside them: the checks of a
    sandbox take as long as rendering."""
    return _prepared(_Trusted, None)


ROLES = ("system", "user", "assistant")


class TemplateRenderer:
    """Renders the templates of a folder, if one is given, before the built-in ones, in this process: then all in a sandbox."""

    def __init__(self, folder: Path | None) -> None:
        self.environment = _built_in() if folder is None else _prepared(Sandbox, folder)

    def messages(self, name: str, context: Mapping[str, object]) -> list[Message]:
        """The messages of a role's template. PromptError names template and line."""
        messages: list[Message] = []

        def message(speaker: str, caller: Callable[[], str]) -> str:
            if speaker not in ROLES:
                raise TemplateError(f'message("{speaker}"): the speaker has to be one of {", ".join(ROLES)}')
            messages.append({"role": speaker, "content": _tidied(_bounded(caller()))})
            _bounded("".join(one["content"] for one in messages))
            return ""

        rest = self._rendered(name, {**context, "message": message})
        if rest.strip() or not messages:
            why = 'text outside of its messages: put it into {% call message("user") %}'
            raise PromptError(name, self._line_of(rest.strip().partition("\n")[0], name), why)
        return messages

    def text(self, name: str, context: Mapping[str, object]) -> str:
        """The text of a template. PromptError names template and line."""
        return _tidied(self._rendered(name, context))

    def _line_of(self, text: str, name: str) -> int | None:
        """The line of a template that has a text; None where there is no text, or another template or a value brings it."""
        loader = self.environment.loader
        source = loader.get_source(self.environment, name)[0] if text and loader else ""
        return next((number for number, line in enumerate(source.splitlines(), 1) if text in line), None)

    def _rendered(self, name: str, context: Mapping[str, object]) -> str:
        try:
            return _bounded(self.environment.get_template(name).render(context))
        except Exception as error:  # whatever a user's template does wrong
            raise prompt_error(name, error) from error


def _tidied(text: str) -> str:
    """The text without trailing blanks, and with at most one empty line in a row."""
    lines: list[str] = []
    for line in text.strip().split("\n"):
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines)


def _bounded(text: str) -> str:
    if len(text) > LONGEST_PROMPT:
        raise TemplateError(f"it writes {len(text)} characters, more than the {LONGEST_PROMPT} that a prompt may have")
    return text


LARGEST_FILE = 200_000
"""Maximum bytes of a template."""

MOST_FILES = 2_000
"""Maximum files and folders of a pack, hidden ones not counted."""

LARGEST_PACK = 5_000_000
"""Maximum bytes of all files of a pack."""


def data_folder(name: str, folder: str = "") -> Path:
    """A folder that the package carries when installed, below `folder` in a checkout."""
    package = Path(str(files("runner")))
    packaged = package / "_data" / name
    return packaged if packaged.is_dir() else package.parent / folder / name


@cache
def built_in_folder() -> Path:
    """The built-in pack."""
    return data_folder("prompts")


def built_in_path(name: str) -> Path:
    """The file of a template of the built-in pack, or of the package that brings its game; it need not exist."""
    game, _, rest = name.partition("/")
    folder = _installed_folders().get(game)
    return built_in_folder() / name if folder is None else folder / rest


@cache
def _installed_folders() -> dict[str, Path]:
    folders = {name: folder_of(name) for name in installed()}
    return {name: folder / "prompts" for name, folder in folders.items() if folder is not None}


class FolderLoader(FileSystemLoader):
    """Templates of one folder. A link out of it is not followed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._root = folder.resolve()

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """The text of a template, its file, and a test whether it is unchanged. UsageError for a file that cannot be read."""
        path = (self._root / template).resolve()
        if not path.is_relative_to(self._root) or not path.exists():
            raise TemplateNotFound(template)
        open_regular(path, "The template", LARGEST_FILE).close()
        return super().get_source(environment, template)

    def list_templates(self) -> list[str]:
        """The names of all files, sorted. UsageError for a pack that is too large."""
        return files_in(self._root)


def files_in(folder: Path) -> list[str]:
    """The names of all files of a pack, sorted, without hidden ones. UsageError for a pack that is too large."""
    found: list[str] = []
    count = size = 0
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        names = [name for name in names if not name.startswith((".", "__"))]
        count += len(folders) + len(names)
        size += sum(os.lstat(os.path.join(at, name)).st_size for name in names[:MOST_FILES])
        if count > MOST_FILES or size > LARGEST_PACK:
            limits = f"{MOST_FILES} files and folders or {LARGEST_PACK // 1_000_000} MB"
            raise UsageError(f"The prompt pack {folder} is too large: it has more than {limits}.")
        found += [Path(at, name).relative_to(folder).as_posix() for name in names]
    return sorted(found)


def loader_of(folder: Path | None) -> BaseLoader:
    """Templates of the folder, if one is given, before the built-in ones of the same name and those of installed games."""
    installed_ones = PrefixLoader({name: FolderLoader(place) for name, place in _installed_folders().items()})
    folders = [FolderLoader(place) for place in (folder, built_in_folder()) if place is not None]
    return ChoiceLoader([*folders, installed_ones])
