"""A stand-in for the offline model: a seat whose play hangs on a word of its prompt, and a coach that proposes given texts."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from runner.llm.offline import OfflineModel

WORD = "patience"
PATIENT, RASH = "pass", "challenge"
"""What a player answers who is told to be patient, and one who is not."""


@dataclass
class Obedient:
    """Answers a coach's question by the next of `texts`, and a decision as one who is told to be patient, or not; whatever else
    its prompt says, it answers the same."""

    texts: Sequence[str]
    obeys: bool = True
    asked: list[str] = field(default_factory=list)
    """What the coach has read."""

    decisions: int = 0

    def answer(
        self, model: OfflineModel, asked: dict[str, Any], texts: list[object], behaviour: str, chance: random.Random
    ) -> tuple[str, str]:
        schema = asked["response_format"]["json_schema"]["schema"]["properties"]
        whole = "\n".join(map(str, texts))
        if {*schema} == {"why", "text"}:
            self.asked.append(whole)
            return json.dumps({"why": "it is said", "text": self.texts[(len(self.asked) - 1) % len(self.texts)]}), ""
        self.decisions += 1
        return json.dumps({name: self._value(fact, WORD in whole) for name, fact in schema.items()}), ""

    def _value(self, fact: dict[str, Any], has_word: bool) -> object:
        values = fact.get("enum") or (["x"] if fact["type"] == "string" else [1])
        liked = PATIENT if has_word or not self.obeys else RASH
        return liked if liked in values else random.Random(str(values)).choice(values)

    def sit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Take the place of the offline model."""
        monkeypatch.setattr(OfflineModel, "_answered", lambda *given: self.answer(*given))
