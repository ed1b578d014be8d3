"""What a seat is asked, and the shape of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.core.choice import Answer, Choices

Schema = dict[str, Any]


class Question(NamedTuple):
    """A decision put to a seat: words, the JSON Schema of an answer, and the role whose prompt template asks it.

    `consequences` says in words what each legal answer does, where the game has such a text, and `choices` holds every legal
    answer with its steps: both are only for players who are told what is legal. `passing` is the answer that lets what others
    do stand where it does not concern the seat; None where there is none.
    """

    text: str
    schema: Schema
    role: str
    consequences: str = ""
    choices: Choices = Choices()
    passing: Answer | None = None

    @property
    def whole(self) -> str:
        """The question and its consequences."""
        return f"{self.text} {self.consequences}" if self.consequences else self.text

    @property
    def has_free_text(self) -> bool:
        """Whether a field of the answer takes any text, so that the legal answers cannot be listed."""
        return any(field.get("type") == "string" and "enum" not in field for field in self.schema["properties"].values())


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
