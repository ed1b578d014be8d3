"""Film: the events of a match as frames for one perspective. Each decision knows the table before it and after it, and what its
events tell is shown with them: nothing earlier, nothing later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from games.core import PHASE, Event, Game, Remark, State
from games.core.drama import ACT, BEATS, FINALE, ROUTINE, VOTE, Stage
from games.core.scene import Scene
from games.registry import OWN
from runner.film.frame import AT_ONCE, Frame, Heading, Line, Told
from runner.film.perspective import Perspective, VisibleState
from runner.film.scenes import scene_of, script_of
from runner.film.withheld import Withheld
from runner.match.events import MatchEvent
from runner.match.match_state import MatchState
from runner.match.records import Record
from runner.record.decisions import LoggedDecision
from runner.record.highlights import remarks_on, remarks_on_decision

_BEGIN = ("turn", "round", "deal")
"""Kinds of events that begin a line of their own."""


@dataclass(slots=True)
class _Group:
    """Events that are told at once, and those that change the table with them, which others may stand for."""

    beat: str
    told: list[Told]
    events: list[Event] = field(default_factory=list)


class Film:
    """Makes frames of what happens in a match. `names` are those of the players on the table; `seconds` is how long a seat may
    take for an answer; `withheld` takes thoughts that the perspective may read later."""

    def __init__(
        self,
        game: Game,
        perspective: Perspective,
        names: tuple[str, ...],
        seconds: float | None = None,
        withheld: Withheld | None = None,
    ) -> None:
        self.game, self.perspective, self.names, self._seconds = game, perspective, names, seconds
        self._script, self._withheld = script_of(game), withheld
        self._state: State | None = None
        self._waiting: frozenset[int] = frozenset()

    def take(self, event: MatchEvent, is_unfolded: bool = True) -> list[Frame]:
        """The frames of the next event of the match: one, or of a decision that is `unfolded` one a beat."""
        record, state, before = event.record, event.match.state, self._state
        if record["kind"] in ("question", "decision", "moot"):
            asked = {record["seat"]} if record["kind"] == "question" else frozenset[int]()
            self._waiting = (self._waiting - {record["seat"]}) | asked
        self._state = state
        if self._withheld is not None and record["kind"] == "attempt" and not self.perspective.reads(record["seat"]):
            self._withheld.keep(record, state)
        if not event.events:
            beat = {"talk": ACT, "result": FINALE}.get(record["kind"], AT_ONCE)
            return [replace(self._frame(state, beat), lines=self.lines(record), record=record)]
        remarks = remarks_on(state, event.events)
        found = self.cut(before if is_unfolded else None, state, event.events, remarks)
        released = () if self._withheld is None else self._withheld.released(state)
        found[-1] = replace(found[-1], lines=(*found[-1].lines, *released))
        return [replace(found[0], record=record), *found[1:]]

    def still(self, match: MatchState) -> Frame:
        """What is shown of a match as it is, whatever led to it."""
        self._state, self._waiting = match.state, frozenset(match.open)
        return self._frame(match.state, AT_ONCE)

    def logged(self, decision: LoggedDecision) -> list[Frame]:
        """The frames of a decision of a log, with the attempts before its first one, and the table talk after its last one."""
        before = decision.before if decision.number else None
        first, *others = self.cut(before, decision.state, decision.events, remarks_on_decision(decision))
        attempts = tuple(Line(record=attempt) for attempt in decision.attempts)
        frames = [replace(first, lines=(*attempts, *first.lines)), *others]
        talk = tuple(Line(record=record) for record in decision.talk)
        return [*frames[:-1], replace(frames[-1], lines=(*frames[-1].lines, *talk))]

    def lines(self, record: Record, events: Sequence[Event] = (), remarks: Sequence[Remark] = ()) -> tuple[Line, ...]:
        """All that a record and its events tell."""
        said = (Line(record=record),) if record["kind"] in ("attempt", "talk") else ()
        return said + tuple(line for group in self._grouped(events, remarks) for line in _lines(group))

    # -- decisions ---------------------------------------------------------------------------------------------------

    def cut(self, before: State | None, after: State, events: Sequence[Event], remarks: Sequence[Remark]) -> list[Frame]:
        """The frames of what led from one state to another; one alone where the first is None."""
        groups = [*self._grouped(events, remarks)]
        begins = any(event.kind == PHASE for event in events)
        last = replace(self._frame(after, groups[-1].beat if groups else ROUTINE), begins=begins)
        if before is None or len(groups) < 2:
            beat = max((group.beat for group in groups), key=BEATS.index, default=ROUTINE)
            return [replace(last, beat=beat, lines=tuple(line for group in groups for line in _lines(group)))]
        told = [replace(frame, header=Heading.of(before)) for frame in self._staged(before, after, groups)]
        return [*told, replace(last, lines=tuple(_lines(groups[-1])))]

    def _staged(self, before: State, after: State, groups: Sequence[_Group]) -> Iterator[Frame]:
        """The frames of all beats but the last one."""
        seen, then = (self.perspective.visible(state, self.names) for state in (before, after))
        stage = Stage(dict(seen.view), {seat: dict(own) for seat, own in seen.owns.items()}, then.view, then.owns)
        frame = replace(self._frame(before, AT_ONCE), is_last=False)
        for group in groups:
            for landed in self._landings(stage, group.told[0][0]):
                yield replace(frame, see=self._look(landed), beat=VOTE)
            if group is not groups[-1]:
                for event in group.events:
                    self._tell(stage, event)
                yield replace(frame, see=self._look(stage), beat=group.beat, lines=tuple(_lines(group)))

    def _tell(self, stage: Stage, event: Event) -> None:
        try:
            self._script.told(stage, event)
        except Exception:
            if self.game.name in OWN:
                raise

    def _landings(self, stage: Stage, event: Event) -> Iterator[Stage]:
        try:
            yield from self._script.landings(stage, event)
        except Exception:
            if self.game.name in OWN:
                raise

    def _look(self, stage: Stage) -> partial[Scene]:
        own = {seat: dict(facts) for seat, facts in stage.own.items()}
        return partial(scene_of, self.game, VisibleState(dict(stage.view), own, self.names))

    def _frame(self, state: State, beat: str) -> Frame:
        """The table of a state, as it will be looked at."""
        deadline = self._seconds if self._waiting else None
        return Frame(partial(self.scene, state), Heading.of(state), (), beat, self._waiting, deadline)

    def scene(self, state: State) -> Scene:
        """The table as the perspective sees it."""
        return scene_of(self.game, self.perspective.visible(state, self.names))

    def _grouped(self, events: Sequence[Event], remarks: Sequence[Remark]) -> Iterator[_Group]:
        """The events that the perspective may know, by beats: a private one belongs to that before it, and so do those of one
        kind, and routine ones that follow one another."""
        shown = {id(event): said for event, said in self.perspective.visible_remarks(events, remarks)}
        group, last, left_out = None, "", list[Event]()
        for event in events:
            if event.kind == PHASE:
                last = ""
                continue
            if id(event) not in shown:
                left_out += [event] * (self.perspective.sees_all or event.reaches(self.perspective.seat))
                continue
            said = shown[id(event)]
            is_private = event.audience is not None
            beat = ROUTINE if is_private else self._script.beat(event, [one.kind for one in said if one.kind])
            if group is not None and (is_private or event.kind == last or beat == group.beat == ROUTINE):
                group.told.append((event, said))
            else:
                if group is not None:
                    yield group
                group = _Group(beat, [(event, said)])
            group.events += [*left_out, event]
            last = event.kind
            left_out.clear()
        if group is not None:
            yield group


def _lines(group: _Group) -> Iterator[Line]:
    """The lines of a beat: public routine events are one, up to that with which a turn or a round begins."""
    folded = list[Told]()
    for event, remarks in group.told:
        if group.beat == ROUTINE and event.audience is None and event.kind not in _BEGIN:
            folded.append((event, remarks))
            continue
        if folded:
            yield Line(tuple(folded))
            folded.clear()
        yield Line(((event, remarks),))
    if folded:
        yield Line(tuple(folded))
