"""Name chains: what a template reads of its variables, such as ("view", "quote"), from its syntax tree."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

Chain = tuple[str, ...]


def chains(tree: nodes.Node) -> Iterator[tuple[Chain, nodes.Expr]]:
    """Every chain of names in a tree, the longest of each, and its node. What is computed ends a chain."""
    inner: set[int] = set()
    for node in tree.find_all((nodes.Getattr, nodes.Getitem, nodes.Name)):
        if id(node) in inner:
            continue
        inner.update(id(below) for below in _below(node))
        if chain := _chain(node):
            yield chain, node


def _below(node: nodes.Node) -> Iterator[nodes.Node]:
    while isinstance(node, (nodes.Getattr, nodes.Getitem)):
        node = node.node
        yield node


def _chain(node: nodes.Node) -> Chain:
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
