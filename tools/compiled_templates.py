"""Compiled templates: the code and the syntax trees of prompt templates and the text of built-in ones, kept in a process and
in those that it forks.

Tests and examples make hundreds of packs, each of which reads and compiles the built-in templates that it changes nothing of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from jinja2 import BytecodeCache, Environment, nodes
from jinja2.bccache import Bucket

from runner.prompting import renderer


class _Kept(BytecodeCache):
    """The code by the place and the text of a template."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if (found := self._code.get(bucket.key + bucket.checksum)) is not None:
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key + bucket.checksum] = bucket.bytecode_to_string()


def keep() -> None:
    """Read a built-in template once. Compile a template once for all packs, and once for the built-in prompts: a sandbox makes
    code of its own."""
    read, texts = renderer.FolderLoader.get_source, dict[str, tuple[str, str, Callable[[], bool]]]()

    def read_once(loader: renderer.FolderLoader, own: Environment, name: str) -> tuple[str, str, Callable[[], bool]]:
        if loader.searchpath != [str(renderer.built_in_folder())]:
            return read(loader, own, name)
        if name not in texts:
            texts[name] = read(loader, own, name)
        return texts[name]

    renderer.FolderLoader.get_source = read_once  # type: ignore[method-assign]
    kept: defaultdict[type[Environment], _Kept] = defaultdict(_Kept)
    prepared = renderer._prepared

    def keeping(kind: type[Environment], folder: Path | None) -> Environment:
        environment = prepared(kind, folder)
        environment.bytecode_cache = kept[kind]
        return environment

    renderer._prepared = keeping
    trees: dict[tuple[type[Environment], str, str | None, str | None], nodes.Template] = {}
    parse = Environment.parse

    def parsed(own: Environment, source: str, name: str | None = None, filename: str | None = None) -> nodes.Template:
        key = type(own), source, name, filename
        if key not in trees:
            trees[key] = parse(own, source, name, filename)
        return trees[key]

    Environment.parse = parsed  # type: ignore[method-assign]


def compile_all() -> None:
    """Compile the built-in templates for both. Which other games are installed, each process finds out by itself."""
    folder = renderer.built_in_folder()
    with patch.object(renderer, "_installed_folders", dict):
        for own in (None, folder):
            environment = renderer.TemplateRenderer(own).environment
            for template in folder.rglob("*.j2"):
                environment.get_template(template.relative_to(folder).as_posix())
    renderer._built_in.cache_clear()
