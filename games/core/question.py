"""What a seat is asked, and the shape of an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, overload

from games.core.errors import IllegalAction
from games.core.sentence import listed, quoted

Answer = dict[str, Any]
"""Answer data: field name to value, as a seat gives it."""


class Step(NamedTuple):
    """One step of a choice: `what` is chosen (`card`), its `name`, its `effect` in plain words, and the elements of the table
    that it is `on` (`games.core.element`)."""

    what: str
    name: str
    effect: str = ""
    on: tuple[str, ...] = ()


Steps = tuple[Step, ...]


class Choice(NamedTuple):
    """A legal answer, and the same step by step."""

    answer: Answer
    steps: Steps


class Choices(Sequence[Choice]):
    """The legal choices of a question, worked out when first looked at; they compare by value."""

    def __init__(self, list_choices: Callable[[], Sequence[Choice]] = tuple) -> None:
        self._list_choices = list_choices

    @cached_property
    def _choices(self) -> tuple[Choice, ...]:
        return tuple(self._list_choices())

    def __len__(self) -> int:
        return len(self._choices)

    def __iter__(self) -> Iterator[Choice]:
        return iter(self._choices)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Choice, ...]: ...
    def __getitem__(self, index: int | slice) -> Choice | tuple[Choice, ...]:
        return self._choices[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._choices == tuple(other)

    def __hash__(self) -> int:
        return hash(len(self._choices))

    def __repr__(self) -> str:
        return repr(self._choices)


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


def fields(data: object, *names: str) -> list[Any]:
    """The values of exactly these fields of an answer, in this order. IllegalAction when it is no such object."""
    wanted = f"an object with the field{'s' if len(names) > 1 else ''} {listed(names, 'and')}"
    if not isinstance(data, dict):
        raise IllegalAction(f"The answer has to be {wanted}, not {quoted(data)}.")
    for name in names:
        if name not in data:
            raise IllegalAction(f'The field "{name}" is missing: the answer has to be {wanted}.')
    if unknown := sorted(str(name) for name in data if name not in names):
        raise IllegalAction(f"The field {quoted(unknown[0])} is not known: the answer has to be {wanted}.")
    return [data[name] for name in names]


def chosen(field: str, value: object, allowed: Sequence[Any], otherwise: str = "") -> Any:
    """The value, when it is one of those allowed; `otherwise` says why it may not be, where the game knows better."""
    for candidate in allowed:
        if type(candidate) is type(value) and candidate == value:
            return candidate
    said = f'"{field}" cannot be {quoted(value)}{": " + otherwise if otherwise else ""}.'
    raise IllegalAction(said, f"It has to be {listed(allowed)}.")
