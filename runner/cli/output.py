"""Output of results on standard output, notes on what is left out, and how to continue what was stopped."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from runner.errors import PausedError
from runner.record.log_paths import LOG, place_of
from runner.screen.consoles import print_note, results
from runner.screen.safe_text import clean, json_text

if TYPE_CHECKING:
    from runner.record.log_folder import Unusable

_MOST_NAMED = 50


def say(text: object = "", end: str = "\n") -> None:
    sys.stdout.write(f"{text}{end}")
    sys.stdout.flush()


def say_json(data: object) -> None:
    """Print data as one JSON document, with characters escaped that a terminal would interpret."""
    say(json_text(data, sys.stdout.encoding or "utf-8"))


def say_json_list(items: Iterable[object], name: str, more: Mapping[str, object]) -> None:
    """Print a list as one JSON document, an item at a time; with `more`, an object that has the list by its name too."""
    encoding = sys.stdout.encoding or "utf-8"
    say(f'{{"{name}": [' if more else "[", end="")
    for number, item in enumerate(items):
        say(", " * (number > 0) + json_text(item, encoding), end="")
    say(f"], {json_text(more, encoding)[1:]}" if more else "]")


STDOUT = Path("-")
"""The file that stands for standard output."""


def default_file(logs: Path, name: str) -> Path:
    """Where a document on logs goes if nothing is named: into their folder, or beside their file."""
    return logs / name if logs.is_dir() else place_of(logs).with_suffix(f".{name}")


def write_result(to: Path, content: str | bytes, has_path: bool = True) -> None:
    """Write a document to a file, in place of another one, and print its path with `has_path`; to standard output for `-`."""
    if to == STDOUT:
        data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    from runner.record.writer import write_file

    note_new_folder(to)
    write_file(to, content)
    if has_path:
        say(clean(to, 5000))


def note_new_folder(to: Path) -> None:
    """Say so where a file is going to make the folder that it is in: its path may be mistyped."""
    if not to.parent.is_dir():
        print_note(f"Note: {clean(to.parent, 5000)} is a new folder.")


def note_odd_name(log: Path | None) -> None:
    """Say so where verbs on folders will not find a new log."""
    if log is not None and log.suffix != LOG and (log.is_file() or not log.exists()):
        print_note(f"Note: {clean(log, 5000)} does not end in {LOG}: verbs on folders, such as `standings`, do not find it.")


def is_agreed(question: str) -> bool | None:
    """Whether the user says yes to a question on the terminal; None where nobody can be asked."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    import typer

    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        return False


def print_unusable(found: Sequence[Unusable]) -> None:
    """Name the logs that a verb leaves out, and count them."""
    from games.core import counted

    for one in found[:_MOST_NAMED]:
        print_note(clean(one.sentence, 700))
    if (more := len(found) - _MOST_NAMED) > 0:
        print_note(f"Left out: {counted(more, 'more log')}. `tabletop logs --state damaged` lists those that are damaged.")


def print_diff(lines: list[str]) -> None:
    """Print a diff, in colour on a terminal."""
    console = results()
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in lines:
        console.print(Text(clean(line, len(line) + 1), style=colours.get(line[:1], "")), soft_wrap=True)


@contextmanager
def stoppable(what: str, kept: str = "matches that are reviewed") -> Iterator[None]:
    """End the work at Ctrl-C or `kill` with one sentence. `kept` are the results that the next call finds; empty for none."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        why = f"{what} was stopped before its end."
        again = f"The same command continues; {kept} are kept." if kept else "The same command starts again."
        raise PausedError(why, remedy=again) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def same_command(budget: float | None, tokens: int | None = None) -> str:
    """The sentence that says how to continue. `budget` in USD and `tokens` are the limits that may be spent."""
    from runner.llm.budget import plain_number, raised

    words = ["tabletop", *sys.argv[1:]]
    again = f"The same command resumes it: `{shlex.join(words)}`"
    if budget is None and tokens is None:
        return f"{again}."
    for flag, limit in (("--budget", budget), ("--budget-tokens", tokens)):
        if limit is not None:
            place = next((place for place, word in enumerate(words) if word.partition("=")[0] == flag), len(words))
            rest = words[place + (1 if "=" in "".join(words[place : place + 1]) else 2) :]
            words = [*words[:place], *rest, flag, plain_number(raised(limit))]
    return f"{again}; if the budget is spent, with `{shlex.join(words)}`."
