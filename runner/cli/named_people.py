"""Named people: each person with a name at this terminal is asked once whether results may show it."""

from contextlib import suppress
from dataclasses import replace

from runner.cli.output import is_agreed
from runner.files import remember, remembered
from runner.screen.safe_text import clean
from runner.session.match_spec import ReadyMatch

_ANSWERS = "named-people"
"""The file of answers: `yes NAME` or `no NAME` a line, of which the last one counts."""


def with_consent(match: ReadyMatch) -> ReadyMatch:
    """The match with the answer of each person who is named for it. A seat that continues keeps the answer of its log."""
    seats = list(match.config.seats)
    for number in match.people:
        if (seat := seats[number]).spec.player:
            seats[number] = replace(seat, identity={**seat.identity, "consent": _agrees(seat.name)})
    return replace(match, config=replace(match.config, seats=tuple(seats)))


def _agrees(name: str) -> bool:
    """Whether the person of a name agrees to be named; no where nobody can be asked."""
    said = [line.partition(" ") for line in remembered(_ANSWERS)]
    if own := [answer for answer, _, who in said if who == name.casefold()]:
        return own[-1] == "yes"
    agreed = is_agreed(f"May standings show the name {clean(name, 100)}? Otherwise they count you as human.")
    with suppress(OSError, RuntimeError):  # then the next process asks again
        if agreed is not None:
            remember(_ANSWERS, f"{'yes' if agreed else 'no'} {name.casefold()}")
    return agreed is True
