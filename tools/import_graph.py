"""Import graph of the code: `python -m tools.import_graph` draws docs/pictures/import_graph.svg.

Every import counts: at the top of a module, inside a function, and for type checking only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "pictures" / "import_graph.svg"
ROOMS = (
    *("games", "runner", "llm", "local", "prompting", "agents", "match", "record", "session", "review", "arena"),
    *("standings", "film", "screen", "export", "workshop", "serve", "api", "cli", "__main__"),
)
"""The rooms in order: each imports only from itself and those before it. `runner` is for modules directly in runner/."""

Graph = Mapping[str, frozenset[str]]

_BOX, _STEP, _TOP = (150, 26), 44, 20
_LEFT = 60


@cache
def modules() -> Mapping[str, Path]:
    """The modules of games/ and runner/ by dotted name."""
    files = sorted(path for top in ("games", "runner") for path in (ROOT / top).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


@cache
def syntax(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imported(path: Path) -> Sequence[str]:
    """The dotted names that a file imports; a name imported from a module counts as `module.name`."""
    return [name for statement in _statements(syntax(path)) for name in _named_by(statement)]


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements below a node. Expressions hold none, so this is quicker than `ast.walk`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield child
            yield from _statements(child)


def _named_by(statement: ast.AST) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (name.name for name in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        yield from (f"{'.' * statement.level}{statement.module}.{name.name}" for name in statement.names)


@cache
def graph() -> Graph:
    """Each module with the modules of games/ and runner/ that it imports."""
    return {name: frozenset(targets(path)) - {name} for name, path in modules().items()}


def targets(path: Path) -> Iterator[str]:
    """The modules of games/ and runner/ that a file imports."""
    for name in imported(path):
        found = name if name in modules() else name.rpartition(".")[0]
        if found in modules():
            yield found


@cache
def room_of(module: str) -> str:
    """The room of a module."""
    top, _, rest = module.partition(".")
    if top == "games" or rest == "__main__":
        return rest if rest == "__main__" else top
    folder = rest.partition(".")[0]
    return folder if (ROOT / "runner" / folder).is_dir() and folder else top


def arrows() -> list[tuple[str, str]]:
    """The pairs of rooms of which the first imports the second, sorted."""
    pairs = {(room_of(name), room_of(target)) for name, targets in graph().items() for target in targets}
    return sorted((room, other) for room, other in pairs if room != other)


def upward_imports() -> list[str]:
    """The imports of a room that comes later in the order, as `module -> module`."""
    return [
        f"{name} -> {target}"
        for name, targets in graph().items()
        for target in sorted(targets)
        if ROOMS.index(room_of(target)) > ROOMS.index(room_of(name))
    ]


def circles() -> list[list[str]]:
    """A way along which modules import one another, if there is one."""
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as found:
        return [found.args[1]]
    return []


def drawing() -> str:
    """The rooms as an SVG document: the last one on top, an arrow for every room that another imports."""
    there = {room_of(name) for name in modules()}
    rooms = [room for room in reversed(ROOMS) if room in there]
    heights = {room: _TOP + place * _STEP + _BOX[1] / 2 for place, room in enumerate(rooms)}
    size = f"0 0 {_LEFT + _BOX[0] + 330} {2 * _TOP + len(rooms) * _STEP}"
    style = "text{font:14px ui-monospace,monospace;text-anchor:middle}rect{fill:#eef3fa;stroke:#4a6fa5}"
    marker = '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}">',
        f'<style>{style}</style><defs>{marker}<path d="M0 0L8 4L0 8z" fill="#4a6fa5"/></marker></defs>',
        '<rect x="0" y="0" width="100%" height="100%" style="fill:#fff;stroke:none"/>',
        *(_arrow(heights[source], heights[target]) for source, target in arrows()),
        *(_box(room, heights[room]) for room in rooms),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _box(room: str, middle: float) -> str:
    width, height = _BOX
    name = "games" if room == "games" else "runner/*.py" if room == "runner" else f"runner/{room}"
    frame = f'<rect x="{_LEFT}" y="{middle - height / 2:g}" width="{width}" height="{height}" rx="5"/>'
    return f'{frame}<text x="{_LEFT + width / 2:g}" y="{middle + 5:g}">{name}</text>'


def _arrow(start: float, end: float) -> str:
    """An arrow down on the right, or up on the left and red."""
    is_down = end > start
    edge = _LEFT + _BOX[0] if is_down else _LEFT
    bend = edge + (abs(end - start) * 0.62 if is_down else -abs(end - start) * 0.3)
    path = f"M{edge} {start + 4:g}C{bend:g} {start + 4:g} {bend:g} {end - 4:g} {edge} {end - 4:g}"
    colour = "#4a6fa5" if is_down else "#c0392b"
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-opacity="0.55" marker-end="url(#tip)"/>'


def main() -> None:
    """Draw the rooms."""
    PICTURE.write_text(drawing(), encoding="utf-8")


if __name__ == "__main__":
    main()
