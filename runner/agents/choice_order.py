"""Choice order: the legal answers of a question in an order drawn from the seed, so that no answer gains by its place."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.core import Choices, answer_schema
from runner.agents.protocol import DecisionRequest
from runner.agents.settings import SeatSettings

_LINE = re.compile(r'^- "([^"\n]*)"[^\n]*(?:\n  [^\n]*)*', re.MULTILINE)
"""A value of a field with what it does, in the text of consequences, and the lines below that belong to it."""


def shuffled(ask: DecisionRequest) -> DecisionRequest:
    """The request with the values of each closed field, the choices and the lines about them in a drawn order. It is the same
    when the question is asked again."""
    rng, question = replace(ask, mistakes=()).rng("choices"), ask.question
    drawn = {
        name: {**field, "enum": list(rng.shuffled(field["enum"]))} if "enum" in field else field
        for name, field in question.schema["properties"].items()
    }
    order = order_of(drawn)

    def places(answer: Mapping[str, Any]) -> list[int]:
        return [values.index(answer[name]) if answer.get(name) in values else 0 for name, values in order.items()]

    choices = tuple(sorted(question.choices, key=lambda choice: places(choice.answer))) if order else question.choices
    told = _in_order(question.consequences, [str(value) for values in order.values() for value in values])
    whole = question._replace(schema=answer_schema(**drawn), choices=Choices(lambda: tuple(choices)), consequences=told)
    return replace(ask, question=whole)


def ordered(ask: DecisionRequest, settings: SeatSettings) -> DecisionRequest:
    """The request with its choices in the order that a model with these settings is shown."""
    return shuffled(ask) if settings.choices == "shuffled" else ask


def order_of(fields: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The values of each closed field with several, in the order in which they are shown."""
    return {name: list(field["enum"]) for name, field in fields.items() if len(field.get("enum", ())) > 1}


def _in_order(text: str, values: Sequence[str]) -> str:
    """A text whose lines about values are in the order of these; other lines keep their places."""
    lines = [line for line in _LINE.finditer(text) if line[1] in values]
    ordered = iter(sorted(lines, key=lambda line: values.index(line[1])))
    ends = [0, *(line.end() for line in lines)]
    parts = [text[end : line.start()] + next(ordered)[0] for end, line in zip(ends, lines, strict=False)]
    return "".join(parts) + text[ends[-1] :]
