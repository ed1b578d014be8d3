"""Own fields: the fields of a model's answer beside the game's: its reason, its line of table talk, its private notes."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from games.core import Schema, free_text
from runner.agents.talk import LONGEST_LINE

REASON = "reason"
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
