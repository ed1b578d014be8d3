"""Prompt environment: Jinja as every prompt is rendered with it."""

from __future__ import annotations

from jinja2 import BaseLoader, BytecodeCache, Environment, StrictUndefined

from games.core import seat_name
from runner.prompting.fence import as_json, fence

_OF_MAPPINGS = frozenset(dir(dict))


class PromptEnvironment(Environment):
    """An environment in which an undefined name is an error, for the templates of this package and of installed games.

    Their authors are trusted with more than templates, so that nothing is checked while these are rendered.
    """

    def __init__(self, loader: BaseLoader, bytecode_cache: BytecodeCache) -> None:
        super().__init__(
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            autoescape=False,
            auto_reload=False,
            loader=loader,
            bytecode_cache=bytecode_cache,
        )
        self.filters |= {"fence": fence, "tojson": as_json, "seat": seat_name}

    def begin(self) -> None:
        """A prompt begins."""

    def getattr(self, obj: object, attribute: str) -> object:
        """The attribute; the value under a key of plain data at once."""
        if type(obj) is dict and attribute in obj and attribute not in _OF_MAPPINGS:
            return obj[attribute]
        return super().getattr(obj, attribute)
