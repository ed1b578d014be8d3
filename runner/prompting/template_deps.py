"""Template dependencies: the templates and the names that a prompt uses, from the source alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import nodes

from games.core import Game
from runner.prompting.name_chains import chains
from runner.prompting.pack import REASK, PromptPack, template_name
from runner.prompting.template_errors import MissingTemplateError, PromptError

_MOST = 500
"""Syntax trees whose references and names are kept: each is asked for many times, and the search walks the whole tree."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A template that names another one; `target` is None where rendering computes the name."""

    target: str | None
    template: str
    line: int


@dataclass(frozen=True, slots=True)
class NameUse:
    """A chain of names in a template, such as ("view", "quote"). `is_set`: the template assigns it."""

    chain: tuple[str, ...]
    template: str
    line: int
    is_set: bool = False


def references(pack: PromptPack, name: str) -> tuple[Reference, ...]:
    """What a template includes, imports or extends."""
    return _references(pack.tree(name), name)


@lru_cache(_MOST)
def _references(tree: nodes.Template, name: str) -> tuple[Reference, ...]:
    return tuple(_found_references(tree, name))


def _found_references(tree: nodes.Template, name: str) -> Iterator[Reference]:
    for node in tree.find_all((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
        target = getattr(node, "template", None)
        values = target.value if isinstance(target, nodes.Const) else None
        for value in values if isinstance(values, (list, tuple)) else [values]:
            yield Reference(value if isinstance(value, str) else None, name, node.lineno)


def parts(pack: PromptPack, name: str) -> list[str]:
    """A template and all its dependencies, in their order. Templates that cannot be read are left out."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        current = waiting.pop(0)
        if current in found:
            continue
        try:
            targets = [reference.target for reference in references(pack, current)]
        except MissingTemplateError:
            continue
        except PromptError:
            targets = []
        found.append(current)
        waiting = [target for target in targets if target is not None] + waiting
    return found


def templates_in_use(pack: PromptPack, game: Game) -> dict[str, list[str]]:
    """The templates of each role's prompt, and under `reask` those of the prompt after a mistake."""
    found = {role: parts(pack, template_name(game.name, role)) for role in game.roles}
    return {**found, "reask": parts(pack, REASK)}


def uses(pack: PromptPack, name: str) -> tuple[NameUse, ...]:
    """Every chain of names in a template, the longest of each."""
    return _uses(pack.tree(name), name)


@lru_cache(_MOST)
def _uses(tree: nodes.Template, name: str) -> tuple[NameUse, ...]:
    return tuple(
        NameUse(chain, name, node.lineno, isinstance(node, nodes.Name) and node.ctx != "load") for chain, node in chains(tree)
    )
