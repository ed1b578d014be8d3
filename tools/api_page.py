"""The page of the Python interface: `python -m tools.api_page` writes docs/api.md from the docstrings.

The sources are read, not run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import filterfalse

from tools.examples import ROOT

FILE = ROOT / "docs" / "api.md"

PARTS: dict[str, Sequence[str]] = {
    "games": ("names", "load"),
    "games.core": (
        *("Game", "State", "Action", "Question", "Event", "Rng"),
        *("IllegalAction", "OptionError", "policy"),
    ),
    "runner.api": (
        *("play", "aplay", "Player", "Players", "resume", "fork"),
        *("read_log", "read_logs", "Log", "review", "standings", "Standings"),
        *("exam", "compare", "lint"),
    ),
    "runner.agents.function_agent": ("Reply",),
    "runner.agents.protocol": ("Mistake",),
    "runner.errors": ("TabletopError", "UsageError", "PausedError", "AccountError", "LogDamagedError"),
}
"""The modules of the page, and what it shows of each."""

HEAD = """\
# Python reference

What programs may rely on, from the docstrings: `make docs` writes this page. [Python](python.md) shows how to use it,
and has what learners use; [bots](bots.md#python-functions) shows how a function plays, [write a game](writing-a-game.md) what a
game consists of.
"""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Part = _Definition | ast.Assign | ast.AnnAssign


@cache
def _body(module: str) -> list[ast.stmt]:
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8")).body


def found(module: str, name: str) -> tuple[_Part, str]:
    """The definition of a name of a module, wherever it is, and its docstring. KeyError when there is none."""
    for node, after in _with_next(_body(module)):
        match node:
            case ast.ImportFrom(module=str(origin)):
                for one in node.names:
                    if (one.asname or one.name) == name:
                        return found(origin, one.name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == name:
                return node, ast.get_docstring(node) or ""
            case ast.AnnAssign(target=ast.Name(id=target)) if target == name:
                return node, _text(after)
    raise KeyError(f"{module} has no {name}")


def _with_next(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    return zip(body, [*body[1:], None], strict=True)


def _text(node: ast.stmt | None) -> str:
    """The text of a string that stands by itself, as a docstring does."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return "\n".join(line.strip() for line in node.value.value.splitlines())
    return ""


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef, is_method: bool = False) -> str:
    """A function as it is called."""
    args, shown = node.args, list[str]()
    defaults = [*[None] * (len(args.args) - len(args.defaults)), *args.defaults]
    shown += [_argument(*pair) for pair in zip(args.args, defaults, strict=True)][is_method:]
    shown += [f"*{_argument(args.vararg)}"] if args.vararg else ["*"] if args.kwonlyargs else []
    shown += [_argument(*pair) for pair in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    shown += [f"**{_argument(args.kwarg)}"] if args.kwarg else []
    awaited = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{awaited}{node.name}({', '.join(shown)}){returned}"


def _argument(arg: ast.arg, default: ast.expr | None = None) -> str:
    typed = f"{arg.arg}: {ast.unparse(arg.annotation)}" if arg.annotation else arg.arg
    return typed if default is None else f"{typed} = {ast.unparse(default)}"


def _is(node: ast.FunctionDef | ast.AsyncFunctionDef, *decorators: str) -> bool:
    return any(ast.unparse(one) in decorators for one in node.decorator_list)


def _members(node: ast.ClassDef) -> Iterator[str]:
    """A line for each public field, and for each public property and method that has a docstring."""
    for one, after in _with_next(node.body):
        match one:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not one.name.startswith("_"):
                if text := ast.get_docstring(one):
                    yield _line(_property(one) or _signature(one, is_method=not _is(one, "staticmethod")), text)
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                yield _line(f"{name}: {ast.unparse(one.annotation)}", _text(after))


def _property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """A property as a field; "" for a method."""
    is_one = node.returns is not None and _is(node, "property", "cached_property")
    return f"{node.name}: {ast.unparse(node.returns)}" if is_one and node.returns else ""


def _line(shown: str, text: str) -> str:
    return f"- `{shown}`: {' '.join(text.split())}" if text else f"- `{shown}`"


_MANY = 20
"""More fields than these are listed without their types, which nobody would read in a row."""


def _is_bare(line: str) -> bool:
    """Whether the line of a member has no text."""
    return line.endswith("`")


def entry(module: str, name: str) -> str:
    """The passage of one name."""
    node, text = found(module, name)
    parts = [f"### {name}"]
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            parts.append(f"`{_signature(node)}`")
        case ast.AnnAssign(value=ast.expr() as value):
            parts.append(f"`{name} = {ast.unparse(value)}`")
    parts.append(text)
    if isinstance(node, ast.ClassDef):
        lines = [*_members(node)]
        bare, told = (list(found) for found in (filter(_is_bare, lines), filterfalse(_is_bare, lines)))
        fields = [line.removeprefix("- ") for line in bare]
        if len(fields) > _MANY:
            fields = [f"{field.partition(':')[0]}`" for field in fields]
        parts += [f"Fields: {', '.join(fields)}."] * bool(fields)
        parts.append("\n".join(told))
    return "\n\n".join(part for part in parts if part)


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for module, names in PARTS.items():
        parts += [f"\n## {module}\n", *(f"\n{entry(module, name)}\n" for name in names)]
    return "".join(parts)


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
