"""Skin: a game in other words. One bijection of words translates what a model reads and what it writes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from runner.llm.strict_json import each_text

if TYPE_CHECKING:
    from runner.llm.outcome import Outcome

SKIN_HEADER = "x-tabletop-skin"
"""The header that tells the offline model the words of a skin, so that it answers as it would without one."""

WORD = re.compile(r"\\u[0-9A-Za-z]{0,4}|\\.|[^\W\d_]+", re.DOTALL)
r"""A word, or an escape of JSON, which is none: `\nDuke` is a line break and a word."""


@dataclass(frozen=True)
class Skin:
    """A skin and its words: the game's word and the one that takes its place, in lower case unless they are written in another
    way that both share. They are exchanged, so that the same translation leads there and back, whatever the text: a model that
    writes the game's own word says something else."""

    name: str = ""
    words: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.words)

    @cached_property
    def _exchanged(self) -> dict[str, str]:
        forms = (str.lower, str.capitalize, str.upper, str)
        pairs = [(form(one), form(other)) for one, other in self.words.items() for form in forms]
        return {**dict(pairs), **{other: one for one, other in pairs}}

    def text(self, text: str) -> str:
        known = self._exchanged
        return WORD.sub(lambda word: known.get(word[0], word[0]), text) if known else text

    def data(self, value: Any) -> Any:
        """JSON data with every text and every name of a field in the other words."""
        return each_text(value, self.text)

    def body(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body of a request, with messages and schema in the other words."""
        return {name: self.data(value) if name in _WORDED else value for name, value in body.items()} if self else dict(body)

    def outcome(self, outcome: Outcome) -> Outcome:
        """An outcome with the reply's text and reasoning in the other words; what was received (`raw`) stays as it was."""
        if not self or outcome.reply is None:
            return outcome
        reply, reasoning = outcome.reply, outcome.reply.reasoning
        found = replace(reply, text=self.text(reply.text), reasoning=None if reasoning is None else self.text(reasoning))
        return replace(outcome, reply=found)

    @property
    def header(self) -> dict[str, str]:
        """The header for the offline model; none without words."""
        return {SKIN_HEADER: json.dumps(self.words)} if self else {}

    @classmethod
    def of_header(cls, headers: Mapping[str, str]) -> Skin:
        """The skin that a request to the offline model names; none for anything but words."""
        try:
            words = json.loads(headers.get(SKIN_HEADER, "{}"))
            return cls("", {str(one): str(other) for one, other in words.items()})
        except (ValueError, AttributeError, RecursionError):
            return PLAIN


PLAIN: Final = Skin()
"""The game's own words."""

_WORDED = ("messages", "response_format", "tools")
"""Fields of a request's body that hold what a model reads."""

RESERVED = frozenset(
    {
        *("type", "object", "string", "integer", "number", "boolean", "array", "null", "properties", "required", "enum"),
        *("description", "additional", "additionalproperties", "items", "minimum", "maximum", "min", "max", "length"),
        *("role", "content", "system", "user", "assistant", "name", "strict", "schema", "json", "function", "parameters"),
        *("answer", "reason", "belief", "say", "notes", "text", "cache", "control", "ephemeral", "true", "false", "pattern"),
    }
)
"""Words that mean something to endpoints and to tabletop: no skin exchanges them."""
