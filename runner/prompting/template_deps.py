"""Template dependencies: the templates and the names that a prompt uses, from the source alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jinja2 import nodes

from games.core import Game
from runner.prompting.name_chains import chains
from runner.prompting.pack import REASK, PromptPack, template_name
from runner.prompting.template_errors import MissingTemplateError, PromptError


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


def references(pack: PromptPack, name: str) -> Iterator[Reference]:
    """What a template includes, imports or extends."""
    for node in pack.tree(name).find_all((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
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


def uses(pack: PromptPack, name: str) -> Iterator[NameUse]:
    """Every chain of names in a template, the longest of each."""
    for chain, node in chains(pack.tree(name)):
        yield NameUse(chain, name, node.lineno, isinstance(node, nodes.Name) and node.ctx != "load")
