"""Scenes as data for web pages, whose script draws them (`page/scene.js`). Equal values are stored once."""

from collections.abc import Hashable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache

from games.core import scene
from games.core.sentence import YOU, Does, Who
from runner.screen.safe_text import clean

_LONGEST_TEXT = 2000
_UNUSED = {"rank", "use", "column", "width", "least", "latest", "legend", "hand_width", "has_names", "has_votes", "is_right"}
"""Fields that only terminals need."""

Field = str | int | float | tuple[int] | None
"""A text, a number, or in brackets the number of another node."""
Node = tuple[tuple[str, Field], ...]
"""The fields of a value by their names; those of a list have none."""


class Tables:
    """The tables of a page as nodes by number: each different value is stored once, however many positions have it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._numbers: dict[Node, int] = {}
        self._number = lru_cache(maxsize=None, typed=True)(self._stored)
        self._number(names)

    def table(self, of: scene.Scene) -> int:
        """The number of the table of a scene: of the list of its parts."""
        return self._number(tuple(of.shown((scene.PAST, scene.SCREEN))))

    @property
    def data(self) -> list[object]:
        """The nodes as JSON, the first of them the names of the players: an object with the kind of the value (`is`) and those
        of its fields that are not empty, or a list. A page draws them with text nodes alone."""
        return [dict(node) if node and node[0][0] else [field for _, field in node] for node in self._numbers]

    def _stored(self, value: Hashable) -> int:
        return self._numbers.setdefault(tuple(self._fields(value)), len(self._numbers))

    def _fields(self, value: Hashable) -> Iterator[tuple[str, Field]]:
        if type(value) is tuple:
            yield from (("", self._field(one)) for one in value)
            return
        for name, field in [("is", _kind(type(value))), *self._named(value)]:
            if field not in (None, "", ()) and field is not False and name not in _UNUSED:
                yield name, self._field(field)

    def _named(self, value: Hashable) -> Iterator[tuple[str, Hashable]]:
        """The fields of a value, with what a reader is told in place of verbs, and with what a page says."""
        match value:
            case Who(seat, form):
                _, name, rest = value.said(self._names[seat], self._names[seat] == YOU)
                yield from (("seat", seat), ("name", name), ("rest", rest), ("form", form))
            case Does(seat, _, tone):
                yield from (("said", value.said(self._names[seat] == YOU)), ("tone", tone))
            case tuple():
                yield from zip(getattr(value, "_fields", ()), value, strict=True)
            case _ if is_dataclass(value):
                yield from ((field.name, getattr(value, field.name)) for field in fields(value))
            case _:
                raise TypeError(f"A scene has no {type(value).__name__}.")
        if isinstance(value, scene.Quote):
            yield "said", (Who(value.seat), Does(value.seat, "say"))
        elif isinstance(value, scene.Pile):
            yield "size", value.size

    def _field(self, value: Hashable) -> Field:
        if isinstance(value, str):
            return clean(value, _LONGEST_TEXT)
        return value if value is None or isinstance(value, int | float) else (self._number(value),)


@cache
def _kind(own: type) -> str:
    """The name of the class of a scene that a class is, or is made from."""
    return next((one.__name__ for one in own.__mro__ if one.__module__ == scene.__name__), own.__name__)
