"""Template dependencies: the templates and the names that a prompt uses, from the source alone."""

from functools import lru_cache
from typing import NamedTuple

from jinja2 import nodes

from games.core import Game
from runner.prompting.pack import REASK, PromptPack, template_name
from runner.prompting.template_errors import PromptError

_nodes_in = lru_cache(500)(lambda tree, kinds: tuple(tree.find_all(kinds)))


class Reference(NamedTuple):
    """A template that names another one; `target` is None where rendering computes the name."""

    target: str | None
    template: str
    line: int


class NameUse(NamedTuple):
    """A chain of names in a template, such as ("view", "quote"). `is_set`: the template assigns it."""

    chain: tuple[str, ...]
    template: str
    line: int
    is_set: bool = False


def references(pack: PromptPack, name: str) -> tuple[Reference, ...]:
    """What a template includes, imports or extends."""
    found = list[Reference]()
    for node in _nodes_in(pack.tree(name), (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
        target = getattr(node, "template", None)
        values = target.value if isinstance(target, nodes.Const) else None
        for value in values if isinstance(values, (list, tuple)) else [values]:
            found.append(Reference(value if isinstance(value, str) else None, name, node.lineno))
    return tuple(found)


def uses(pack: PromptPack, name: str) -> tuple[NameUse, ...]:
    """Every chain of names in a template, the longest of each. What is computed ends a chain."""
    return _uses(pack.tree(name), name)


@lru_cache(500)
def _uses(tree: nodes.Template, name: str) -> tuple[NameUse, ...]:
    found = [*tree.find_all((nodes.Getattr, nodes.Getitem, nodes.Name))]
    inner = {id(node.node) for node in found if isinstance(node, (nodes.Getattr, nodes.Getitem))}
    return tuple(
        NameUse(chain, name, node.lineno, isinstance(node, nodes.Name) and node.ctx != "load")
        for node in found
        if id(node) not in inner and (chain := _chain(node))
    )


def _chain(node: nodes.Node) -> tuple[str, ...]:
    """The fixed names of a chain; empty if it does not begin with a name."""
    names: list[str] = []
    while isinstance(node, (nodes.Getattr, nodes.Getitem)):
        if isinstance(node, nodes.Getattr):
            names.append(node.attr)
        elif isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
            names.append(node.arg.value)
        else:
            names.clear()
        node = node.node
    return (node.name, *reversed(names)) if isinstance(node, nodes.Name) else ()


def templates_in_use(pack: PromptPack, game: Game) -> dict[str, list[str]]:
    """The templates of each role's prompt, and under `reask` those of the prompt after a mistake."""
    found = {role: with_dependencies(pack, template_name(game.name, role)) for role in game.roles}
    return {**found, "reask": with_dependencies(pack, REASK)}


def with_dependencies(pack: PromptPack, name: str) -> list[str]:
    """A template and all its dependencies, in their order. Templates that cannot be read are left out."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        current = waiting.pop(0)
        if current in found:
            continue
        try:
            targets = [reference.target for reference in references(pack, current)]
        except PromptError as error:
            if error.missing is not None:
                continue
            targets = []
        found.append(current)
        waiting = [target for target in targets if target is not None] + waiting
    return found
