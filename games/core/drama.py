"""Drama: how a game wants its events to be told one after the other: the kind of beat of each, and what each changes on the
table. A game says it in the module of its table: `SHOWN`, `BEATS`, `TITLES`, `LETTERS`, `BY_TEXT`, `told`,
`landings`, `moves`, `is_open`, `asked`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.core.definition import View
from games.core.event import Event
from games.core.scene import Owns, Scene, module_of

ROUTINE, ACT, BREATH, REVEAL, VOTE = "routine", "act", "held breath", "reveal", "vote"
CONSEQUENCE, ELIMINATION, FINALE = "consequence", "elimination", "finale"
BEATS = (ROUTINE, VOTE, ACT, CONSEQUENCE, REVEAL, BREATH, ELIMINATION, FINALE)
"""Kinds of beats, those that are shown for the shortest time first. Routine events that follow one another are one beat."""
AT_ONCE = ""
"""The beat of what takes no time of its own: a question, an attempt."""
SECONDS: Mapping[str, float] = {
    AT_ONCE: 0.0,
    ROUTINE: 0.5,
    VOTE: 0.6,
    ACT: 1.0,
    CONSEQUENCE: 1.2,
    REVEAL: 1.6,
    BREATH: 2.0,
    ELIMINATION: 2.4,
    FINALE: 6.0,
}
"""How long a beat is shown, in units of the speed. Where somebody can press a key, a finale stays until they do."""
MOVES, MOVE = 2, 0.15
"""How many scenes there are at most between two tables, while something moves, and how long each is shown, as a part of its
beat."""


@dataclass(slots=True)
class Stage:
    """What is on the table while the events of a decision are told: `view`, and the private parts `own` of the seats whose
    cards may be shown, are copies whose fields may be replaced, but not changed. `after` is the view after the whole decision,
    and `own_after` are the private parts after it."""

    view: View
    own: dict[int, dict[str, Any]]
    after: View
    own_after: Owns

    def place(self, name: str, seat: int, value: object) -> None:
        """Replace what a field of the view says of a seat, or of a place."""
        found = list(self.view[name])
        found[seat] = value
        self.view[name] = found

    def add(self, name: str, seat: int, number: int) -> None:
        """Change a number of a seat."""
        self.place(name, seat, self.view[name][seat] + number)


Telling = Callable[[Stage, Event], None]
Landing = Callable[[Stage, Event], Iterable[Stage]]
Moving = Callable[[Scene, Scene, Event], Iterable[Scene]]


def _nothing(stage: Stage, event: Event) -> None:
    """What an event changes in a game that does not say it: its table changes with the last event of a decision."""


def _at_once(stage: Stage, event: Event) -> Iterable[Stage]:
    return ()


def _as_usual(before: Scene, after: Scene, event: Event) -> Iterable[Scene]:
    """What moves in a game that does not say it: numbers, cards that turn, tokens that land."""
    return ()


def _never(own: Mapping[str, Any], seat: int, view: View) -> bool:
    return False


def _untold(view: View) -> str:
    """What a seat is asked in a game that does not say it."""
    return ""


class Script(NamedTuple):
    """How a game's events are told. `shown`: kinds that the table shows, so that a story beside it need not tell them;
    `beats`: the kind of beat of a kind of event, or of a kind with its `action` (`declaration income`), or of a highlight; ACT
    for any other. `titles`: a phase in words for people who look on, where its name says too much or too little. `told` changes
    the stage by what an event tells; `landings` are the stages just before an event, such as votes turned up one by one;
    `moves` are the scenes between that before an event and that after it, with nothing that the event does not tell.
    `letters`: the key of each choice of a person, by what is chosen and the name of the choice; none for choices that have
    numbers. `is_open` says whether all that a seat alone knew once (its private part then) is public in a view. `asked` says
    what a seat does or may do that decides in a view (`may challenge the Duke`); empty: its phase says enough.
    `by_text`: what is chosen by an id that says nothing to people, who know it by the text beside it."""

    shown: frozenset[str] = frozenset()
    beats: Mapping[str, str] = {}
    titles: Mapping[int, str] = {}
    told: Telling = _nothing
    landings: Landing = _at_once
    moves: Moving = _as_usual
    letters: Mapping[str, Mapping[str, str]] = {}
    is_open: Callable[[Mapping[str, Any], int, View], bool] = _never
    asked: Callable[[View], str] = _untold
    by_text: frozenset[str] = frozenset()

    @classmethod
    def of(cls, module: str) -> Script:
        """The script of a game's table module; a plain one for a game that names none."""
        if not module:
            return cls()
        found = module_of(module)
        names = {"shown": "SHOWN", "beats": "BEATS", "titles": "TITLES", "letters": "LETTERS", "by_text": "BY_TEXT"}
        names |= {name: name for name in ("told", "landings", "moves", "is_open", "asked")}
        given: dict[str, Any] = {field: getattr(found, name) for field, name in names.items() if hasattr(found, name)}
        return cls(**given)

    def beat(self, event: Event, highlights: Sequence[str] = ()) -> str:
        """The kind of beat of an event with highlights of these kinds: the one that is shown longest."""
        known = self.beats.get(f"{event.kind} {event.data.get('action')}") or self.beats.get(event.kind, ACT)
        return max([known, *(self.beats[kind] for kind in highlights if kind in self.beats)], key=BEATS.index)


def with_item(items: Sequence[Any], place: int, **facts: Any) -> list[Any]:
    """A list with other facts in the object at a place."""
    found = list(items)
    found[place] = {**found[place], **facts}
    return found


def without(items: Sequence[Any], gone: Iterable[Any]) -> list[Any]:
    """A list without some of its items, each once."""
    found = list(items)
    for one in gone:
        if one in found:
            found.remove(one)
    return found
