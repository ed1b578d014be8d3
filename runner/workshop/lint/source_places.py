"""Source places: the template lines from which text of a prompt comes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from runner.prompting.pack import PromptPack
from runner.prompting.template_errors import PromptError

_WORD = re.compile(r"\w+")


class SourcePlace(NamedTuple):
    """A file and a line in it (0: no line)."""

    file: str
    line: int


def place_of(pack: PromptPack, name: str, line: int | None = None) -> SourcePlace:
    """A line of a template."""
    return SourcePlace(str(pack.path(name)), line or 0)


def origin(pack: PromptPack, names: Iterable[str], text: str) -> SourcePlace:
    """The line of these templates with the most words in common with a line of a prompt."""
    wanted = set(_WORD.findall(text))
    names = list(names)
    best, place = 0.0, place_of(pack, names[0]) if names else SourcePlace("", 0)
    for name in names:
        for number, line in enumerate(_lines(pack, name), 1):
            words = set(_WORD.findall(line))
            shared = len(words & wanted)
            score = shared - 0.01 * len(words)
            if shared and score > best:
                best, place = score, place_of(pack, name, number)
    return place


def line_with(pack: PromptPack, names: Iterable[str], pattern: str) -> SourcePlace | None:
    """The first line of these templates that matches a pattern."""
    for name in names:
        for number, line in enumerate(_lines(pack, name), 1):
            if re.search(pattern, line, re.IGNORECASE):
                return place_of(pack, name, number)
    return None


def _lines(pack: PromptPack, name: str) -> list[str]:
    try:
        return pack.source(name).splitlines()
    except PromptError:
        return []
