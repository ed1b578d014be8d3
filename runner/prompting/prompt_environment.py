"""Prompt environment: Jinja as every prompt is rendered with it."""

from __future__ import annotations

from jinja2 import BaseLoader, BytecodeCache, Environment, StrictUndefined

from games.core import seat_name
from runner.prompting.fence import as_json, fence


class PromptEnvironment(Environment):
    """An environment in which an undefined name is an error."""

    def __init__(self, loader: BaseLoader | None, bytecode_cache: BytecodeCache | None) -> None:
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
