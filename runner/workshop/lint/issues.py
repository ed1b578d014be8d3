"""Issues that lint finds."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace

from runner.prompting.pack import PromptPack
from runner.prompting.template_errors import PromptError
from runner.workshop.case_prompts import RenderedPrompt

FAULT = "fault"
NOTE = "note"
_READ = ("undefined", "sandbox", "missing", "template")
"""Checks of the source alone, which rendering repeats."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One issue: a `fault` or a `note`, its file and line (0: the whole file), and a sentence. `check` is the check that found
    it, `case` the first decision that shows it, `count` the number of such decisions."""

    file: str
    line: int
    check: str
    sentence: str
    level: str = FAULT
    case: str = ""
    count: int = 1

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        case = f" ({self.case}{f'; {self.count} decisions' if self.count > 1 else ''})" if self.case else ""
        return f"{where}: {self.sentence}{case}"


@dataclass(frozen=True, slots=True)
class LintReport:
    """The issues, the longest prompt of each template in tokens with its decision, and the number of rendered prompts. `costs`
    has what the prompts of a match cost, by game and pack: the built-in one, then the one that was checked."""

    findings: Sequence[Issue]
    lengths: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    rendered: int = 0
    costs: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)

    @property
    def faults(self) -> int:
        return sum(finding.level == FAULT for finding in self.findings)

    def to_json(self) -> dict[str, object]:
        return {"faults": self.faults, **asdict(self)}


def in_order(found: Iterable[Issue]) -> list[Issue]:
    """Issues, equal ones counted together, faults first, by file and line; a name that failed to render is reported once."""
    kinds: dict[object, Issue] = {}
    for one in found:
        known = kinds.setdefault((one.file, one.line, one.check, one.sentence), replace(one, count=0))
        kinds[one.file, one.line, one.check, one.sentence] = replace(known, count=known.count + 1)
    broken = {(one.file, one.line) for one in kinds.values() if one.check == "render"}
    once = [one for one in kinds.values() if one.check not in _READ or (one.file, one.line) not in broken]
    return sorted(once, key=lambda one: (one.level != FAULT, one.file, one.line, one.sentence))


_WORD = re.compile(r"\w+")


SourcePlace = tuple[str, int]
"""A file and a line in it (0: no line)."""


def place_of(pack: PromptPack, name: str, line: int | None = None) -> SourcePlace:
    return str(pack.path(name)), line or 0


def _origin(prompt: RenderedPrompt, text: str) -> SourcePlace:
    """The line of a prompt's templates with the most words in common with one of its lines."""
    wanted, best, place = set(_WORD.findall(text)), 0.0, place_of(prompt.pack, prompt.parts[0]) if prompt.parts else ("", 0)
    for found, line in _lines(prompt):
        words = set(_WORD.findall(line))
        shared = len(words & wanted)
        score = shared - 0.01 * len(words)
        if shared and score > best:
            best, place = score, found
    return place


def issue_of(
    prompt: RenderedPrompt, check: str, sentence: str, line: str | None = None, level: str = FAULT, detail: str = ""
) -> Issue:
    """An issue of a prompt, at the origin of one of its lines, else of its role's template."""
    place = place_of(prompt.pack, prompt.template) if line is None else _origin(prompt, line)
    return Issue(*place, check, sentence, level, prompt.case.description() + (f": {detail}" if detail else ""))


def place_with(prompt: RenderedPrompt, pattern: str) -> SourcePlace | None:
    return next((place for place, line in _lines(prompt) if re.search(pattern, line, re.IGNORECASE)), None)


def _lines(prompt: RenderedPrompt) -> Iterator[tuple[SourcePlace, str]]:
    for name in prompt.parts:
        with suppress(PromptError):
            for number, line in enumerate(prompt.pack.source(name).splitlines(), 1):
                yield place_of(prompt.pack, name, number), line
