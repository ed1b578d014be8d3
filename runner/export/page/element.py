"""Element: a piece of a web page as a value, such as the table of a game. A page draws it with text nodes alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import ParamSpec, cast

from runner.screen.safe_text import clean

_TAGS = {
    *("b", "caption", "dd", "div", "dl", "dt", "figcaption", "figure", "h3", "h4", "i", "li", "ol", "p", "q", "section"),
    *("small", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
_ATTRIBUTES = re.compile(r"aria-[a-z]+|role|tabindex|title|scope|colspan|rowspan|--[a-z]+")
_LONGEST_TEXT = 2000
_MOST_PARTS, _MOST_ELEMENTS = 4096, 16384
_NOT_A_WORD = re.compile("[^a-z0-9]+")


class Element:
    """A tag with classes (`li.card.duke`), attributes, and children: elements and texts. `el` makes it; it never changes.

    Elements are equal only if they are the same one, so that a comparison does not look at their children.
    """

    __slots__ = ("attributes", "children", "spec")

    def __init__(self, spec: str, attributes: tuple[tuple[str, object], ...], children: tuple[Element | str, ...]) -> None:
        self.spec, self.attributes, self.children = spec, attributes, children


Arguments = ParamSpec("Arguments")
Child = Element | str | None


def drawn_once(draw: Callable[Arguments, Element]) -> Callable[Arguments, Element]:
    """A function that draws a part from hashable arguments, and draws each part once for all positions and views."""
    return cast("Callable[Arguments, Element]", lru_cache(_MOST_PARTS)(draw))


def el(spec: str, *children: Child, **attributes: object) -> Element:
    """An element. Children that are None are left out. `aria_label` sets `aria-label`; `css_n` sets the CSS property `--n`.
    The same arguments mostly give the same element. ValueError for a tag or an attribute that a table may not have."""
    return _element(spec, *children, **attributes)


@lru_cache(_MOST_ELEMENTS, typed=True)
def _element(spec: str, *children: Child, **attributes: object) -> Element:
    kept = tuple([child for child in children if child is not None])
    return Element(_checked(spec), tuple([(_name(name), value) for name, value in attributes.items()]), kept)


@cache
def _checked(spec: str) -> str:
    if (tag := spec.partition(".")[0]) not in _TAGS:
        raise ValueError(f"a table cannot have the tag {tag!r}")
    return spec


@cache
def _name(word: str) -> str:
    name = f"--{word[4:]}" if word.startswith("css_") else word.replace("_", "-")
    if not _ATTRIBUTES.fullmatch(name):
        raise ValueError(f"a table cannot have the attribute {name!r}")
    return name


def css_name(words: str) -> str:
    """Words as the name of a class: `royal-decree` for Royal Decree."""
    return _NOT_A_WORD.sub("-", words.lower()).strip("-")


class ElementStore:
    """Elements by number. Each different one is stored once, however many positions have it."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, tuple[tuple[str, object], ...], tuple[int | str, ...]], int] = {}
        self._known: dict[Element, int] = {}

    def number(self, element: Element) -> int:
        """The number of an element."""
        known = self._known.get(element)
        if known is None:
            known = self._known[element] = self._new_number(element)
        return known

    def _new_number(self, element: Element) -> int:
        parts = tuple([child if isinstance(child, str) else self.number(child) for child in element.children])
        return self._numbers.setdefault((element.spec, element.attributes, parts), len(self._numbers))

    @property
    def data(self) -> list[list[object]]:
        """The elements as JSON: the tag with its classes, the attributes if there are any, and the children: a number for an
        element, a text for a text."""
        return [_data(*key) for key in self._numbers]


def _data(spec: str, attributes: tuple[tuple[str, object], ...], parts: tuple[int | str, ...]) -> list[object]:
    facts = {name: clean(value, _LONGEST_TEXT) if isinstance(value, str) else value for name, value in attributes}
    children = [part if isinstance(part, int) else clean(part, _LONGEST_TEXT) for part in parts]
    return [spec, *([facts] if facts else []), *children]
