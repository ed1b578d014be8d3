"""Issues that lint finds."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace

FAULT = "fault"
NOTE = "note"
_READ = ("undefined", "sandbox", "missing", "template")
"""Checks of the source alone, which rendering repeats."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One issue: a `fault` or a `note`, its file and line (0: the whole file), and a sentence.

    `check` is the check that found it, `case` the first decision that shows it, `count` the number of such decisions.
    """

    file: str
    line: int
    check: str
    sentence: str
    level: str = FAULT
    case: str = ""
    count: int = 1

    def to_json(self) -> dict[str, object]:
        """The issue as data."""
        return asdict(self)

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        case = f" ({self.case}{f'; {self.count} decisions' if self.count > 1 else ''})" if self.case else ""
        return f"{where}: {self.sentence}{case}"


@dataclass
class PromptLength:
    """The longest prompt of a template."""

    tokens: int = 0
    case: str = ""

    def add(self, tokens: int, case: str) -> None:
        """Add a prompt."""
        if tokens > self.tokens:
            self.tokens, self.case = tokens, case


@dataclass
class Issues:
    """Issues so far, equal ones counted together, and what was looked at."""

    found: dict[tuple[str, int, str, str], Issue] = field(default_factory=dict)
    lengths: dict[str, PromptLength] = field(default_factory=dict)
    rendered: int = 0

    def add(self, finding: Issue) -> None:
        """Add an issue."""
        key = (finding.file, finding.line, finding.check, finding.sentence)
        known = self.found.get(key)
        self.found[key] = finding if known is None else replace(known, count=known.count + 1)

    def sorted(self) -> list[Issue]:
        """The issues, faults first, by file and line; a name that failed to render is reported once."""
        broken = {(finding.file, finding.line) for finding in self.found.values() if finding.check == "render"}
        once = [f for f in self.found.values() if f.check not in _READ or (f.file, f.line) not in broken]
        return sorted(once, key=lambda f: (f.level != FAULT, f.file, f.line, f.sentence))
