"""What a seat is asked, and the shape of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

Schema = dict[str, Any]


class Question(NamedTuple):
    """A decision put to a seat: words, the JSON Schema of an answer, and the role whose prompt template asks it.

    `choices` is what each legal answer would do, in words, where the game says so: for those alone who are told what is legal.
    """

    text: str
    schema: Schema
    role: str
    choices: str = ""

    @property
    def whole(self) -> str:
        """What is asked and what can be chosen."""
        return f"{self.text} {self.choices}" if self.choices else self.text


def one_of(values: Sequence[Any], description: str) -> Schema:
    """A field that takes one of the values, which are all strings or all integers."""
    kind = "integer" if values and isinstance(values[0], int) else "string"
    return {"type": kind, "enum": list(values), "description": description}


def free_text(description: str) -> Schema:
    """A field that takes any text; what the game asks of it beyond that is checked when the answer is read."""
    return {"type": "string", "description": description}


def answer_schema(**fields: Schema) -> Schema:
    """A flat object with these fields, all required and no others: what strict structured output accepts."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
