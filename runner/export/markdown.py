"""Markdown page of a match."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.core import seat_name
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log
from runner.record.replay import opening
from runner.screen.narrator import decision_lines
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean

_SPECIAL = re.compile(r"([\\`*_\[\]<>|&~$]|:(?=//)|^[#+=-]|^\d+(?=[.)])|(?<=www)\.)")


def to_markdown(log: Log, perspective: Perspective) -> str:
    """The players, the events of each round, and the result."""
    return "\n".join(_lines(log, perspective)) + "\n"


def _lines(log: Log, perspective: Perspective) -> Iterator[str]:
    header = log.header
    game, state = opening(header)
    yield f"# {_escaped(game.title)}"
    yield ""
    seed = f"seed {header['seed']}, " if perspective.sees_all else ""
    yield _escaped(f"{header['players']} players, rules {header['rules']}, {seed}played {header['created']}.")
    yield ""
    for index, seat in enumerate(header["seats"]):
        yield f"- **{seat_name(index)}**: {_escaped(seat.get('name'))}"
    strikes, round_told = state.setup.options.strikes, 0
    for decision in decisions(log):
        if decision.before.round != round_told:
            round_told = decision.before.round
            yield from ("", f"## Round {round_told}", "")
        yield from _decision(decision, perspective, strikes)
    yield from _end(log)


def _decision(decision: LoggedDecision, perspective: Perspective, strikes: int) -> Iterator[str]:
    number = f"({decision.number}) " if decision.number else ""
    for line in decision_lines(decision.attempts, decision.events, perspective, strikes):
        yield f"- {number}{_escaped(line.plain)}"


def _end(log: Log) -> Iterator[str]:
    result = log.result
    if result is None:
        yield from ("", "The match is unfinished.")
        return
    yield from (
        "",
        "## Result",
        "",
        "| Seat | Player | Score | Wins | Invalid answers | Cost |",
        "|---|---|---:|---|---:|---:|",
    )
    for seat, facts in enumerate(result["seats"]):
        wins = "yes" if seat in result["winners"] else ""
        cost = f"${facts['cost']:.4f}"
        cells = (seat_name(seat), _escaped(facts["name"]), result["scores"][seat], wins, facts["mistakes"], cost)
        yield f"| {' | '.join(str(cell) for cell in cells)} |"
    yield from ("", f"The match ended: {_escaped('; '.join(result['ending']))}.")


def _escaped(text: object) -> str:
    """Text on one line, with Markdown characters escaped."""
    return _SPECIAL.sub(r"\\\1", clean(text, 5000))
