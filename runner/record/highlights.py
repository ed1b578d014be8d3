"""Highlights of a match: the remarks on its events that are worth jumping to."""

from games.core import Remark
from games.highlights import Highlight
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log


def remarks_on_decision(decision: LoggedDecision) -> list[Remark]:
    before = decision.before if decision.number else None
    return list(decision.state.game.remarks(before, decision.state, decision.events))


def highlights_in(decision: LoggedDecision, sees_all: bool) -> list[Highlight]:
    """The highlights of a logged decision; only public ones unless `sees_all`."""
    found = [remark for remark in remarks_on_decision(decision) if remark.kind and (sees_all or remark.is_public)]
    return [Highlight(decision.number, decision.before.round, decision.events[remark.event], remark) for remark in found]


def highlights_of(log: Log, sees_all: bool) -> list[Highlight]:
    """The highlights of a log in order; only public ones unless `sees_all`. LogDamagedError where the log is damaged."""
    return [highlight for decision in decisions(log) for highlight in highlights_in(decision, sees_all)]
