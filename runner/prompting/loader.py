"""Template loader: the folder of a pack, then the built-in one."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from types import CodeType

from jinja2 import BaseLoader, BytecodeCache, ChoiceLoader, Environment, FileSystemLoader, TemplateNotFound
from jinja2.bccache import Bucket

from runner.regular_files import open_regular

LARGEST_FILE = 200_000
"""Maximum bytes of a template."""


def built_in_folder() -> Path:
    """The built-in pack: package data when installed, `prompts/` in a checkout."""
    package = Path(str(files("runner")))
    packaged = package / "_data" / "prompts"
    return packaged if packaged.is_dir() else package.parent / "prompts"


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


def loader_of(folder: Path | None) -> BaseLoader:
    """Templates of the folder, if one is given, before the built-in ones of the same name."""
    return ChoiceLoader([FolderLoader(place) for place in (folder, built_in_folder()) if place is not None])


class SharedCode(BytecodeCache):
    """Compiled templates by their text: packs share most of them, and compiling costs more than rendering."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket, if its template was compiled before."""
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the compiled template of the bucket."""
        self._code[bucket.key, bucket.checksum] = bucket.code


SHARED_CODE = SharedCode()
"""Of all packs in this process."""
