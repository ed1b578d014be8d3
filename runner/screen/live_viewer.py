"""Live viewer: what is shown of a match while it is played, and the effect of each key."""

from collections import deque
from collections.abc import Callable
from dataclasses import replace

from games.core import Event, Remark, as_told
from games.highlights import Highlight, remarks_on
from games.scenes import shown_by_table
from games.withheld import Withheld
from runner.agents.spec import Human
from runner.film.film import Film, Frame
from runner.film.pacing import ALL_OF_IT, Pacing
from runner.film.perspective import Perspective
from runner.match.match_state import MatchEvent, MatchState
from runner.match.records import Record
from runner.screen.narrator import Narrator
from runner.screen.seat_labels import labels_of
from runner.screen.seat_states import SeatState
from runner.screen.story import Story
from runner.screen.transcript import caster_line

_MOST_NOTED = 400
"""Records that the story goes back, and that another view tells again."""

_Noted = tuple[Record, tuple[Event, ...], list[Remark]]


class LiveViewer:
    """The frames of a match that have been shown and those whose time has not come, the story that they tell, and how far
    somebody looks back. `said` is the message of the last key; `is_stale`: the table is another one than was drawn last, and
    `has_news`: so is anything.

    Keys change the view: one that hides something stays, the view of all goes to the others and back. `first` is the view that
    it begins with.
    """

    match: MatchState
    frame: Frame
    """The newest that is shown."""
    has_help = is_stale = has_news = False
    said = ""
    back = scrolled = 0
    """How many frames, and beside that lines of the story, somebody looks back."""
    _film: Film
    _number = 0
    """The decisions so far."""

    def __init__(
        self, narrator: Narrator, pacing: Pacing, clock: Callable[[], float], first: Perspective | None, has_motion: bool
    ) -> None:
        self.narrator, self.pacing, self._clock, self._has_motion = narrator, pacing, clock, has_motion
        pacing.weigh = self.unfold
        self.views, self._first = [narrator.perspective], first or narrator.perspective
        self.seats, self.story, self.highlights = list[SeatState](), Story(), list[Highlight]()
        self.due, self._prepared = deque[tuple[float, Frame]](), list[Frame]()
        self._noted: deque[_Noted] = deque(maxlen=_MOST_NOTED)
        self._past: deque[tuple[Frame, int]] = deque(maxlen=_MOST_NOTED)
        self._withheld, self._comments = Withheld(), list[tuple[str, Perspective]]()

    # -- what happens ------------------------------------------------------------------------------------------------

    def begin(self, event: MatchEvent) -> None:
        """Tell a match from its beginning, or from where it is resumed."""
        self.match = event.match
        self.seats = [SeatState() for _ in self.match.config.seats]
        self.views = self.views[0].views(len(self.seats))
        self.recall(event)
        self.narrate_as(replace(self.narrator, perspective=self._first))

    def recall(self, event: MatchEvent) -> None:
        """Note what happened; what happened before the match begins on this screen is told then."""
        if event.record["kind"] in ("header", "decision", "attempt"):
            remarks, state = remarks_on(event.match.state, event.events), event.match.state
            self._noted += [*((record, (), []) for record in event.said), (event.record, event.events, remarks)]
            self._number += event.record["kind"] == "decision"
            found = (one for one in remarks if one.kind)
            self.highlights += [Highlight(self._number, state.round, event.events[one.event], one) for one in found]

    def unfold(self, event: MatchEvent) -> float:
        """Prepare the frames of a step, before it is shown; how long they take, in units of the speed."""
        self.play(ALL_OF_IT)
        if not self.seats or not self.pacing.takes_time:
            return 1.0
        self._prepared = self._film.take(event)
        return sum(frame.weight for frame in self._prepared)

    def take(self, event: MatchEvent) -> None:
        """Show the frames of what happened when their time has come: the first one at once, if nothing is shown before it."""
        self.match = event.match
        frames, self._prepared = self._prepared or self._film.take(event, is_unfolded=False), []
        self.recall(event)
        start = self.due[-1][0] if self.due else 0.0
        for frame in frames:
            self.due.append((round(start, 3), frame))
            start += frame.weight
        self.play(0.0 if self.pacing.takes_time else ALL_OF_IT)

    def play(self, passed: float | None = None) -> bool:
        """Show the frames whose time has come, or those up to another time; whether there were any."""
        passed, left = self.pacing.passed if passed is None else passed, len(self.due)
        while self.due and self.due[0][0] <= passed:
            self._show(self.due.popleft()[1])
        if self._comments and not self.due:
            own = self.narrator.perspective
            self.story.tell(caster_line(text) for text, seen in self._comments if own.sees_all or seen in (Perspective(), own))
            self._comments, self.has_news = [], True
        return len(self.due) < left

    def comment(self, text: str, seen: Perspective) -> None:
        """Tell what a caster says, who has seen what a perspective does, when all that happened is shown."""
        self._comments.append((text, seen))

    def _show(self, frame: Frame) -> None:
        self.frame, self.is_stale, self.has_news, told = frame, True, True, self.story.count
        if frame.record is not None:
            self._follow(frame.record)
        shown = shown_by_table(self.match.config.game)
        self.story.tell(self.narrator.framed(frame.lines, self.match.config.setup.options.strikes, shown), self._clock())
        for seat in self.seats if frame.begins else ():
            seat.rest()
        if (frame.lines or frame.beat) and not frame.is_moving:
            self._past.append((frame, self.story.count))
            self.back = min(self.back + (self.back > 0), len(self._past) - 1)
        self.scrolled += (self.story.count - told) * (self.scrolled > 0)

    def _follow(self, record: Record) -> None:
        """Note what a seat does."""
        match record["kind"]:
            case "question":
                self.seats[record["seat"]].ask(self._clock(), record.get("strikes"))
            case "attempt":
                self.seats[record["seat"]].attempt(record)
            case "decision":
                self.seats[record["seat"]].decide(self.narrator.perspective.how(record))
            case "moot":
                self.seats[record["seat"]].decide("moot")

    # -- as whom -----------------------------------------------------------------------------------------------------

    def narrate_as(self, narrator: Narrator) -> None:
        """Tell the story again, as this narrator may know it."""
        for _, frame in self.due:
            if frame.record is not None:
                self._follow(frame.record)
        self.due.clear()
        config, self.narrator = self.match.config, narrator.of(self.match.config.seats, is_played=True)
        withheld = self._withheld if len(self.views) > 1 else None
        self._film = Film(config.game, self.narrator.perspective, self.called, withheld, self._has_motion)
        self.frame, self.is_stale, self.has_news = self._film.still(self.match), True, True
        self._past.clear()
        self.back = self.scrolled = 0
        self.story, shown = Story(), shown_by_table(config.game)
        for noted in self._noted:
            self.story.tell(self.narrator.framed(self._film.lines(*noted), config.setup.options.strikes, shown))

    @property
    def seen(self) -> Frame:
        """The frame that is looked at."""
        return self._past[-1 - self.back][0] if self.back else self.frame

    @property
    def unread(self) -> int:
        """How many lines of the story are newer than what is looked at."""
        return self.scrolled + (self.story.count - self._past[-1 - self.back][1] if self.back else 0)

    @property
    def is_played(self) -> bool:
        """Whether a person plays."""
        return any(seat.kind == Human.kind for seat in self.match.config.seats)

    @property
    def called(self) -> tuple[str, ...]:
        """What the players are called."""
        return labels_of(self.match.config.seats, self.narrator.perspective.seat)

    # -- keys --------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Show the next event now: the next frame, or the next step."""
        if self.due:
            self.pacing.skip(next(start for start, frame in self.due if not frame.is_moving))
        else:
            self.pacing.step()

    def skip(self) -> None:
        """Show all that the last decision has brought."""
        if self.due:
            self.pacing.skip(self.due[-1][0])

    def look(self, step: int) -> None:
        """Go to the next frame (1) or the previous one (-1); from the newest one to what comes next."""
        if step > 0 and not self.back:
            self.step()
        self.back = max(0, min(self.back - step, len(self._past) - 1))
        self.is_stale = True

    def scroll_by(self, lines: int) -> None:
        """Scroll the story to later lines, or to earlier ones."""
        self.scrolled = max(0, min(self.scrolled - lines, len(self.story.lines) - 1))

    def go_to_end(self) -> None:
        """Show what happens now; from there, go to the end of the match, or to the next question to a person."""
        if not (self.back or self.scrolled):
            self.pacing.hurry()
        self.back, self.scrolled, self.is_stale = 0, 0, True

    def switch_help(self) -> None:
        """Show the help and the rules in short."""
        self.has_help = True

    def turn(self, step: int) -> None:
        """Go to the next view (1) or the previous one (-1)."""
        views, narrator = self.views, self.narrator
        if len(views) == 1:
            self.said = f"the view stays {as_told(views[0].name, self.called)}"
            return
        self.narrate_as(replace(narrator, perspective=views[(views.index(narrator.perspective) + step) % len(views)]))

    def switch_thoughts(self) -> None:
        """Show or hide thoughts."""
        self.narrate_as(replace(self.narrator, has_thoughts=not self.narrator.has_thoughts))
        self.said = "thoughts on" if self.narrator.has_thoughts else "thoughts off"

    def refuse_to_quit(self) -> None:
        """Say how to stop: a paid match should not end by one key."""
        self.said = "Ctrl-C stops"
