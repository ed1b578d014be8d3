"""Template errors, each with its template and line."""

from __future__ import annotations

from pathlib import Path

from runner.errors import UsageError

SUFFIX = ".j2"

MEMORY = 256 * 2**20
"""Bytes of memory for rendering the prompts of a pack."""

SECONDS = 2
"""Seconds of processor time for one prompt of a pack."""

TOO_SLOW = f"it takes more than {SECONDS} seconds of processor time"


class PromptError(UsageError):
    """A template cannot be rendered. `template` is its name, `line` counts from 1 (None: unknown), `why` is a clause."""

    def __init__(self, template: str, line: int | None, why: str) -> None:
        super().__init__(why)
        self.template = template
        self.line = line

    def __str__(self) -> str:
        return f"The prompt {self.template}{f', line {self.line}' if self.line else ''} cannot be rendered: {self.why}."


class MissingTemplateError(PromptError):
    """A template does not exist."""

    def __init__(self, name: str, asked_by: str, line: int | None) -> None:
        super().__init__(asked_by, line, f"there is no prompt template {name}")
        self.name = name

    def __str__(self) -> str:
        return f"There is no prompt template {self.name}."


def prompt_error(name: str, error: Exception) -> PromptError:
    """The PromptError for any error that was raised while template `name` was read or rendered."""
    if isinstance(error, PromptError):
        return error
    from jinja2 import TemplateNotFound, TemplateSyntaxError

    place = _innermost(error)
    named = (error.name, error.lineno) if isinstance(error, TemplateSyntaxError) else (None, None)
    template = named[0] or (place[0] if place else name)
    line = named[1] or (place[1] if place else None)
    if isinstance(error, TemplateNotFound):
        return MissingTemplateError(str(error.name), place[0] if place else name, place[1] if place else None)
    return PromptError(str(template), line, _why(error))


def _why(error: Exception) -> str:
    from jinja2.exceptions import SecurityError

    if isinstance(error, RecursionError):
        return "a macro or a template calls itself without an end"
    if isinstance(error, MemoryError):
        return f"it takes more than {MEMORY >> 20} MiB of memory"
    if isinstance(error, SecurityError):
        return f"it reaches outside of the sandbox: {error}".rstrip(".")
    said = str(getattr(error, "message", None) or error).rstrip(".")
    return said or type(error).__name__


def _innermost(error: BaseException) -> tuple[str, int] | None:
    """The innermost template and line that was being rendered."""
    trace, found = error.__traceback__, None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.endswith(SUFFIX):
            found = (_template_name(file), trace.tb_lineno)
        trace = trace.tb_next
    return found


def _template_name(file: str) -> str:
    """The name of a template by its file: folder and file."""
    return "/".join(Path(file).parts[-2:])
