"""Columns: how a field of the standings document is shown in a table, or made of sums, declared where the field is."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, NamedTuple, get_args, get_type_hints

DocumentEntry = Mapping[str, Any]
ColumnCell = Callable[[DocumentEntry], str]


class FigureForm(Enum):
    """The text of a figure's value, and of the bounds of its interval, both times a scale."""

    RATING = "{:.0f}", "{:.0f} to {:.0f}", 1
    POINTS = "{:+.0f}", "{:.0f} to {:.0f}", 1
    SCORE = "{:.1f}", "{:.1f} to {:.1f}", 1
    RATIO = "{:.2f}", "{:.2f}-{:.2f}", 1
    SHARE = "{:.0f} %", "{:.0f}-{:.0f}", 100
    GAIN = "{:+.0f} %", "{:.1f} to {:.1f}", 100
    SMALL_SHARE = "{:.1f} %", "{:.1f} to {:.1f}", 100
    SMALL_GAIN = "{:+.1f} %", "{:.1f} to {:.1f}", 100

    def plain(self, figure: DocumentEntry) -> str:
        value, _, scale = self.value
        return value.format(figure["value"] * scale)

    def interval(self, figure: DocumentEntry) -> str:
        (_, bounds, scale), low, high = self.value, figure["low"], figure["high"]
        return "-" if low is None or high is None else bounds.format(low * scale, high * scale)

    def whole(self, figure: DocumentEntry) -> str:
        """The value with its interval, if it has one: `31 % (25-38)`."""
        return self.plain(figure) + (f" ({self.interval(figure)})" if figure["low"] is not None else "")


class Column(NamedTuple):
    """The header of a field's column, and the text of a value; a `FigureForm` has a further column for the interval. With
    `part_of` the field is shown as a part of that one."""

    header: str
    form: Callable[[Any], str] | FigureForm = str
    part_of: str = ""

    def cells(self, name: str) -> Iterator[tuple[str, ColumnCell]]:
        if isinstance(self.form, FigureForm):
            yield self.header, of(name, self.form.plain)
            yield "95 %", of(name, self.form.interval)
        else:
            yield self.header, part(name, self.part_of) if self.part_of else of(name, self.form)


class Mean(NamedTuple):
    """The sum that a field is the mean of, and the number that it is divided by."""

    sum: str
    number: str


def of(name: str, form: Callable[[Any], str] = str) -> ColumnCell:
    return lambda entry: "-" if (value := entry.get(name)) is None else form(value)


def part(name: str, of_all: str) -> ColumnCell:
    return lambda entry: percent(entry[name] / entry[of_all]) if entry.get(of_all) else "-"


def columns_of(kind: type, *names: str) -> Iterator[tuple[str, ColumnCell]]:
    hints = get_type_hints(kind, include_extras=True)
    for name in names or hints:
        for one in get_args(hints[name])[1:]:
            if isinstance(one, Column):
                yield from one.cells(name)


def totals_of(kind: type, sums: Mapping[str, float]) -> dict[str, float | None]:
    """The fields of a kind of entry that are sums themselves, or means of sums; None for a mean over nothing."""
    found = dict[str, float | None]()
    for name, hint in get_type_hints(kind, include_extras=True).items():
        for mean in (one for one in get_args(hint)[1:] if isinstance(one, Mean)):
            found[name] = sums[mean.sum] / sums[mean.number] if sums[mean.number] else None
        if int in (hint, *get_args(hint)[:1]):
            found[name] = sums[name]
    return found


def percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def rate_text(rate: float) -> str:
    return f"{rate * 100:.1f} %" if rate else "-"
