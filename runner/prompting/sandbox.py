"""Sandbox: Jinja with bounds on the work and the size of a prompt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, wraps
from types import BuiltinMethodType, MethodType

from jinja2 import BaseLoader, BytecodeCache, nodes, pass_context
from jinja2.exceptions import TemplateRuntimeError
from jinja2.filters import do_format
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from runner.prompting.prompt_environment import PromptEnvironment

MOST_STEPS = 200_000
"""Maximum loop iterations and macro calls of one prompt."""

LONGEST_PROMPT = 400_000
"""Maximum letters of all messages of a prompt."""

LARGEST_NUMBER = 10_000
"""Maximum width, count or factor of a filter, a method or a product."""

_MOST_BITS = 10_000
_COUNTED = "counted"
_DATA = frozenset({str, int, float, bool, dict, list, tuple})
_WIDE_FIELD = re.compile(r":[^{}]*(?:\d{4}|\{)")
_WIDE = re.compile(r"%[^a-zA-Z%]*(?:\d{4}|\*)")


class BoundedEnvironment(PromptEnvironment, ImmutableSandboxedEnvironment):
    """A sandbox, for the templates of strangers, in which every step is counted. `begin` starts the count of a prompt."""

    intercepted_binops = frozenset({"*", "**"})

    def __init__(self, loader: BaseLoader | None, bytecode_cache: BytecodeCache | None) -> None:
        super().__init__(loader, bytecode_cache)
        self._steps = 0
        self.filters[_COUNTED] = _counted
        del self.globals["lipsum"], self.filters["random"]
        for name in ("center", "indent", "wordwrap", "batch", "slice", "truncate"):
            self.filters[name] = _modest(self.filters[name])
        self.filters["format"] = _formatted

    def begin(self) -> None:
        """Start the count of a prompt."""
        self._steps = 0

    def step(self) -> None:
        """Count one step. TemplateRuntimeError above the maximum."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TemplateRuntimeError(f"it does not come to an end: more than {MOST_STEPS} turns of loops and calls")

    def getattr(self, obj: object, attribute: str) -> object:
        """The attribute: plain data directly, which is safe and fast, all else as the sandbox allows."""
        value = getattr(obj, attribute, None)
        if type(value) in _DATA and not attribute.startswith("_"):
            return value
        return super().getattr(obj, attribute)

    def call(self, context: Context, obj: object, /, *args: object, **kwargs: object) -> object:
        """Call a function of a template, counted."""
        self.step()
        _check_modest((*args, *kwargs.values()) if isinstance(getattr(obj, "__self__", None), str) else ())
        return super().call(context, obj, *args, **kwargs)

    def wrap_str_format(self, value: object) -> Callable[..., str] | None:
        """The method `format` of a text, without wide fields."""
        wrapped = super().wrap_str_format(value)
        if wrapped is not None and isinstance(value, MethodType | BuiltinMethodType):
            _check_fields(str(value.__self__), _WIDE_FIELD)
        return wrapped

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """A product or a power, bounded."""
        size = _power(left, right) if operator == "**" else _product(left, right)
        if size > _MOST_BITS:
            raise TemplateRuntimeError(f"the result of {operator} would be too large for a prompt")
        return super().call_binop(context, operator, left, right)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, _COUNTED, [], [], None, None, lineno=loop.lineno, environment=self)
        return tree


@lru_cache(500)
def syntax_tree(source: str, name: str, file: str) -> nodes.Template:
    """The syntax tree of a template, to be read only. Packs share most templates, and parsing one costs more than rendering it.

    It belongs to a sandbox: Jinja computes the constants of a tree while it looks for undeclared variables.
    """
    return BoundedEnvironment(None, None).parse(source, name, file)


@pass_context
def _counted(context: Context, items: Iterable[object]) -> Iterator[object]:
    environment = context.environment
    assert isinstance(environment, BoundedEnvironment)
    for item in items:
        environment.step()
        yield item


def _modest(function: Callable[..., object]) -> Callable[..., object]:
    """The filter, without large numbers."""

    @wraps(function)
    def bounded(*args: object, **kwargs: object) -> object:
        _check_modest((*args, *kwargs.values()))
        return function(*args, **kwargs)

    return bounded


def _formatted(pattern: object, *values: object, **named: object) -> str:
    """The filter `format`, without wide fields."""
    _check_fields(str(pattern), _WIDE)
    return do_format(str(pattern), *values, **named)


def _check_fields(pattern: str, wide: re.Pattern[str]) -> None:
    if wide.search(pattern):
        raise TemplateRuntimeError(f"{pattern[:40]!r} has a field wider than a prompt takes")


def _check_modest(values: Iterable[object]) -> None:
    for value in values:
        if isinstance(value, int) and value > LARGEST_NUMBER:
            raise TemplateRuntimeError(f"{value} is too large a number: {LARGEST_NUMBER} is the most")


def _power(left: object, right: object) -> float:
    if isinstance(left, int) and isinstance(right, int):
        return left.bit_length() * abs(right)
    return 0


def _product(left: object, right: object) -> float:
    if isinstance(left, int) and isinstance(right, int):
        return left.bit_length() + right.bit_length()
    for items, factor in ((left, right), (right, left)):
        if isinstance(items, (str, list, tuple)) and isinstance(factor, int):
            return len(items) * factor
    return 0
