"""Agent settings: how much help a model gets, and how much of its own past it sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from games.core import Choices, Question, Schema, answer_schema, free_text
from runner.agents.dependent_fields import with_dependencies
from runner.llm.schema_parts import without_values

Help = Literal["legal", "shape", "none"]
Memory = Literal["none", "notes", "full"]

NOTES = "notes"
LONGEST_NOTES = 1000
"""Characters of private notes that are kept."""
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
    `persona` is a text for the system message; `advice` takes the place of the pack's, NO_ADVICE leaves it out, None keeps it.
    """

    help: Help = "legal"
    memory: Memory = "none"
    memory_tokens: int = 16_000
    persona: str = ""
    advice: str | None = None

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> AgentSettings:
        """The settings in the record of a seat in a log."""
        return cls(**{one.name: record[one.name] for one in fields(cls) if one.name in record})

    def question(self, question: Question) -> Question:
        """The question as this agent is asked it."""
        if self.help != "legal":
            question = question._replace(consequences="", choices=Choices(), schema=without_values(question.schema))
        fields: dict[str, Schema] = question.schema["properties"]
        if self.help == "legal":
            fields = with_dependencies(fields, question.choices)
        if self.memory == "notes":
            told = f"your private notes for your later decisions, at most {LONGEST_NOTES} characters; nobody else sees them"
            fields = {**fields, NOTES: free_text(told)}
        return question._replace(schema=answer_schema(**fields))

    def to_json(self) -> dict[str, object]:
        """The settings as a log's header has them; texts only where there are any."""
        texts = {} if not self.persona else {"persona": self.persona}
        texts |= {} if self.advice is None else {"advice": self.advice}
        return {"help": self.help, "memory": self.memory, "memory_tokens": self.memory_tokens, **texts}


DEFAULT_SETTINGS = AgentSettings()
