"""Markdown page of a match."""

import re
from collections.abc import Iterator, Sequence

from rich.text import Text

from games.core import State, seat_name
from runner.match.header import rules_in_words
from runner.record.decisions import LoggedDecision, decisions, remarks_on_decision
from runner.record.reader import Log
from runner.record.replay import opening
from runner.screen.narrator import Narrator
from runner.screen.result import earlier_players
from runner.screen.safe_text import clean

_ROUND_BEGINS = ("round", "turn", "deal")
"""The kinds of events that announce a round."""

_SPECIAL = re.compile(r"([\\`*_\[\]<>|&~$]|:(?=//)|^[#+=-]|^\d+(?=[.)])|(?<=www)\.)")


def to_markdown(log: Log, narrator: Narrator) -> str:
    """The players, the events and the talk of each round, and the result."""
    return "\n".join(_lines(log, narrator)) + "\n"


def _lines(log: Log, narrator: Narrator) -> Iterator[str]:
    header = log.header
    game, state = opening(header)
    yield f"# {_escaped(game.title)}"
    yield ""
    seed = f"seed {header['seed']}, " if narrator.perspective.sees_all else ""
    yield _escaped(f"{header['players']} players, {rules_in_words(header)}, {seed}played {header['created']}.")
    yield ""
    for index, seat in enumerate(header["seats"]):
        yield f"- **{seat_name(index)}**: {_escaped(seat.get('name'))}"
    yield from _heading(state)
    for decision in decisions(log):
        yield from _decision(decision, narrator)
    yield from _end(log)


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
        yield f"- {number}{_escaped(line.plain.strip())}"


def _announcement(decision: LoggedDecision) -> int:
    """The place of the first event of the round that a decision begins; the end, if no event announces it."""
    places = (place for place, event in enumerate(decision.events) if event.kind in _ROUND_BEGINS)
    return next(places, len(decision.events))


def _end(log: Log) -> Iterator[str]:
    result = log.result
    if result is None:
        yield from ("", "The match is unfinished.")
        return
    head = "| Seat | Player | Score | Wins | Invalid answers | Cost |"
    yield from ("", "## Result", "", head, "|---|---|---:|---|---:|---:|")
    for seat, facts in enumerate(result["seats"]):
        wins = "yes" if seat in result["winners"] else ""
        cost = f"${facts['cost']:.4f}"
        cells = (seat_name(seat), _escaped(facts["name"]), result["scores"][seat], wins, facts["mistakes"], cost)
        yield f"| {' | '.join(str(cell) for cell in cells)} |"
    for line in earlier_players(result):
        yield from ("", _escaped(line))
    yield from ("", f"The match ended: {_escaped('; '.join(result['ending']))}.")


def _escaped(text: object) -> str:
    """Text on one line, with Markdown characters escaped."""
    return _SPECIAL.sub(r"\\\1", clean(text, 5000))
