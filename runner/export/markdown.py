"""Markdown page of a match."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup
from rich.text import Text

from games.core import State
from runner.export.pages import plain_markdown, render
from runner.match.header import rules_in_words
from runner.record.decisions import LoggedDecision, decisions, remarks_on_decision
from runner.record.reader import Log
from runner.record.replay import opening
from runner.screen.narrator import Narrator
from runner.screen.result import earlier_players

_ROUND_BEGINS = ("round", "turn", "deal")
"""The kinds of events that announce a round."""


def to_markdown(log: Log, narrator: Narrator) -> str:
    """The players, the events and the talk of each round, and the result."""
    header, result, (game, state) = log.header, log.result, opening(log.header)
    seed = f"seed {header['seed']}, " if narrator.perspective.sees_all else ""
    about = f"{header['players']} players, {rules_in_words(header)}, {seed}played {header['created']}."
    lines = [*_heading(state), *(line for decision in decisions(log) for line in _decision(decision, narrator))]
    facts = {"game": game, "header": header, "about": about, "lines": map(Markup, lines), "result": result}
    return render("match.md", **facts, earlier=earlier_players(result) if result else ())


def _heading(state: State) -> Iterator[str]:
    yield from ("", f"## {state.game.round_word.capitalize()} {state.round}", "")


def _decision(decision: LoggedDecision, narrator: Narrator) -> Iterator[str]:
    """A decision; the heading of the round that it begins stands before the event that announces that round."""
    number = f"({decision.number}) " if decision.number else ""
    end = _announcement(decision) if decision.begins_round else len(decision.events)
    remarks = remarks_on_decision(decision)
    later = [remark._replace(event=remark.event - end) for remark in remarks if remark.event >= end]
    yield from _items(number, narrator.attempts(decision) + narrator.events(decision.events[:end], remarks))
    if decision.begins_round:
        yield from _heading(decision.state)
    yield from _items(number, [*narrator.events(decision.events[end:], later), *narrator.talk(decision)])


def _items(number: str, lines: Sequence[Text]) -> Iterator[str]:
    for line in lines:
        yield f"- {number}{plain_markdown(line.plain.strip())}"


def _announcement(decision: LoggedDecision) -> int:
    """The place of the first event of the round that a decision begins; the end, if no event announces it."""
    places = (place for place, event in enumerate(decision.events) if event.kind in _ROUND_BEGINS)
    return next(places, len(decision.events))
