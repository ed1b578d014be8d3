"""Own fields: what a model is asked beside the fields of the game: a reason, beliefs, a line of talk, private notes."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from games.core import Choices, Question, Schema, Setup, answer_schema, free_text
from runner.agents.protocol import LONGEST_LINE
from runner.agents.settings import Help, SeatSettings
from runner.llm.request import without_values


def with_dependencies(fields: Mapping[str, Schema], choices: Choices) -> dict[str, Schema]:
    """The fields; the description of each that depends on the first one says which values go with which."""
    closed = [name for name, field in fields.items() if "enum" in field]
    if len(closed) < 2:
        return dict(fields)
    first, *others = closed
    found = dict(fields)
    for name in others:
        if said := _dependency(first, name, [choice.answer for choice in choices]):
            found[name] = {**fields[name], "description": f"{fields[name]['description']}; {said}"}
    return found


def _dependency(first: str, name: str, answers: Sequence[Mapping[str, Any]]) -> str:
    """The values of a field with each value of the first one; "" if they are always the same."""
    fitting: dict[Any, dict[Any, None]] = {}
    for answer in answers:
        fitting.setdefault(answer[first], {})[answer[name]] = None
    alike: dict[tuple[Any, ...], list[Any]] = {}
    for value, values in fitting.items():
        alike.setdefault(tuple(values), []).append(value)
    if len(alike) < 2:
        return ""
    return "; ".join(f"with {first} {_listed(heads)}: {_listed(values)}" for values, heads in alike.items())


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)


REASON = "reason"
BELIEF = "belief"
SAY = "say"
NOTES = "notes"

LONGEST_NOTES = 1000
"""Characters of private notes that are kept."""

_BEFORE = {REASON: "think here first: why you decide as you do, in about 60 words; no other player sees it"}
_AFTER = {
    SAY: f"what you say aloud to the whole table, at most {LONGEST_LINE} characters; an empty string to stay silent",
    NOTES: f"your private notes for your later decisions, at most {LONGEST_NOTES} characters; nobody else sees them",
}


def with_own_fields(fields: Mapping[str, Schema], names: Collection[str]) -> dict[str, Schema]:
    """The game's fields with these own ones: a reason before them, talk and notes after them. The game's own names win."""
    wanted = set(names) - fields.keys()
    first, last = ({name: free_text(told[name]) for name in told if name in wanted} for told in (_BEFORE, _AFTER))
    return {**first, **fields, **last}


def belief_field(propositions: Sequence[str]) -> Schema:
    """The field in which a model states how likely it finds each proposition. Percentages in a plain array, because every
    endpoint takes that in a strict schema."""
    listed = "; ".join(f"({number}) {text}" for number, text in enumerate(propositions, 1))
    told = (
        "before you decide, how likely you find each of these statements, as whole percentages from 0 to 100 in this order;"
        f" no other player sees it: {listed}"
    )
    return {"type": "array", "items": {"type": "integer"}, "description": told}


def taken_off(data: Mapping[str, object], names: Collection[str]) -> tuple[dict[str, object], dict[str, object]]:
    """The answer without own fields, also those inside one wrapping object, and those fields."""
    taken = {name: value for name, value in data.items() if name in names}
    rest = {name: value for name, value in data.items() if name not in names}
    if len(rest) == 1 and isinstance(inner := next(iter(rest.values())), dict):
        bare, wrapped = taken_off(inner, names)
        return dict.fromkeys(rest, bare), {**wrapped, **taken}
    return rest, taken


def in_words(reason: object) -> str:
    """A reason as text; another value as JSON, nothing for none."""
    if isinstance(reason, str):
        return reason
    return "" if reason is None else json.dumps(reason, ensure_ascii=False)


def asked_question(
    question: Question,
    settings: SeatSettings,
    asks_reason: bool = False,
    can_talk: bool = False,
    propositions: Sequence[str] = (),
) -> Question:
    """A question as a model with these settings is asked it, with the fields beside the game's."""
    return complete(bare_question(question, settings.help), settings, asks_reason, can_talk, propositions)


def complete(
    bare: Question, settings: SeatSettings, asks_reason: bool, can_talk: bool, propositions: Sequence[str] = ()
) -> Question:
    """A bare question with the fields beside the game's: a belief, if there are propositions to believe."""
    asked = {REASON: asks_reason, SAY: can_talk, NOTES: settings.memory == "notes"}
    own = {BELIEF: belief_field(propositions)} if propositions and BELIEF not in bare.schema["properties"] else {}
    names = {name for name, is_asked in asked.items() if is_asked}
    shown = with_own_fields({**own, **bare.schema["properties"]}, names)
    return bare._replace(schema=answer_schema(**shown))


def bare_question(question: Question, help: Help) -> Question:
    """The question with the fields of the game alone. `help`: "legal" lists the legal answers, in words and in the schema's
    enums; "shape" and "kaggle" give only the fields and their types, "none" too, for a prompt that describes them in words."""
    if help == "legal":
        shown = with_dependencies(question.schema["properties"], question.choices)
        return question._replace(schema=answer_schema(**shown))
    shown = without_values(question.schema)["properties"]
    return question._replace(consequences="", choices=Choices(), schema=answer_schema(**shown))


def prompt_options(setup: Setup) -> dict[str, object]:
    """The options a prompt may state: all that are plain numbers and text."""
    return {name: value for name, value in setup.options.to_json().items() if not isinstance(value, (list, dict))}
