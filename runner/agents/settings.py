"""Agent settings: how much help a model gets, and how much of its past it sees."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from games.core import Choices, Question, Schema, Setup, answer_schema, free_text
from runner.agents.choice_order import CHOICES, Order, shuffled
from runner.agents.policy import POLICY, PolicyUse
from runner.agents.protocol import LONGEST_LINE, DecisionRequest
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


Help = Literal["legal", "shape", "kaggle", "none"]
Memory = Literal["none", "notes", "summary", "full"]
Reason = Literal["auto", "always", "never"]

LONGEST_PERSONA = 2000
LONGEST_ADVICE = 8000
NO_ADVICE = "none"
"""The advice that leaves the pack's out."""


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """The settings of an agent that change its prompts.

    `help`: "legal" lists the legal answers, in words and in the schema's enums; "shape" gives only the fields and their types,
    "kaggle" too, with high reasoning effort; "none" describes the fields in words and sends no schema. `memory`: "none" is the
    view alone, "notes" adds private notes that the model may rewrite with each answer, "summary" tells the past by the game's
    recap, "full" has the whole conversation, of at most `memory_tokens` (by estimate).
    `reason`: whether the model writes a reason before its answer; "auto" asks models that do not reason by themselves.
    `belief`: before its answer the model states how likely it finds what it cannot know, in the propositions of the game.
    `choices`: "shuffled" shows the legal answers of each question in a drawn order. `policy`: the model is asked for the
    probabilities of the legal answers; with "play" its answer is drawn from them.
    `persona` is a text for the system message; `advice` takes the place of the pack's, NO_ADVICE leaves it out, None keeps it.
    """

    help: Help = "legal"
    memory: Memory = "none"
    memory_tokens: int = 16_000
    reason: Reason = "auto"
    persona: str = ""
    advice: str | None = None
    belief: bool = False
    choices: Order = "listed"
    policy: PolicyUse = False

    def ordered(self, ask: DecisionRequest) -> DecisionRequest:
        """A request with its choices in the order that this agent is shown."""
        return shuffled(ask) if self.choices == "shuffled" else ask

    def question(
        self, question: Question, asks_reason: bool = False, can_talk: bool = False, propositions: Sequence[str] = ()
    ) -> Question:
        """The question as this agent is asked it, with the fields beside the game's."""
        return self.complete(self.bare(question), asks_reason, can_talk, propositions)

    def complete(self, bare: Question, asks_reason: bool, can_talk: bool, propositions: Sequence[str] = ()) -> Question:
        """A question of `bare`, with the fields beside the game's: a belief, if there are propositions to believe."""
        asked = {REASON: asks_reason, SAY: can_talk, NOTES: self.memory == "notes"}
        own = {BELIEF: belief_field(propositions)} if propositions and BELIEF not in bare.schema["properties"] else {}
        names = {name for name, is_asked in asked.items() if is_asked}
        shown = with_own_fields({**own, **bare.schema["properties"]}, names)
        return bare._replace(schema=answer_schema(**shown))

    def bare(self, question: Question) -> Question:
        """The question with as much help as this agent gets, and the fields of the game alone."""
        if self.help == "legal":
            shown = with_dependencies(question.schema["properties"], question.choices)
            return question._replace(schema=answer_schema(**shown))
        shown = without_values(question.schema)["properties"]
        return question._replace(consequences="", choices=Choices(), schema=answer_schema(**shown))

    def to_json(self) -> dict[str, object]:
        """The settings as a log's header has them; texts only where there are any."""
        usual = {"reason": "auto", "persona": "", "advice": None, "belief": False, CHOICES: "listed", POLICY: False}
        return {name: value for name, value in asdict(self).items() if name not in usual or value != usual[name]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AgentSettings:
        """The settings in a seat of a log's header, which has more than these."""
        return cls(**{field.name: data[field.name] for field in fields(cls) if field.name in data})


DEFAULT_SETTINGS = AgentSettings()


def prompt_options(setup: Setup) -> dict[str, object]:
    """The options a prompt may state: all that are plain numbers and text."""
    return {name: value for name, value in setup.options.to_json().items() if not isinstance(value, (list, dict))}
