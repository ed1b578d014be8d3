"""Consoles: results on standard output, narration and progress on standard error, both also where they are not Unicode."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import stat
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.local.local_model import ServerPlan

_UNWRAPPED = 10_000
"""Columns where there is no terminal: wider than any table."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise


def results() -> Console:
    """Standard output. In a pipe or a file no line is wrapped: a row of a table is one line."""
    console = _console(stderr=False)
    return console if console.is_terminal else _Unwrapped(width=_UNWRAPPED, highlight=False, markup=False, emoji=False)


class _Unwrapped(Console):
    def print(self, *objects: Any, **options: Any) -> None:
        with self.capture() as captured:
            super().print(*objects, **options)
        self.file.write("".join(f"{line.rstrip(' ')}\n" for line in captured.get().split("\n")[:-1]))


def narration() -> Console:
    """Standard error."""
    return _console(stderr=True)


def print_note(words: str) -> None:
    """Print a note on standard error; on a terminal it is wrapped, but never within a command in backquotes."""
    console = narration()
    console.print(_wrapped(words, console.width) if console.is_terminal else words, soft_wrap=True)


def _wrapped(words: str, width: int) -> str:
    """The words in lines of `width` columns. Text in backquotes is not broken, even if the line gets longer."""
    lines: list[str] = []
    for word in _WORDS.findall(words):
        if lines and cell_len(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


_WORDS = re.compile(r"(?:`[^`]*`|\S)+")


def _console(stderr: bool) -> Console:
    return _Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def discard_output() -> None:
    """Discard all further output to a terminal that is gone."""
    for file in (sys.stdout.fileno(), sys.stderr.fileno()):
        if stat.S_ISCHR(os.fstat(file).st_mode):
            os.dup2(os.open(os.devnull, os.O_WRONLY), file)


def is_animated(console: Console) -> bool:
    """Whether a live table can be drawn: on a real terminal, unless NO_COLOR is set."""
    return console.is_terminal and not console.is_dumb_terminal and "NO_COLOR" not in os.environ


_NAME = "tabletop-ascii"


@cache
def _similar_letters() -> dict[str, str]:
    """One letter of ASCII for each that is drawn with, so that tables stay aligned."""
    found = json.loads(files("runner.screen").joinpath("ascii.json").read_text(encoding="utf-8"))
    return {letter: similar for similar, letters in found.items() for letter in letters}


def use_ascii_fallback(*streams: TextIO) -> None:
    """Make streams that are not Unicode accept any text: a character they lack becomes a similar one, or ?."""
    codecs.register_error(_NAME, _replacement)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and not is_unicode(stream.encoding):
            stream.reconfigure(errors=_NAME)


def is_unicode(encoding: str | None) -> bool:
    """Whether an encoding has every character."""
    return (encoding or "").lower().replace("-", "").replace("_", "").startswith("utf")


def _replacement(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(_similar(letter, error.encoding) for letter in error.object[error.start : error.end]), error.end


def _similar(letter: str, encoding: str) -> str:
    if (similar := _similar_letters().get(letter)) is not None:
        return similar
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    width = cell_len(letter)
    return bare if len(bare) == width else "?" * width


@contextmanager
def live_status(is_quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A function that shows on an animated terminal what is being done while the context lasts; elsewhere it shows nothing."""
    console = narration()
    if is_quiet or not is_animated(console):
        yield lambda what: None
        return
    with console.status("") as status:
        yield lambda what: status.update(Text(clean(what)[: console.width - 4]))


Item = TypeVar("Item")


_LINE_SECONDS = 10.0


class LineClock:
    """Prints a line of progress every ten seconds, however long a part takes; works that share one are not silent together."""

    def __init__(self) -> None:
        self._due = time.monotonic() + _LINE_SECONDS

    @contextmanager
    def telling(self, line: Callable[[], str]) -> Iterator[None]:
        """Print the line whenever it is due."""
        has_ended = threading.Event()
        teller = threading.Thread(target=self._tell, args=(line, has_ended), daemon=True)
        teller.start()
        try:
            yield
        finally:
            has_ended.set()
            teller.join()

    def _tell(self, line: Callable[[], str], has_ended: threading.Event) -> None:
        while not has_ended.wait(max(0.0, self._due - time.monotonic())):
            print_note(line())
            self._due = time.monotonic() + _LINE_SECONDS


def with_progress(
    items: Iterable[Item], total: int, what: str, is_quiet: bool = False, clock: LineClock | None = None
) -> Generator[Item]:
    """The items, while a bar shows how many of `total` have come, or off a terminal a line now and then, unless `is_quiet`."""
    console = narration()
    if is_quiet:
        yield from items
        return
    if not is_animated(console):
        come = 0
        with (clock or LineClock()).telling(lambda: f"{what}: {come} of {total}"):
            for item in items:
                come += 1
                yield item
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(what), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn(compact=True)
    # rich would write on standard error what is printed meanwhile: right only if both are the terminal
    with Progress(*columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty()) as progress:
        yield from progress.track(items, total)


def report_loading(is_moving: bool = True) -> None:
    """Report from now on which model file is loaded. `is_moving`: with a spinner, which no other display may have beside it."""
    import runner.local

    runner.local.show = lambda plan: _loading(plan, is_moving)


@contextmanager
def _loading(plan: ServerPlan, is_moving: bool) -> Iterator[list[str]]:
    from runner.local.local_model import in_bytes

    console, name, began = narration(), clean(plan.file.name), time.monotonic()
    announcement = f"Loading {name} ({in_bytes(plan.file.size)})"
    notes = [] if plan.file.header.has_template else [f"{name} has no chat template, so tabletop's own is used"]
    if not is_animated(console):
        print_note(f"{announcement}.")
    with console.status(announcement) if is_moving and is_animated(console) else nullcontext():
        yield notes
        print_note(f"{name} is loaded after {time.monotonic() - began:.0f} s, for {plan.in_words}.")
        for note in notes:
            print_note(f"Note: {note}.")
