"""Thinking checks: a prompt that asks a model to think in the text of its answer, where the answer is JSON alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runner.prompting.loader import built_in_path
from runner.prompting.pack import PromptPack
from runner.workshop.lint.issues import NOTE, Issue
from runner.workshop.lint.source_places import place_of

_THOUGHTS = r"(?:reasoning|reasons|thinking|thoughts?|thought process|chain of thought|analysis)"
_ASKING = re.compile(
    rf"step[- ]by[- ]step|chain[- ]of[- ]thought|(?:think|reason)(?:ing)? (?:aloud|out loud)"
    rf"|(?:think|reason|explain|analy[sz]e)\b[^.]*\bbefore\b"
    rf"|(?:explain|show|describe|write|state|give|share)\b[^.]*\b(?:your|all|each) {_THOUGHTS}\b|explain why",
    re.IGNORECASE,
)
_REFUSING = re.compile(r"\b(?:no|not|never|without)\b|n't\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?:])\s+")


def check_thinking(pack: PromptPack, name: str) -> Iterator[Issue]:
    """The lines of a template of the pack that ask for thinking, and that the built-in one does not have."""
    built_in = PromptPack().source(name).splitlines() if built_in_path(name).is_file() else []
    for number, line in enumerate(pack.source(name).splitlines(), 1):
        if line not in built_in and any(map(_asks, _SENTENCE.split(line))):
            sentence = (
                "it asks for thinking in the text of the answer, which is JSON alone; reason = true in agents.toml"
                " (--reason always) adds a field for it."
            )
            yield Issue(*place_of(pack, name, number), "thinking", sentence, NOTE)


def _asks(sentence: str) -> bool:
    return bool(_ASKING.search(sentence)) and not _REFUSING.search(sentence)
