"""Prompt editor: the user's editor at the line of a template that worded the prompt of a logged decision."""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from runner.cli.output import is_agreed
from runner.errors import UsageError
from runner.prompting.pack import PromptPack, template_name
from runner.prompting.template_deps import with_dependencies
from runner.record.reader import read_sound_part
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean
from runner.workshop.asking import pack_played
from runner.workshop.new_pack import start_pack
from runner.workshop.prompted_decision import prompted_decision

_OWN_PACK = Path("my-prompts")


def edit_prompt(log: Path, at: int, sentence: str) -> None:
    """Open the editor that VISUAL or EDITOR names, as `vi +12 FILE`, where a sentence of the prompt of decision `at` is.
    A built-in template is first copied to a pack, if the user agrees. UsageError without an editor or without the pack."""
    try:
        editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    except ValueError as error:
        raise UsageError(f"VISUAL or EDITOR is no command ({error}): set EDITOR, for example to nano.") from None
    if not editor:
        raise UsageError("No editor is named: set the variable EDITOR, for example to nano.")
    decision = prompted_decision(read_sound_part(log), at)
    game, pack = decision.game.name, pack_played(decision, PromptPack())
    name, line = written_at(pack, template_name(game, decision.ask.question.role), sentence)
    folder = pack.folder or _OWN_PACK
    if not (folder / name).is_file():
        if not is_agreed(f"{name} is built in. Copy it to the prompt pack {clean(folder, 4096)}, and edit it there?"):
            return
        start_pack(folder, None, (), [name])
    before = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is for the editor
    try:
        subprocess.run([*editor, f"+{line}", str(folder / name)], check=False)
    except OSError as error:
        raise UsageError(f"The editor {editor[0]} cannot be started ({error.strerror}): set EDITOR to another one.") from None
    finally:
        signal.signal(signal.SIGINT, before)
    words = ["tabletop", "prompts", "tweak", str(folder), "--game", game, "--on", str(log)]
    print_note(f"Judge the change: `{clean(shlex.join(words), 9000)}`")


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
    """The letters of the texts of a line that stand in a sentence, in their order; of a part of it, those that a text holds."""
    at = total = 0
    for part in parts:
        if (at := sentence.find(part, at)) < 0:
            matchers = (SequenceMatcher(None, sentence, text, autojunk=False) for text in parts)
            return max(one.find_longest_match().size for one in matchers)
        at, total = at + len(part), total + len(part)
    return total


def _plain(text: str) -> str:
    return " ".join(text.split())
