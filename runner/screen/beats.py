"""Beats: what one decision brings, one event after the other, each with its table and how long it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from games.core import PHASE, Event, Game, Remark, State
from games.core.scene import Scene
from games.core.unfolding import between, votes_one_by_one
from runner.record.decisions import LoggedDecision
from runner.record.highlights import remarks_on_decision
from runner.screen.perspective import Perspective
from runner.screen.scene_rich import shown_by_table

Told = tuple[Event, Sequence[Remark]]
"""An event with its remarks."""

_CARDS = ("reveal", "revealed", "eliminated", "loss", "proof", "false_claim", "card")
_REVEALS = frozenset({*_CARDS, "trick", "score", "paradox", "end", "game_over"})
"""Kinds of events that turn cards over, show votes or settle a claim."""
_FIRST, _FURTHER, _REVEAL, _HIDDEN, _VOTE = 1.0, 0.6, 1.0, 0.5, 0.6
"""Weights: of the first public event of a decision, of each further one, what a reveal adds, of a decision without a public
event, of each vote that is turned up."""


class Beat(NamedTuple):
    """What is told at once, and how long it is shown, in units of the speed. `start`: when, from the decision on. `scene` None:
    the only one, on the table after the decision. `is_last`: with it comes what the decision leads to: its round and phase."""

    told: tuple[Told, ...]
    weight: float
    start: float = 0.0
    scene: Scene | None = None
    is_last: bool = True


def beats_of(seen: Iterable[Told], shown: frozenset[str] = frozenset()) -> list[Beat]:
    """The events that a perspective knows of a decision, a beat for each public one. A private one belongs to that before it,
    and so do those of one kind that the table shows (`shown`)."""
    found: list[list[Told]] = []
    for event, remarks in seen:
        if event.kind == PHASE:
            continue
        is_more = bool(found) and event.kind == found[-1][-1][0].kind and event.kind in shown
        if found and (event.audience is not None or is_more):
            found[-1].append((event, remarks))
        else:
            found.append([(event, remarks)])
    return _timed([Beat(tuple(told), _weight(place, found)) for place, told in enumerate(found)])


def _weight(place: int, found: Sequence[Sequence[Told]]) -> float:
    kinds = [told[0][0].kind for told in found]
    if found[place][0][0].audience is not None:
        return _HIDDEN
    is_reveal = kinds[place] in _REVEALS and kinds[place - 1 : place] != [kinds[place]]
    return (_FURTHER if place else _FIRST) + _REVEAL * is_reveal


def _timed(found: Sequence[Beat]) -> list[Beat]:
    ends = accumulate(beat.weight for beat in found)
    return [
        beat._replace(start=round(end - beat.weight, 3), is_last=beat is found[-1])
        for beat, end in zip(found, ends, strict=True)
    ]


def on_tables(found: Sequence[Beat], earlier: State, later: State, scene_of: Callable[[State], Scene]) -> list[Beat]:
    """The beats of a decision that leads from one state to another, with the tables that `scene_of` makes of them. Votes that
    come out are turned up one by one, and what a round has brought is shown before what comes next."""
    if len(found) < 2:
        return list(found)
    first, *more, last = found
    before, after = scene_of(earlier), scene_of(later)
    effects = between(before, after) if later.has_ended or later.round != earlier.round else after
    *votes, owners = [*votes_one_by_one(before, after)] or [effects]
    tabled = [first._replace(scene=effects if first.told[0][0].kind in _REVEALS else before)]
    tabled += [Beat((), _VOTE, scene=vote) for vote in votes] if len(votes) > 1 else []
    tabled += [beat._replace(scene=effects if place else owners) for place, beat in enumerate(more)]
    return _timed([*tabled, last._replace(scene=after)])


def logged_beats(
    game: Game, decision: LoggedDecision, perspective: Perspective, scene_of: Callable[[State], Scene]
) -> list[Beat]:
    """The beats of a decision of a log, one at least."""
    seen = perspective.visible_remarks(decision.events, remarks_on_decision(decision))
    found = beats_of(seen, shown_by_table(game))
    return on_tables(found, decision.before, decision.state, scene_of) or [Beat((), _HIDDEN)]


def told_in_story(found: Iterable[Beat], shown: frozenset[str]) -> list[Told]:
    """What beats tell beside a table: of the kinds of events that it shows only highlights."""
    told = (one for beat in found for one in beat.told)
    return [(event, remarks) for event, remarks in told if event.kind not in shown or any(one.kind for one in remarks)]
