"""Servers for model files of this machine: no match of another model loads more than this."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any


def _unseen(plan: object) -> AbstractContextManager[list[str]]:
    return nullcontext([])


show: Callable[[Any], AbstractContextManager[list[str]]] = _unseen
"""Entered with the plan of a server while its model loads, to show that. Notes on how it runs are added to its list."""

LOCAL = "gguf:"
"""How a SPEC names a model file."""
