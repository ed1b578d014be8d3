"""Film: the events of a match as frames for one perspective. Each decision knows the table before it and after it, and what its
events tell is shown with them: nothing earlier, nothing later."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

from games.core import PHASE, Event, Game, Remark, State
from games.core.drama import ACT, AT_ONCE, BEATS, FINALE, MOVE, ROUTINE, SECONDS
from games.core.scene import Scene
from games.core.unfolding import Shot, Told, grouped, shots
from games.highlights import remarks_on
from games.motion import between
from games.scenes import Heading, scene_of, script_of
from games.withheld import Withheld
from runner.film.perspective import Perspective
from runner.match.match_state import MatchEvent, MatchState
from runner.match.records import Record
from runner.record.decisions import LoggedDecision, remarks_on_decision


class Line(NamedTuple):
    """What is told as one line: events, of which several are routine, or the record of an attempt or of table talk. `moment`:
    the round of a thought that is told later."""

    told: tuple[Told, ...] = ()
    record: Record | None = None
    moment: str = ""


@dataclass(frozen=True)
class Frame:
    """What a viewer is shown at once: the table, where the match is, what is told, the kind of beat. `record` is what happened,
    of the first frame that shows it; with the last one (`is_last`) all that it brings is shown, and perhaps a phase begins
    (`begins`). It is shown for `weight` units of the speed; one that `is_moving` is on the way to the next that is not, of
    whose time it has a part."""

    see: Callable[[], Scene]
    header: Heading
    lines: tuple[Line, ...] = ()
    beat: str = AT_ONCE
    record: Record | None = None
    is_last: bool = True
    begins: bool = False
    is_moving: bool = False
    weight: float = 0.0

    @cached_property
    def scene(self) -> Scene:
        """The table; it is made when it is first looked at."""
        return self.see()


@dataclass
class Film:
    """Makes frames of what happens in a match. `names` are those of the players on the table; `withheld` takes thoughts that
    the perspective may read later; `has_motion`: what changes on the table moves."""

    game: Game
    perspective: Perspective
    names: tuple[str, ...]
    withheld: Withheld | None = None
    has_motion: bool = False
    _state: State | None = None

    def __post_init__(self) -> None:
        self._script = script_of(self.game)

    def take(self, event: MatchEvent, is_unfolded: bool = True) -> list[Frame]:
        """The frames of the next event of the match: one, or of a decision that is `unfolded` one a beat, after what was said
        with it; none of talk, which was told by then."""
        record, state, before = event.record, event.match.state, self._state
        self._state = state
        if self.withheld is not None and record["kind"] == "attempt" and not self.perspective.reads(record["seat"]):
            self.withheld.keep(record, record["seat"], state)
        if record["kind"] == "talk":
            return []
        if not event.events:
            beat = FINALE if record["kind"] == "result" else AT_ONCE
            said = tuple(Line(record=one) for one in event.said)
            return [replace(self._frame(state, beat), lines=said, record=record)]
        found = self.cut(before if is_unfolded else None, state, event.events, remarks_on(state, event.events))
        released = [] if self.withheld is None else self.withheld.released(state)
        found[-1] = replace(found[-1], lines=(*found[-1].lines, *(Line((), *one) for one in released)))
        found = [*self._said(state if before is None else before, event.said), *found]
        return [replace(found[0], record=record), *found[1:]]

    def still(self, match: MatchState) -> Frame:
        """What is shown of a match as it is, whatever led to it."""
        self._state = match.state
        return self._frame(match.state, AT_ONCE)

    def logged(self, decision: LoggedDecision) -> list[Frame]:
        """The frames of a decision of a log, after what was said with it; the first one has the attempts before it, too."""
        before = decision.before if decision.number else None
        frames = self.cut(before, decision.state, decision.events, remarks_on_decision(decision))
        first, *others = [*self._said(decision.before, decision.talk), *frames]
        attempts = tuple(Line(record=attempt) for attempt in decision.attempts)
        return [replace(first, lines=(*attempts, *first.lines)), *others]

    def _said(self, before: State, said: Sequence[Record]) -> list[Frame]:
        """What players say with a decision: it is told before anything comes of that."""
        lines = tuple(Line(record=record) for record in said)
        return [replace(self._frame(before, ACT), lines=lines, is_last=False)] if lines else []

    def lines(self, record: Record, events: Sequence[Event] = (), remarks: Sequence[Remark] = ()) -> tuple[Line, ...]:
        """All that a record and its events tell."""
        said = (Line(record=record),) if record["kind"] in ("attempt", "talk") else ()
        return said + tuple(
            Line(line) for group in grouped(self._script, self.perspective, events, remarks) for line in group.lines
        )

    # -- decisions ---------------------------------------------------------------------------------------------------

    def cut(self, before: State | None, after: State, events: Sequence[Event], remarks: Sequence[Remark]) -> list[Frame]:
        """The frames of what led from one state to another; one alone where the first is None."""
        groups = [*grouped(self._script, self.perspective, events, remarks)]
        last = replace(self._frame(after, ROUTINE), begins=any(event.kind == PHASE for event in events))
        if before is None or (len(groups) < 2 and not self.has_motion):
            beat = max((group.beat for group in groups), key=BEATS.index, default=ROUTINE)
            lines = tuple(Line(line) for group in groups for line in group.lines)
            return [replace(last, beat=beat, weight=SECONDS[beat], lines=lines)]
        seen, then = (self.perspective.visible(state, self.names) for state in (before, after))
        start, found = replace(self._frame(before, AT_ONCE), is_last=False), list[Frame]()
        frame = start
        for shot in shots(self._script, groups, seen, then) if groups else [Shot(ROUTINE, ())]:
            look = last.see if shot.seen is None else partial(scene_of, self.game, shot.seen)
            earlier, frame = frame, last if shot.seen is None else start
            lines = tuple(map(Line, shot.lines))
            frame = replace(frame, see=look, beat=shot.beat, weight=SECONDS[shot.beat], lines=lines)
            found += self._moved(earlier, frame) if self.has_motion else [frame]
        return found

    def _moved(self, before: Frame, frame: Frame) -> list[Frame]:
        """A frame after those of what moves on the way to it from the one before; what they tell is told with the first."""
        told = [event for line in frame.lines for event, _ in line.told]
        scenes = between(self._script, before.scene, frame.scene, told)
        move = replace(frame, lines=(), is_last=False, begins=False, is_moving=True, weight=MOVE)
        moving = [replace(move, see=partial(replace, scene)) for scene in scenes]
        first, *others = [*moving, replace(frame, lines=(), weight=frame.weight - MOVE * len(moving))]
        return [replace(first, lines=frame.lines), *others]

    def _frame(self, state: State, beat: str) -> Frame:
        """The table of a state, as it will be looked at."""
        return Frame(partial(self.scene, state), Heading.of(state), beat=beat, weight=SECONDS[beat])

    def scene(self, state: State) -> Scene:
        """The table as the perspective sees it."""
        return scene_of(self.game, self.perspective.visible(state, self.names))
