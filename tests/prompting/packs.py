"""Packs made for tests, with one thing wrong in a template."""

from __future__ import annotations

from pathlib import Path

from runner.prompting.pack import PromptPack

VOTER = "dixiquote/voter.j2"
MARK = "## Round {{ view.round }} of at most {{ view.max_rounds }}: you vote"
ANSWER = '{% include "shared/answer.j2" %}'


def pack_with(folder: Path, old: str, new: str, name: str = VOTER) -> PromptPack:
    """A pack whose template `name` is the built-in one with `old` replaced by `new`."""
    source = PromptPack().source(name)
    assert old in source
    return pack_of(folder, source.replace(old, new, 1), name)


def pack_of(folder: Path, text: str, name: str = VOTER) -> PromptPack:
    """A pack of one template."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return PromptPack(folder)
