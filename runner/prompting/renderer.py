"""Renderer: the messages and the text of templates, rendered in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Protocol

from jinja2 import Template, TemplateError

from runner.llm.request import Message
from runner.prompting.built_in_environment import BuiltInEnvironment
from runner.prompting.loader import BUILT_IN_CODE, SANDBOXED_CODE, loader_of
from runner.prompting.prompt_environment import PromptEnvironment
from runner.prompting.sandbox import LONGEST_PROMPT, BoundedEnvironment
from runner.prompting.stable_text import SYSTEM, StableTexts
from runner.prompting.template_errors import prompt_error

ROLES = (SYSTEM, "user", "assistant")


class Renderer(Protocol):
    """Renders the templates of a pack."""

    def messages(self, name: str, context: Mapping[str, object]) -> list[Message]:
        """The messages of a role's template. PromptError names template and line."""

    def text(self, name: str, context: Mapping[str, object]) -> str:
        """The text of a template. PromptError names template and line."""


class TemplateRenderer:
    """Renders the templates of a folder, if one is given, before the built-in ones, in this process."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._compiled: dict[str, Template] = {}

    @cached_property
    def environment(self) -> PromptEnvironment:
        """The Jinja environment of the templates: a sandbox for those of a folder."""
        if self._folder is None:
            return BuiltInEnvironment(loader_of(None), BUILT_IN_CODE)
        return BoundedEnvironment(loader_of(self._folder), SANDBOXED_CODE)

    @cached_property
    def _stable(self) -> StableTexts | None:
        return StableTexts(self.environment) if isinstance(self.environment, BuiltInEnvironment) else None

    def messages(self, name: str, context: Mapping[str, object]) -> list[Message]:
        """The messages of a role's template. PromptError names template and line."""
        messages: list[Message] = []

        def message(speaker: str, caller: Callable[[], str]) -> str:
            if speaker not in ROLES:
                raise TemplateError(f'message("{speaker}"): the speaker has to be one of {", ".join(ROLES)}')
            messages.append({"role": speaker, "content": self._content(name, speaker, context, caller)})
            _check_length(sum(len(one["content"]) for one in messages))
            return ""

        rest = self._rendered(name, {**context, "message": message})
        if rest.strip() or not messages:
            raise prompt_error(name, TemplateError('text outside of its messages: put it into {% call message("user") %}'))
        return messages

    def _content(self, name: str, speaker: str, context: Mapping[str, object], caller: Callable[[], str]) -> str:
        def render() -> str:
            return _tidied(_bounded(caller()))

        return self._stable.text(name, context, render) if speaker == SYSTEM and self._stable else render()

    def text(self, name: str, context: Mapping[str, object]) -> str:
        """The text of a template. PromptError names template and line."""
        return _tidied(self._rendered(name, context))

    def _rendered(self, name: str, context: Mapping[str, object]) -> str:
        self.environment.begin()
        try:
            return _bounded(self._template(name).render(context))
        except Exception as error:  # whatever a user's template does wrong
            raise prompt_error(name, error) from error

    def _template(self, name: str) -> Template:
        if name not in self._compiled:
            self._compiled[name] = self.environment.get_template(name)
        return self._compiled[name]


def _tidied(text: str) -> str:
    """The text without trailing blanks, and with at most one empty line in a row."""
    lines: list[str] = []
    for line in text.strip().split("\n"):
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines)


def _bounded(text: str) -> str:
    _check_length(len(text))
    return text


def _check_length(letters: int) -> None:
    if letters > LONGEST_PROMPT:
        raise TemplateError(f"it writes {letters} characters, more than the {LONGEST_PROMPT} that a prompt may have")
