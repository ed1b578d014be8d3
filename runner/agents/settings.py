"""Agent settings: how much help a model gets, and how much of its own past it sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from games.core import Choices, Question, Schema, answer_schema
from runner.agents.dependent_fields import with_dependencies
from runner.agents.own_fields import NOTES, REASON, SAY, with_own_fields
from runner.llm.schema_parts import without_values

Help = Literal["legal", "shape", "none"]
Memory = Literal["none", "notes", "full"]
Reason = Literal["auto", "always", "never"]

LONGEST_PERSONA = 2000
LONGEST_ADVICE = 8000
NO_ADVICE = "none"
"""The advice that leaves the pack's out."""


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """The settings of an agent that change its prompts.

    `help`: "legal" lists the legal answers, in words and in the schema's enums; "shape" gives only the fields and their types;
    "none" describes the fields in words and sends no schema. `memory`: "none" is the view alone, "notes" adds private notes
    that the model may rewrite with each answer, "full" its whole conversation, of at most `memory_tokens` (by estimate).
    `reason`: whether the model writes a reason before its answer; "auto" asks models that do not reason by themselves.
    `persona` is a text for the system message; `advice` takes the place of the pack's, NO_ADVICE leaves it out, None keeps it.
    """

    help: Help = "legal"
    memory: Memory = "none"
    memory_tokens: int = 16_000
    reason: Reason = "auto"
    persona: str = ""
    advice: str | None = None

    def question(self, question: Question, asks_reason: bool = False, can_talk: bool = False) -> Question:
        """The question as this agent is asked it, with the fields beside the game's."""
        return self.complete(self.bare(question), asks_reason, can_talk)

    def complete(self, bare: Question, asks_reason: bool, can_talk: bool) -> Question:
        """A question of `bare`, with the fields beside the game's."""
        asked = {REASON: asks_reason, SAY: can_talk, NOTES: self.memory == "notes"}
        shown = with_own_fields(bare.schema["properties"], {name for name, is_asked in asked.items() if is_asked})
        return bare._replace(schema=answer_schema(**shown))

    def bare(self, question: Question) -> Question:
        """The question with as much help as this agent gets, and the fields of the game alone."""
        if self.help != "legal":
            question = question._replace(consequences="", choices=Choices(), schema=without_values(question.schema))
        shown: dict[str, Schema] = question.schema["properties"]
        if self.help == "legal":
            shown = with_dependencies(shown, question.choices)
        return question._replace(schema=answer_schema(**shown))

    def to_json(self) -> dict[str, object]:
        """The settings as a log's header has them; texts only where there are any."""
        found: dict[str, object] = {"help": self.help, "memory": self.memory, "memory_tokens": self.memory_tokens}
        optional = {
            REASON: None if self.reason == "auto" else self.reason,
            "persona": self.persona or None,
            "advice": self.advice,
        }
        return found | {name: value for name, value in optional.items() if value is not None}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AgentSettings:
        """The settings in a seat of a log's header, which has more than these."""
        return cls(**{field.name: data[field.name] for field in fields(cls) if field.name in data})


DEFAULT_SETTINGS = AgentSettings()
