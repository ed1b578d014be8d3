"""Template errors, each with its template and line."""

from pathlib import Path

from games.core import GameFault
from runner.errors import UsageError, is_exhausted

SUFFIX = ".j2"

MEMORY = 256 * 2**20
"""Bytes of memory for rendering the prompts of a pack."""

SECONDS = 2
"""Seconds of processor time for one prompt of a pack."""

TOO_SLOW = f"it takes more than {SECONDS} seconds of processor time"


class PromptError(UsageError):
    """A template cannot be rendered. `template` is its name, `line` counts from 1 (None: unknown), `why` is a clause. `missing`
    is the template that it names and that does not exist; `pack` is the folder of the pack, None for the built-in one."""

    def __init__(self, template: str, line: int | None, why: str, missing: str | None = None, pack: Path | None = None) -> None:
        super().__init__(why)
        self.template, self.line, self.missing, self.pack = template, line, missing, pack

    def __str__(self) -> str:
        with_pack = f" with the pack {self.pack}" if self.pack else ""
        if self.missing is not None:
            return f"There is no prompt template {self.missing}{with_pack}."
        return (
            f"The prompt {self.template}{f', line {self.line}' if self.line else ''} cannot be rendered{with_pack}: {self.why}."
        )


def prompt_error(name: str, error: Exception) -> PromptError:
    """The PromptError for any error that was raised while template `name` was read or rendered. What no template can cause is
    raised again: a fault of a game, and a limit of open files."""
    if isinstance(error, GameFault) or is_exhausted(error):
        raise error
    if isinstance(error, PromptError):
        return error
    from jinja2 import TemplateNotFound, TemplateSyntaxError

    template, line = _innermost(error) or (name, None)
    if isinstance(error, TemplateNotFound):
        return PromptError(template, line, f"there is no prompt template {error.name}", str(error.name))
    if isinstance(error, TemplateSyntaxError):
        template, line = error.name or template, error.lineno or line
    return PromptError(template, line, _why(error))


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
    """The innermost template, by folder and file, and the line of it that was being rendered."""
    trace, found = error.__traceback__, None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.endswith(SUFFIX):
            found = ("/".join(Path(file).parts[-2:]), trace.tb_lineno)
        trace = trace.tb_next
    return found
