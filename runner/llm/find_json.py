"""Scanner for the JSON objects in a model's text, without those in its reasoning."""

from __future__ import annotations

import re
from typing import NamedTuple

from runner.llm.json_repair import repaired_object
from runner.llm.strict_json import Unreadable, strict_object
from runner.llm.strip_wrappers import THOUGHT_BEGINS, THOUGHT_ENDS

_MOST_OBJECTS = 32
_OBJECT_BEGINS = r"\{\s*(?:[\"'“”‘’][^\n]{0,200}?[\"'“”‘’]\s*:|[A-Za-z_]\w*\s*:|//|/\*|#|\})"
_MARK = re.compile(
    rf"(?P<thought>{THOUGHT_BEGINS})|(?P<end>{THOUGHT_ENDS})|(?P<object>{_OBJECT_BEGINS})",
    re.IGNORECASE,
)
_THOUGHT_ENDS = re.compile(THOUGHT_ENDS, re.IGNORECASE)
_STRING_OR_BRACE = re.compile(r'\\.|["{}]', re.DOTALL)


class ParsedAnswer(NamedTuple):
    """The data of an answer. `is_repaired`: its text was not quite JSON."""

    data: dict[str, object]
    is_repaired: bool = False


class Scan:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._rest: list[str] = []
        self.has_thoughts = False

    @property
    def rest(self) -> str:
        """The text outside of objects and reasoning."""
        return "".join(self._rest)

    def objects(self) -> list[ParsedAnswer]:
        """The objects in their order. Raises Unreadable for one that is not closed or cannot be repaired, and for too many."""
        found: list[ParsedAnswer] = []
        while (mark := _MARK.search(self._text, self._position)) is not None:
            self._pass_to(mark.start())
            if mark["thought"]:
                self._skip_thought(mark.end())
            elif mark["end"]:
                self._drop_thought(mark.end(), found)
            else:
                self._take_object(found)
        self._pass_to(len(self._text))
        return found

    def _pass_to(self, position: int) -> None:
        self._rest.append(self._text[self._position : position])
        self._position = position

    def _skip_thought(self, position: int) -> None:
        """Continue after the end of the reasoning, or at the end of the text if it has none."""
        end = _THOUGHT_ENDS.search(self._text, position)
        self._position = len(self._text) if end is None else end.end()
        self.has_thoughts = True

    def _drop_thought(self, position: int, found: list[ParsedAnswer]) -> None:
        """Drop all text so far: reasoning whose opening tag was in the prompt's template."""
        self._position = position
        self.has_thoughts = True
        found.clear()
        self._rest.clear()

    def _take_object(self, found: list[ParsedAnswer]) -> None:
        try:
            answer, end = _object_at(self._text, self._position)
        except Unreadable:
            thought_end = _THOUGHT_ENDS.search(self._text, self._position)
            if thought_end is None:
                raise
            self._drop_thought(thought_end.end(), found)
            return
        self._position = end
        found.append(answer)
        if len(found) > _MOST_OBJECTS:
            raise Unreadable("ambiguous", f"the answer holds more than {_MOST_OBJECTS} JSON objects")


def _object_at(text: str, start: int) -> tuple[ParsedAnswer, int]:
    """The object that begins here, repaired if need be, and its end."""
    strict = strict_object(text, start)
    if strict is not None:
        return ParsedAnswer(strict[0]), strict[1]
    end = _balanced_end(text, start)
    if end is None:
        raise Unreadable("unfinished", "the answer's JSON object is not closed")
    return ParsedAnswer(repaired_object(text[start:end]), is_repaired=True), end


def _balanced_end(text: str, start: int) -> int | None:
    """Where the braces opened here are closed, None if they are not.

    An odd number of quotes hides the end; then only the end of the whole text counts.
    """
    end = _closing(text, start, heeds_strings=True)
    if end is not None:
        return end
    end = _closing(text, start, heeds_strings=False)
    return end if end is not None and not text[end:].strip("` \n\r\t") else None


def _closing(text: str, start: int, heeds_strings: bool) -> int | None:
    depth, in_string = 0, False
    for token in _STRING_OR_BRACE.finditer(text, start):
        mark = token[0]
        if mark == '"':
            in_string = heeds_strings and not in_string
        elif mark in "{}" and not in_string:
            depth += 1 if mark == "{" else -1
            if depth == 0:
                return token.end()
    return None
