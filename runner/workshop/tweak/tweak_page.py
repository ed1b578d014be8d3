"""Tweak page: what is known of a pack that is being edited, on one screen, and the table of its versions at the end."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from games.core import counted
from runner.screen.keys import keys_of
from runner.screen.palette import QUIET, TITLE
from runner.screen.safe_text import clean
from runner.workshop.tweak.tweaking import TweakEvent

_FAULTS, _CHANGES, _LINES = 4, 3, 3
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_VERDICTS = {"better": "bold green", "worse": "bold red"}


class TweakPage:
    """Shows the last event of each kind since the last save."""

    def __init__(self) -> None:
        self._events = dict[str, TweakEvent]()
        self._issues = list[TweakEvent]()

    def take(self, event: TweakEvent) -> None:
        kind = event["event"]
        if kind == "saved":
            self._issues.clear()
            self._events = {"watching": self._events["watching"]}
        if kind in ("fault", "note"):
            self._issues.append(event)
        self._events[kind] = event

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room, width = (options.height or console.height) - 1, options.max_width
        wrap = partial(Text.wrap, console=console, width=width)
        top = [line for text in self._top() for line in [*wrap(text)][:_LINES]]
        lines = [*top, *self._difference(room - len(top), wrap)][:room]
        foot = Text(" · ".join(f"{one.shown} {one.words}" for one in keys_of("tweak")), style=QUIET)
        for line in [*lines, *(Text() for _ in range(room - len(lines))), foot]:
            line.truncate(width, overflow="ellipsis", pad=True)
            yield line

    def _top(self) -> Iterator[Text]:
        events = self._events
        if (begun := events.get("watching")) is None:
            return
        seat = begun["seat"] or "no model is asked: --seat MODEL"
        yield Text(clean(f"{begun['pack']} · {begun['game']} · {seat}"), style=TITLE)
        yield Text(clean(self._saved()))
        for issue in self._issues[:_FAULTS]:
            where = f"{issue['file']}:{issue['line']}" if issue["line"] else issue["file"]
            yield Text(
                clean(f"{issue['event']}: {where}: {issue['why']}", 500), style="red" if issue["event"] == "fault" else QUIET
            )
        if (more := len(self._issues) - _FAULTS) > 0:
            yield Text(f"and {more} more: `tabletop prompts lint` lists them", style=QUIET)
        if (tokens := events.get("tokens")) is not None:
            yield Text(f"{tokens['before']:,} → {tokens['now']:,} tokens a prompt ({tokens['now'] - tokens['before']:+,})")
        if "asking" in events and not {"verdict", "matches", "stopped"} & events.keys():
            wanted = events["asking"]["decisions"]
            what = f"Asking for {counted(wanted, 'decision')}" if wanted else "Playing matches"
            yield Text(" · ".join([f"{what} with the pack at the start and now", *_spent(events["asking"])]), style=QUIET)
        if (verdict := events.get("verdict")) is not None:
            yield Text(verdict_words(verdict), style=_VERDICTS.get(verdict["verdict"], ""))
            yield Text(budget_words(verdict), style=QUIET)
        for one in events.get("changed", {}).get("decisions", [])[:_CHANGES]:
            yield Text(clean(_changed(one), 500))
        if (played := events.get("matches")) is not None:
            yield Text(match_words(played), style=_VERDICTS.get(played["verdict"], ""))
        if "stopped" in events:
            yield Text(clean(events["stopped"]["why"], 1000), style="yellow")

    def _saved(self) -> str:
        saved, restored = self._events.get("saved"), self._events.get("restored")
        if restored is not None:
            return (
                "The pack is as it was at the start."
                if not restored["files"]
                else f"Taken back: {', '.join(restored['files'])}."
            )
        if saved is None:
            return f"Watching. Save a file of the pack. {counted(len(self._events['watching']['files']), 'file')}."
        open_ = "" if "fault" in self._events else ": looking for faults."
        checked = ": no fault." if "sound" in self._events else open_
        return f"Saved: {', '.join(saved['files'])} ({saved['digest']}){checked}"

    def _difference(self, room: int, wrap: Callable[[Text], Iterable[Text]]) -> Iterator[Text]:
        found = self._events.get("difference")
        if found is None or room < 3:
            return
        if not found["lines"]:
            yield Text("No prompt that was looked at differs.", style=QUIET)
            return
        yield Text()
        yield Text(clean(f"{found['decision']}:", 300), style=TITLE)
        for line in found["lines"][2:]:
            text = Text(clean(line, len(line) + 1), style=_COLOURS.get(line[:1], ""))
            yield from wrap(text) if line[:1] in "+-" else [text]


def verdict_words(found: Mapping[str, Any]) -> str:
    """A verdict as a sentence."""
    gained = f"{found['gained']:+.2%} a decision ({found['low']:+.2%} to {found['high']:+.2%})"
    return f"{found['verdict'].capitalize()}: {gained}; {found['differing']} of {found['decisions']} answers differ"


def match_words(found: Mapping[str, Any]) -> str:
    """A verdict of whole matches as a sentence."""
    gained = f"{found['gained']:+.1%} of the win a match ({found['low']:+.1%} to {found['high']:+.1%})"
    return f"{found['verdict'].capitalize()} in matches: {gained}; {counted(found['deals'], 'deal')}"


def budget_words(found: Mapping[str, Any]) -> str:
    """What has been asked and spent, and of how much."""
    before, now = found["cost_a_decision"]
    each = [f"${before:.5f} → ${now:.5f} a decision"] if found["spent_usd"] else []
    return " · ".join([f"{found['decisions']} of {found['of']} decisions", *_spent(found), *each])


def _spent(found: Mapping[str, Any]) -> Iterator[str]:
    of_tokens = f" of {found['budget_tokens']:,}" if found["budget_tokens"] else ""
    yield f"{found['spent_tokens']:,}{of_tokens} tokens"
    if found["spent_usd"] or found["budget_usd"]:
        yield f"${found['spent_usd']:.4f}" + (f" of ${found['budget_usd']:g}" if found["budget_usd"] else "")


def _changed(one: Mapping[str, Any]) -> str:
    words = [", ".join(map(str, (one[side] or {"": "struck out"}).values())) for side in ("before", "now")]
    return f"  {one['gained']:+.1%}  {one['role']}: {words[0]} → {words[1]}"


def summary_table(versions: Sequence[Mapping[str, Any]]) -> Table:
    """The versions that were tried, the one at the start first."""
    table = Table(box=None, pad_edge=False)
    for name in ("version", "changed", "tokens", "decisions", "verdict"):
        table.add_column(name)
    for number, one in enumerate(versions):
        files = "at the start" if not number else ", ".join(one["changed"])
        tokens = f"{one['tokens']:,}" if "tokens" in one else ""
        said = [
            words(found) for words, found in ((verdict_words, one), (match_words, one.get("matches", {}))) if "gained" in found
        ]
        cells = one["digest"], files, tokens, str(one.get("decisions", "")), "; ".join(said)
        table.add_row(*(Text(clean(cell)) for cell in cells))
    return table
