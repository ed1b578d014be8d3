"""Stable text: the system message of a prompt, rendered once for each set of values that it reads.

It is the same for a seat all match long, and the longest part of most prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from jinja2 import TemplateNotFound, meta, nodes

from runner.prompting.built_in_environment import BuiltInEnvironment
from runner.prompting.name_chains import Chain, chains
from runner.value_key import value_key

SYSTEM = "system"
_MOST = 1000
"""Texts that are kept."""


class StableTexts:
    """The texts of system messages by template and values."""

    def __init__(self, environment: BuiltInEnvironment) -> None:
        self._environment = environment
        self._chains: dict[str, tuple[Chain, ...] | None] = {}
        self._texts: dict[bytes, str] = {}

    def text(self, name: str, context: Mapping[str, object], render: Callable[[], str]) -> str:
        """The text of a template's system message, rendered if it is new."""
        if name not in self._chains:
            self._chains[name] = _chains_read(self._environment, name)
        key = _key(name, self._chains[name], context)
        if key is None:
            return render()
        if (found := self._texts.get(key)) is None:
            if len(self._texts) >= _MOST:
                self._texts.clear()
            found = self._texts[key] = render()
        return found


def _key(name: str, read: tuple[Chain, ...] | None, context: Mapping[str, object]) -> bytes | None:
    """What stands for the values of a text; None if they are not known or no plain data."""
    if read is None:
        return None
    try:
        return value_key(name, *[_value(context, chain) for chain in read if chain[0] in context])
    except ValueError:
        return None


def _value(context: Mapping[str, object], chain: Chain) -> object:
    """The value of a chain, or what its fixed names lead to."""
    value: object = context
    for name in chain:
        if not isinstance(value, dict) or name not in value:
            break
        value = value[name]
    return value


def _chains_read(environment: BuiltInEnvironment, name: str) -> tuple[Chain, ...] | None:
    """The chains of names that a system message reads; None if that cannot be told from the source."""
    block = _system_block(environment.tree(name))
    if block is None:
        return None
    try:
        trees = [nodes.Template(block.body), *_others(environment, nodes.Template(block.body))]
    except (TemplateNotFound, _ComputedName):
        return None
    return tuple(sorted({chain for tree in trees for chain, _ in chains(tree)}))


def _system_block(tree: nodes.Template) -> nodes.CallBlock | None:
    """The call of `message("system")` that begins a template."""
    first = next((node for node in tree.body if not _is_blank(node)), None)
    if not isinstance(first, nodes.CallBlock) or not isinstance(first.call.node, nodes.Name):
        return None
    arguments = [argument.value for argument in first.call.args if isinstance(argument, nodes.Const)]
    return first if first.call.node.name == "message" and arguments == [SYSTEM] else None


def _is_blank(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Output) and all(
        isinstance(part, nodes.TemplateData) and not part.data.strip() for part in node.nodes
    )


def _others(environment: BuiltInEnvironment, tree: nodes.Template) -> Iterator[nodes.Template]:
    """The trees of all templates that a tree includes, imports or extends, and of those that these do."""
    for name in meta.find_referenced_templates(tree):
        if name is None:
            raise _ComputedName
        yield (other := environment.tree(name))
        yield from _others(environment, other)


class _ComputedName(Exception):
    """The name of a template is computed."""
