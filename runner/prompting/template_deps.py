"""Which templates a prompt is made of, and which names they use: read from the templates, not by rendering."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jinja2 import nodes

from games.core import Game
from runner.prompting.pack import REASK, PromptPack, template_name
from runner.prompting.template_errors import MissingTemplateError, PromptError


@dataclass(frozen=True, slots=True)
class Reference:
    """A template named in another one, and where; `target` is None where the name is worked out while rendering."""

    target: str | None
    template: str
    line: int


@dataclass(frozen=True, slots=True)
class Use:
    """A chain of names in a template, such as ("view", "quote"), and where. `is_set`: the template gives it its value."""

    chain: tuple[str, ...]
    template: str
    line: int
    is_set: bool = False


def references(pack: PromptPack, name: str) -> Iterator[Reference]:
    """What a template includes, imports or extends."""
    for node in pack.tree(name).find_all((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
        target = getattr(node, "template", None)
        values = target.value if isinstance(target, nodes.Const) else None
        for value in values if isinstance(values, (list, tuple)) else [values]:
            yield Reference(value if isinstance(value, str) else None, name, node.lineno)


def parts(pack: PromptPack, name: str) -> list[str]:
    """A template and all that it draws on, in the order in which they are named. What cannot be read is left out."""
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


def in_use(pack: PromptPack, game: Game) -> dict[str, list[str]]:
    """For each role the templates that its prompt is made of, and under `reask` those of being asked again."""
    found = {role: parts(pack, template_name(game.name, role)) for role in game.roles}
    return {**found, "reask": parts(pack, REASK)}


def uses(pack: PromptPack, name: str) -> Iterator[Use]:
    """Every chain of names that a template looks at, the longest of each."""
    tree = pack.tree(name)
    inner: set[int] = set()
    for node in tree.find_all((nodes.Getattr, nodes.Getitem, nodes.Name)):
        if id(node) in inner:
            continue
        inner.update(id(below) for below in _below(node))
        chain = _chain(node)
        if chain:
            yield Use(chain, name, node.lineno, isinstance(node, nodes.Name) and node.ctx != "load")


def _below(node: nodes.Node) -> Iterator[nodes.Node]:
    while isinstance(node, (nodes.Getattr, nodes.Getitem)):
        node = node.node
        yield node


def _chain(node: nodes.Node) -> tuple[str, ...]:
    """The names of a chain as far as they are fixed; empty when it does not begin with a name."""
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
