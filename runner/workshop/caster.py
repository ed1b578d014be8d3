"""Caster: a model that comments on the highlights of a match for those who watch. It reads numbered facts that their view may
know. Each of its sentences names the facts it stands on, and one that says more than they do is not shown."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple, Self

import games
from games.core import PHASE, Event, Question, Remark, answer_schema, as_told, quoted, seat_name
from games.core.sentence import labelled
from games.highlights import remarked, remarks_on
from runner.agents.model_seats import model_of, own_pack
from runner.agents.spec import check_spec, is_model, seat_spec
from runner.errors import TabletopError, UsageError
from runner.files import read_toml
from runner.film.perspective import Perspective
from runner.llm.outcome import InputRefused, PromptTooLong
from runner.llm.request import Message
from runner.llm.strict_json import Unreadable
from runner.prompting.pack import PromptPack, prompt_context
from runner.prompting.vocabulary import stems_of
from runner.record.decisions import decisions, remarks_on_decision
from runner.screen.safe_text import clean
from runner.screen.seat_labels import labels_of
from runner.session.asked_model import answer_to, form_of

if TYPE_CHECKING:
    from runner.agents.environment import Environment
    from runner.llm.client import Client
    from runner.match.header import HeaderRecord
    from runner.match.match_state import MatchEvent
    from runner.record.reader import Log

CASTER, ROLE = "caster", "highlight"
"""The folder of the caster's template in a prompt pack, and the template."""

MOST_MOMENTS = 8
"""Highlights of a match that a caster is asked about."""

_TOGETHER = 0.5
"""Seconds in which moments count as one."""

_MOST_FACTS, _MOST_SENTENCES = 20, 2
_LONGEST_FACT, _LONGEST_SENTENCE = 400, 240

_SENTENCE = answer_schema(
    text={"type": "string", "description": f"a sentence of at most {_LONGEST_SENTENCE} characters"},
    facts={"type": "array", "items": {"type": "integer"}, "description": "the numbers of the facts that it stands on"},
)
_ASKED = answer_schema(sentences={"type": "array", "items": _SENTENCE, "description": "one or two sentences"})
_QUESTION = Question("What do you say?", _ASKED, ROLE)

_ENGLISH = read_toml(files("runner.workshop").joinpath("caster.toml").read_text(encoding="utf-8"))
_OPENERS, _NUMBERS = frozenset(_ENGLISH["openers"].split()), _ENGLISH["numbers"]
_SHORT, _ENDING = 3, re.compile("(?:e?s|e?d|ing|ers?)?")
"""Letters of a stem that other words have, too, and how the forms of such a word end."""
_WORD = re.compile(r"\w+(?:['’]\w+)?")


class Moment(NamedTuple):
    """A highlight of decision `number`: its weight, and the facts so far, of which it is the one at `place`, from 1."""

    number: int
    weight: int
    place: int
    facts: tuple[str, ...]


class Facts:
    """What has been told of a match, as a perspective may know it."""

    def __init__(self, perspective: Perspective, labels: Sequence[str]) -> None:
        self._perspective, self._labels, self._told = perspective, labels, deque[str](maxlen=_MOST_FACTS)

    def take(self, number: int, events: Sequence[Event], remarks: Iterable[Remark]) -> Moment | None:
        """Note what a decision brings; it is a moment if a highlight is among it."""
        new, found = list[str](), list[tuple[int, int]]()
        for event, known in self._perspective.visible_remarks(events, remarks):
            if event.kind != PHASE:
                said = (as_told(remark.text, self._labels) for remark in known)
                new.append(clean(remarked(labelled(event, self._labels), *said), _LONGEST_FACT))
                found += [(remark.weight, len(new)) for remark in known if remark.kind]
        self._told += new
        if not found:
            return None
        weight, place = max(found)
        return Moment(number, weight, max(1, len(self._told) - len(new) + place), tuple(self._told))


class _Content(NamedTuple):
    """What a text says of whom, of what and how many, which words name something, and all its words."""

    things: set[object]
    names: set[str]
    words: set[str]

    @classmethod
    def of(cls, text: str, players: Collection[str], stems: Collection[str]) -> Self:
        """What a text says. `stems` are how words of the game begin."""
        found = cls(set(), set(), set())
        for name in sorted(players, key=len, reverse=True):
            text, count = re.subn(rf"(?<!\w){re.escape(name)}(?!\w)", "…", text, flags=re.IGNORECASE)
            found.things.update({name} if count else ())
        for place in _WORD.finditer(text):
            word = re.sub("['’]s$", "", place[0])
            low = word.casefold()
            found.words.add(low)
            found.things.update(map(int, re.findall(r"\d+", word)))
            found.things.update({_NUMBERS[low]} if low in _NUMBERS else ())
            found.things.update(stem for stem in stems if low.startswith(stem) and _is_form(low, stem))
            if not ((word.isascii() and word.islower()) or word.isdecimal() or (place.start() == 0 and low in _OPENERS)):
                found.names.add(low)
        return found


def _is_form(word: str, stem: str) -> bool:
    """Whether a word that begins as a word of the game does is a form of it."""
    return len(stem) > _SHORT or _ENDING.fullmatch(word, len(stem)) is not None


