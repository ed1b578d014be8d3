"""Template loader: the folder of a pack, then the built-in one."""

import os
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, TemplateNotFound

from games.registry import installed
from runner.errors import UsageError
from runner.files import open_regular
from runner.game_folders import folder_of

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
