"""Decision lines: which lines of a log belong to one decision."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class DecisionLines:
    """Line numbers of a seat's decision, its question and its attempts. `line` is 0 where the log ends before the decision.

    `strikes` counts the attempts whose answer was invalid. `talk` has the lines of talk that became public after the decision
    and before the next one.
    """

    seat: int
    line: int = 0
    question: int | None = None
    attempts: list[int] = field(default_factory=list)
    strikes: int = 0
    talk: list[int] = field(default_factory=list)


class DecisionGrouping:
    """Groups the lines of a log by decision, in one pass. `open` has the questions without a decision, by seat."""

    def __init__(self) -> None:
        self.open: dict[int, DecisionLines] = {}
        self._last: DecisionLines | None = None

    def take(self, line: int, kind: str, seat: int, is_mistake: bool) -> DecisionLines | None:
        """Sort a line in; the decision that it completes."""
        if kind == "question":
            self.open[seat] = DecisionLines(seat, question=line)
        elif kind == "attempt" and seat in self.open:
            self.open[seat].attempts.append(line)
            self.open[seat].strikes += is_mistake
        elif kind == "moot":
            self.open.pop(seat, None)
        elif kind == "decision":
            lines = self.open.pop(seat, None) or DecisionLines(seat)
            lines.line = line
            self._last = lines
            return lines
        elif kind == "talk" and self._last is not None:
            self._last.talk.append(line)
        return None
