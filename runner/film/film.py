"""Film: the events of a match as frames for one perspective. Each decision knows the table before it and after it, and what its
events tell is shown with them: nothing earlier, nothing later."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

from games.core import PHASE, Event, Game, Remark, State
from games.core.drama import ACT, AT_ONCE, BEATS, FINALE, ROUTINE, SECONDS
from games.core.scene import Scene
from games.core.unfolding import Told, grouped, shots
from games.highlights import remarks_on
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
    (`begins`)."""

    see: Callable[[], Scene]
    header: Heading
    lines: tuple[Line, ...] = ()
    beat: str = AT_ONCE
    record: Record | None = None
    is_last: bool = True
    begins: bool = False

    @cached_property
    def scene(self) -> Scene:
        """The table; it is made when it is first looked at."""
        return self.see()

    @property
    def weight(self) -> float:
        """How long the frame is shown, in units of the speed."""
        return SECONDS[self.beat]


class Film:
    """Makes frames of what happens in a match. `names` are those of the players on the table; `withheld` takes thoughts that
    the perspective may read later."""

    def __init__(self, game: Game, perspective: Perspective, names: tuple[str, ...], withheld: Withheld | None = None) -> None:
        self.game, self.perspective, self.names = game, perspective, names
        self._script, self._withheld = script_of(game), withheld
        self._state: State | None = None

    def take(self, event: MatchEvent, is_unfolded: bool = True) -> list[Frame]:
        """The frames of the next event of the match: one, or of a decision that is `unfolded` one a beat."""
        record, state, before = event.record, event.match.state, self._state
        self._state = state
        if self._withheld is not None and record["kind"] == "attempt" and not self.perspective.reads(record["seat"]):
            self._withheld.keep(record, record["seat"], state)
        if not event.events:
            beat = {"talk": ACT, "result": FINALE}.get(record["kind"], AT_ONCE)
            return [replace(self._frame(state, beat), lines=self.lines(record), record=record)]
        remarks = remarks_on(state, event.events)
        found = self.cut(before if is_unfolded else None, state, event.events, remarks)
        released = [] if self._withheld is None else self._withheld.released(state)
        found[-1] = replace(found[-1], lines=(*found[-1].lines, *(Line((), *one) for one in released)))
        return [replace(found[0], record=record), *found[1:]]

    def still(self, match: MatchState) -> Frame:
        """What is shown of a match as it is, whatever led to it."""
        self._state = match.state
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
        return said + tuple(
            Line(line) for group in grouped(self._script, self.perspective, events, remarks) for line in group.lines
        )

    # -- decisions ---------------------------------------------------------------------------------------------------

    def cut(self, before: State | None, after: State, events: Sequence[Event], remarks: Sequence[Remark]) -> list[Frame]:
        """The frames of what led from one state to another; one alone where the first is None."""
        groups = [*grouped(self._script, self.perspective, events, remarks)]
        last = replace(self._frame(after, ROUTINE), begins=any(event.kind == PHASE for event in events))
        if before is None or len(groups) < 2:
            beat = max((group.beat for group in groups), key=BEATS.index, default=ROUTINE)
            return [replace(last, beat=beat, lines=tuple(Line(line) for group in groups for line in group.lines))]
        seen, then = (self.perspective.visible(state, self.names) for state in (before, after))
        frame, found = replace(self._frame(before, AT_ONCE), is_last=False), list[Frame]()
        for shot in shots(self._script, groups, seen, then):
            is_last = shot.seen is None
            look = last.see if shot.seen is None else partial(scene_of, self.game, shot.seen)
            found.append(replace(last if is_last else frame, see=look, beat=shot.beat, lines=tuple(map(Line, shot.lines))))
        return found

    def _frame(self, state: State, beat: str) -> Frame:
        """The table of a state, as it will be looked at."""
        return Frame(partial(self.scene, state), Heading.of(state), (), beat)

    def scene(self, state: State) -> Scene:
        """The table as the perspective sees it."""
        return scene_of(self.game, self.perspective.visible(state, self.names))
