"""Phases are data: what they are called, who decides in them, and where they lead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edge(NamedTuple):
    """A way from a phase to the next: the id it leads to, when it is taken, and the ruling that added it, if any."""

    to: int
    when: str
    ruling: str | None = None


class Phase(NamedTuple):
    """One phase of a game. `decides` names in words who owes a decision here, and is empty where nobody does."""

    id: int
    name: str
    description: str
    decides: str
    edges: tuple[Edge, ...]


class Phases(tuple[Phase, ...]):
    """The phase graph of a game, in the order of play."""

    __slots__ = ()

    def __new__(cls, phases: Iterable[Phase]) -> Phases:
        return super().__new__(cls, phases)

    def by_id(self, phase_id: int) -> Phase:
        """The phase of that id. KeyError when there is none."""
        for phase in self:
            if phase.id == phase_id:
                return phase
        raise KeyError(phase_id)

    def to_mermaid(self) -> str:
        """The graph as a Mermaid flowchart; an edge that a ruling added is dotted and says which."""
        lines = ["flowchart TD"]
        lines += [f'    p{phase.id}["{phase.id} {phase.name}"]' for phase in self]
        for phase in self:
            for edge in phase.edges:
                label = f"{edge.when} ({edge.ruling})" if edge.ruling else edge.when
                arrow = "-.->" if edge.ruling else "-->"
                lines.append(
                    f'    p{phase.id} {arrow}|"{label}"| p{edge.to}' if label else f"    p{phase.id} {arrow} p{edge.to}"
                )
        return "\n".join(lines) + "\n"
