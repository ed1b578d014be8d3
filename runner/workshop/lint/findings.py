"""What lint finds."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

FAULT = "fault"
NOTE = "note"
_READ = ("undefined", "sandbox", "missing", "template")
"""Checks by reading alone, which rendering confirms."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong (`fault`) or worth knowing (`note`): the file, the line (0: the file as a whole), a sentence.

    `check` is the check that found it, `case` the first decision it shows in, `count` in how many decisions it does.
    """

    file: str
    line: int
    check: str
    sentence: str
    level: str = FAULT
    case: str = ""
    count: int = 1

    def to_json(self) -> dict[str, Any]:
        """The finding as data."""
        return asdict(self)

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        case = f" ({self.case}{f'; {self.count} decisions' if self.count > 1 else ''})" if self.case else ""
        return f"{where}: {self.sentence}{case}"


@dataclass
class Length:
    """The longest prompt of a role."""

    tokens: int = 0
    case: str = ""

    def add(self, tokens: int, case: str) -> None:
        """Take in another prompt."""
        if tokens > self.tokens:
            self.tokens, self.case = tokens, case


@dataclass
class Findings:
    """Findings so far, equal ones counted together, and what was looked at."""

    found: dict[tuple[str, int, str, str], Finding] = field(default_factory=dict)
    lengths: dict[str, Length] = field(default_factory=dict)
    rendered: int = 0

    def add(self, finding: Finding) -> None:
        """Take in a finding."""
        key = (finding.file, finding.line, finding.check, finding.sentence)
        known = self.found.get(key)
        self.found[key] = finding if known is None else replace(known, count=known.count + 1)

    def sorted(self) -> list[Finding]:
        """The findings, faults first, by file and line; a name that did not render is not named twice."""
        broken = {(finding.file, finding.line) for finding in self.found.values() if finding.check == "render"}
        once = [f for f in self.found.values() if f.check not in _READ or (f.file, f.line) not in broken]
        return sorted(once, key=lambda f: (f.level != FAULT, f.file, f.line, f.sentence))
