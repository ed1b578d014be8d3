"""Unfolding: the events of one decision beat by beat, each with what is on the table while it is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from games.core.drama import ROUTINE, VOTE, Script, Stage
from games.core.event import PHASE, Event
from games.core.eye import Eye, VisibleState
from games.core.remark import Remark

Told = tuple[Event, Sequence[Remark]]
"""An event with its remarks."""
_BEGIN = ("turn", "round", "deal")
"""Kinds of events that announce a round, and begin a line of their own."""


class Shot(NamedTuple):
    """What is shown at once: the kind of beat, the lines that are told, each one event or several routine ones, and what
    is on the table; None: what is there after the decision."""

    beat: str
    lines: tuple[tuple[Told, ...], ...]
    seen: VisibleState | None = None


@dataclass(slots=True)
class Group:
    """Events that are told at once, and those that change the table with them, which others may stand for."""

    beat: str
    told: list[Told]
    events: list[Event] = field(default_factory=list)

    @property
    def lines(self) -> tuple[tuple[Told, ...], ...]:
        """Its lines: public routine events are one, up to that with which a turn or a round begins."""
        found, is_open = list[tuple[Told, ...]](), False
        for event, remarks in self.told:
            folds = self.beat == ROUTINE and event.audience is None and event.kind not in _BEGIN
            if folds and is_open:
                found[-1] += ((event, remarks),)
            else:
                found.append(((event, remarks),))
            is_open = folds
        return tuple(found)


def announcement(events: Sequence[Event]) -> int:
    """The place of the first event that announces a round; the end, if none does."""
    return next((place for place, event in enumerate(events) if event.kind in _BEGIN), len(events))


def grouped(script: Script, eye: Eye, events: Sequence[Event], remarks: Sequence[Remark]) -> Iterator[Group]:
    """The events that an eye may see, by beats: a private one belongs to that before it, and so do those of one kind, and
    routine ones that follow one another."""
    shown = {id(event): said for event, said in eye.visible_remarks(events, remarks)}
    group, last, left_out = None, "", list[Event]()
    for event in events:
        if event.kind == PHASE:
            last = ""
        elif id(event) not in shown:
            left_out += [event] * eye.knows(event)
        else:
            said, is_private = shown[id(event)], event.audience is not None
            beat = ROUTINE if is_private else script.beat(event, [one.kind for one in said if one.kind])
            if group is not None and (is_private or event.kind == last or beat == group.beat == ROUTINE):
                group.told.append((event, said))
            else:
                yield from () if group is None else (group,)
                group = Group(beat, [(event, said)])
            group.events += [*left_out, event]
            last = event.kind
            left_out.clear()
    yield from () if group is None else (group,)


def shots(script: Script, groups: Sequence[Group], before: VisibleState, after: VisibleState) -> Iterator[Shot]:
    """The shots of the groups of a decision, between what is seen before it and after it."""
    stage = Stage(dict(before.view), {seat: dict(own) for seat, own in before.owns.items()}, after.view, after.owns)
    for group in groups:
        for _ in script.landings(stage, group.told[0][0]):
            yield Shot(VOTE, (), _seen(stage, before.names))
        if group is groups[-1]:
            yield Shot(group.beat, group.lines)
            return
        for event in group.events:
            script.told(stage, event)
        yield Shot(group.beat, group.lines, _seen(stage, before.names))


def _seen(stage: Stage, names: tuple[str, ...]) -> VisibleState:
    own = {seat: dict(facts) for seat, facts in stage.own.items()}
    return VisibleState(dict(stage.view), own, names)
