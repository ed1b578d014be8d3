"""Template lines: where a sentence of a prompt is written in the templates of a pack."""

import re
from collections.abc import Iterator

from runner.prompting.pack import PromptPack
from runner.prompting.template_deps import with_dependencies

_COMPUTED = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}")
_FEWEST = 3
"""Letters that a template and a sentence have in common at least."""


def written_at(pack: PromptPack, template: str, sentence: str) -> tuple[str, int]:
    """The template and its line, from 1, with the most letters of a sentence, or of a part of one, of the prompt of `template`;
    the first line of `template` where none has any. PromptError when a template cannot be read."""
    lines = ((name, *line) for name in with_dependencies(pack, template) for line in _literal_lines(pack.source(name)))
    found = max(((_common(parts, _plain(sentence)), name, line) for name, line, parts in lines), key=lambda one: one[0])
    return found[1:] if found[0] >= _FEWEST else (template, 1)


def _literal_lines(source: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a template by number, each with its texts between what is computed."""
    for number, line in enumerate(source.splitlines() or [""], 1):
        yield number, [text for part in _COMPUTED.split(line) if (text := _plain(part))]


def _common(parts: list[str], sentence: str) -> int:
    """The letters of the texts of a line that stand in a sentence, in their order; those of a sentence that a text holds."""
    if sentence and any(sentence in part for part in parts):
        return len(sentence)
    at = total = 0
    for part in parts:
        if (at := sentence.find(part, at)) < 0:
            return 0
        at, total = at + len(part), total + len(part)
    return total


def _plain(text: str) -> str:
    return " ".join(text.split())
