"""Built-in environment: Jinja without checks, for templates whose authors are trusted with more than templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import unwrap

from jinja2 import BaseLoader, BytecodeCache, Template, meta, nodes
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro

from runner.prompting.prompt_environment import PromptEnvironment
from runner.prompting.remembered_macro import RememberedMacro

_OF_MAPPINGS = frozenset(dir(dict))
_AROUND = frozenset({"_loop_vars", "_block_vars"})
"""What Jinja adds to the keywords of a call: the variables of loops and blocks."""


class BuiltInContext(Context):
    """The variables of a template, which calls a remembered macro without asking what Jinja may pass to it: nothing."""

    def call(__self, __obj: Callable[..., object], *args: object, **kwargs: object) -> object:
        """The result of a call; `kwargs` may have the variables of loops and blocks around it."""
        if type(__obj) is RememberedMacro and kwargs.keys() <= _AROUND:
            return __obj.text(args)
        return super().call(__obj, *args, **kwargs)


class BuiltInTemplate(Template):
    """A template that is imported once for all prompts if it reads no variable: its macros depend on their arguments alone."""

    environment: BuiltInEnvironment
    _constant: TemplateModule | None = None

    def make_module(
        self, vars: dict[str, object] | None = None, shared: bool = False, locals: Mapping[str, object] | None = None
    ) -> TemplateModule:
        """The names of the template, for one that imports it."""
        if self.name is None or not self.environment.is_constant(self.name):
            return super().make_module(vars, shared, locals)
        if self._constant is None:
            self._constant = super().make_module()
            _remember_macros(self._constant.__dict__)
        return self._constant


def _remember_macros(names: dict[str, object]) -> None:
    names |= {name: RememberedMacro(value) for name, value in names.items() if isinstance(value, Macro)}


class BuiltInEnvironment(PromptEnvironment):
    """An environment for the templates of this package and of installed games. Nothing is checked while they are rendered."""

    template_class = BuiltInTemplate
    context_class = BuiltInContext

    def __init__(self, loader: BaseLoader, bytecode_cache: BytecodeCache) -> None:
        super().__init__(loader, bytecode_cache)
        self.filters = {name: _synchronous(found) for name, found in self.filters.items()}
        self._constant: dict[str, bool] = {}
        self._trees: dict[str, nodes.Template] = {}

    def getattr(self, obj: object, attribute: str) -> object:
        """The attribute; the value under a key of plain data at once."""
        if type(obj) is dict and attribute in obj and attribute not in _OF_MAPPINGS:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def tree(self, name: str) -> nodes.Template:
        """The syntax tree of a template, not to be changed."""
        assert self.loader is not None
        if name not in self._trees:
            self._trees[name] = self.parse(self.loader.get_source(self, name)[0], name)
        return self._trees[name]

    def is_constant(self, name: str) -> bool:
        """Whether a template reads no variable, nor any template that it imports."""
        if name not in self._constant:
            tree = self.tree(name)
            imported = meta.find_referenced_templates(tree)
            self._constant[name] = (
                not meta.find_undeclared_variables(tree) - self.globals.keys()
                and next(tree.find_all((nodes.Extends, nodes.Include)), None) is None
                and all(other is not None and self.is_constant(other) for other in imported)
            )
        return self._constant[name]


def _synchronous(found: Callable[..., object]) -> Callable[..., object]:
    """A filter without Jinja's choice between its two variants, which costs more than most filters."""
    return unwrap(found) if hasattr(found, "jinja_async_variant") else found