def stands(text: str, facts: str, players: Collection[str], stems: Collection[str]) -> bool:
    """Whether a sentence names players, numbers, words of the game or proper nouns, and each is in the facts that it names."""
    said, known = (_Content.of(one, players, stems) for one in (text, facts))
    return bool(said.things or said.names) and said.things <= known.things and said.names <= known.words


class Caster:
    """A model that comments on one match. `comments` has the lines that stand, by decision; `why` it has stopped, if it has."""

    def __init__(self, text: str, environment: Environment, header: HeaderRecord, perspective: Perspective) -> None:
        """The caster that a SPEC names. UsageError for one that is no model, AccountError for one that lacks its key."""
        self.perspective, self.labels, self._game = perspective, labels_of(header["seats"]), games.load(header["game"])
        spec = seat_spec(text, environment)
        if not is_model(spec):
            raise UsageError(f"--caster {quoted(text)} is not a model: only a model can comment, such as openai/gpt-5-mini.")
        check_spec(spec, self._game, environment)
        self._model, self._pack = model_of(spec, environment), own_pack(spec.settings(environment), PromptPack())
        self._name = clean(spec.given_name(environment) or spec.short_name, 60)
        self._players = {*self.labels, *map(seat_name, range(header["players"]))}
        self._stems = stems_of(self._game.name, PromptPack())
        self.comments, self.why = defaultdict[int, list[str]](list), ""

    def moments(self, log: Log, after: int = 0) -> list[Moment]:
        """The moments of a log that are most worth a comment, after a decision, in order."""
        facts = Facts(self.perspective, self.labels)
        taken = (facts.take(one.number, one.events, remarks_on_decision(one)) for one in decisions(log))
        found = [moment for moment in taken if moment is not None and moment.number > after]
        return sorted(sorted(found, key=lambda moment: -moment.weight)[:MOST_MOMENTS])

    async def comment(self, client: Client, *moments: Moment) -> None:
        """Ask about moments at the same time. What the model cannot be asked is left out."""
        await asyncio.gather(*(self._comment(client, moment) for moment in moments))

    async def _comment(self, client: Client, moment: Moment) -> None:
        try:
            form = await form_of(client, self._model, [self._messages(moment, lacks_schema=True)])
            messages = self._messages(moment, lacks_schema=not form.carries_schema)
            found = await answer_to(client, self._model, form, messages, _ASKED)
        except (InputRefused, PromptTooLong, Unreadable):
            return
        except TabletopError as error:
            self.why = error.sentence
            return
        for sentence in self._standing(found.get("sentences"), moment):
            self.comments[moment.number].append(f"caster, {self._name}: {sentence}")

    def _messages(self, moment: Moment, *, lacks_schema: bool) -> list[Message]:
        view = {"game": self._game.title, "facts": moment.facts, "place": moment.place, "seat": 0, "own": {}}
        return self._pack.render(CASTER, ROLE, prompt_context(view, _QUESTION, {}, lacks_schema))

    def _standing(self, sentences: object, moment: Moment) -> list[str]:
        """The sentences that stand on facts, safe to show."""
        found = list[str]()
        for one in sentences if isinstance(sentences, list) else ():
            match one:
                case {"text": str(text), "facts": [_, *_] as numbers} if len(text) <= _LONGEST_SENTENCE:
                    known = dict(enumerate(moment.facts, 1))
                    cited = [known.get(number, "") for number in numbers if type(number) is int]
                    line = " ".join(clean(text).split())
                    is_founded = len(cited) == len(numbers) and all(cited)
                    if line and is_founded and stands(line, "\n".join(cited), self._players, self._stems):
                        found.append(line)
        return found[:_MOST_SENTENCES]


class LiveComments:
    """Sink that comments on a match that is followed. Nothing waits for a question. Of moments that come together, as when the
    screen catches up, only the last is commented on."""

    def __init__(self, caster: Caster, client: Client, tell: Callable[[str, Perspective], object]) -> None:
        self._caster, self._client, self._tell = caster, client, tell
        self._facts, self._number = Facts(caster.perspective, caster.labels), 0
        self._newest: Moment | None = None
        self._tasks, self._asked, self._is_over = list[asyncio.Task[None]](), 0, asyncio.Event()

    async def emit(self, event: MatchEvent) -> None:
        """Note what happens, and comment on it soon if it is a highlight."""
        self._number += event.record["kind"] == "decision"
        if moment := self._facts.take(self._number, event.events, remarks_on(event.match.state, event.events)):
            self._newest = moment
            self._tasks.append(asyncio.create_task(self._comment(moment)))

    async def _comment(self, moment: Moment) -> None:
        """Comment on a moment, unless another one follows at once or the caster may not be asked any more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_TOGETHER):
                await self._is_over.wait()
        if self._newest is moment and not self._caster.why and self._asked < MOST_MOMENTS:
            self._asked += 1
            await self._caster.comment(self._client, moment)
            for line in self._caster.comments[moment.number]:
                self._tell(line, self._caster.perspective)

    async def finish(self, seconds: float) -> None:
        """Wait for the comments on what has happened, these seconds at most."""
        self._is_over.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    def stop(self) -> None:
        """Give up what is not answered yet."""
        for task in self._tasks:
            task.cancel()
