"""Function reply: what a Python function returns, read strictly as the answer to one question."""

from __future__ import annotations

import json
from typing import NamedTuple

from games.core import Action
from runner.agents.program_reply import check_depth
from runner.agents.protocol import Given, Mistake
from runner.llm.strict_json import Unreadable, strict_value

LONGEST = 2**20
"""Characters of an answer as JSON."""


class Reply(NamedTuple):
    """An answer with a line of table talk, heard if the match has talk, and a private reason, which only the log has."""

    answer: object
    say: str = ""
    reason: str = ""


def given_of(found: object) -> Given:
    """The answer or the mistake in what a function returned. Data that JSON cannot express are a mistake."""
    answer, say, reason = found if isinstance(found, Reply) else Reply(found)
    data = answer.to_json() if isinstance(answer, Action) else answer
    try:
        return Given(_as_json(data), say=say if isinstance(say, str) else "", reason=reason if isinstance(reason, str) else "")
    except Unreadable as error:
        shown = f"a value of the type {type(data).__name__}"
        return Given(mistake=Mistake(error.kind, shown, error.why), text=shown, facts={"reply": {"text": shown}})


def _as_json(data: object) -> object:
    """Answer data as it is in a log. Unreadable for what JSON cannot express."""
    try:
        text = json.dumps(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise Unreadable("unreadable", f"the function returned what JSON cannot express: {error}") from None
    if len(text) > LONGEST:
        raise Unreadable("unreadable", f"the answer has {len(text):,} characters as JSON, more than {LONGEST:,}")
    value = strict_value(text)
    check_depth(value)
    return value
