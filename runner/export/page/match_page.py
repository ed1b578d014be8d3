"""Match page: a logged match as one self-contained HTML page, without network access, that works from a disk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import cast

import games
from games.core import PHASE, Event, Game, Remark, as_told, seat_name
from games.core.eye import VisibleState, visible_to
from games.core.scene import Scene
from games.highlights import Highlight, best, remarked
from games.scenes import Heading, scene_of
from games.telling import parts_of
from runner.agents.spec import Seat
from runner.export.pages import render
from runner.export.scene_nodes import Tables
from runner.film.film import Film
from runner.film.perspective import EVERYTHING, PUBLIC, Perspective
from runner.match.header import HeaderRecord, rules_in_words
from runner.match.records import AttemptRecord, MessageRecord, QuestionRecord
from runner.record.decisions import LoggedDecision, decisions, remarks_on_decision
from runner.record.line import REFERENCE, is_reference, paragraphs
from runner.record.notes import kept_notes
from runner.record.reader import Log
from runner.review.review_document import SeatEntry
from runner.screen.narrator import Narrator, quotation, thoughts
from runner.screen.replay_page import spent_line
from runner.screen.result import verdict
from runner.screen.safe_text import clean, clean_block
from runner.screen.seat_labels import grouped, labels_of
from runner.screen.seen_review import GradedDecision, SeenReview, known_in, percent
from runner.screen.transcript import NO_COMMENTS, Comments

PageData = dict[str, object]
"""JSON-able values by name."""

PageLine = list[str | int | None]
"""The kind of a line, then its facts: `fault`, `note` or `caster` with a text; `line` or `secret` (not for everyone) with the
words of an event, the remark on it and the kind of highlight; `talk` with a seat and a text."""

_UNBROKEN = "\N{NO-BREAK SPACE}"
_LONGEST_NAME, _MOST_CHOICES = 60, 40
_FILMED, _MOST_FILMED = 1, 200
"""How many views of a page, from the first one on, have a table for every frame, and until which decision."""


def match_page(
    log: Log,
    view: str = EVERYTHING,
    review: SeenReview | None = None,
    *,
    replayed: Sequence[LoggedDecision] | None = None,
    has_thoughts: bool = False,
    links: Sequence[tuple[str, str]] = (),
    picture: str = "",
    address: str = "",
    comments: Comments = NO_COMMENTS,
) -> str:
    """The page of a log as a view may see it: `all`, `public` or a seat such as `P-1`. LogDamagedError for a damaged log.

    With `all` the reader can choose any view. With `has_thoughts` long thoughts are shown in full. `links` stand above the
    title: the words and the address of each. Decision N has the fragment `#dN`. `replayed` are the log's decisions, where they
    were read already; `picture` is the file or address of its preview, `address` that of the page where it is known. `comments`
    are a caster's, who knows what `view` does. The same arguments give the same text.
    """
    replayed = list(decisions(log)) if replayed is None else replayed
    data = _page_data(log, replayed, view, review, comments) | {"open": has_thoughts}
    return render("match.html", data=data, links=links, picture=picture, address=address)


def _titled(header: HeaderRecord) -> list[str]:
    """The players for a title: their given names, else what plays."""
    seats = [Seat.of(seat) for seat in header["seats"]]
    return grouped(clean(seat.called or seat.name.partition("@")[0].rpartition("/")[2], _LONGEST_NAME) for seat in seats)


# -- the data ---------------------------------------------------------------------------------------------------------


def _page_data(
    log: Log, replayed: Sequence[LoggedDecision], view: str, review: SeenReview | None, comments: Comments
) -> PageData:
    """The data of a page as JSON. `replayed` are the decisions of the log; with `view` all it has every view."""
    header, result, game = log.header, log.result, games.load(log.header["game"])
    players = header["players"]
    words = [EVERYTHING, PUBLIC, *(seat_name(seat) for seat in range(players))] if view == EVERYTHING else [view]
    names = labels_of(header["seats"])
    steps = _Steps(game, names, TextStore(log.shared, players))
    steps.notes = kept_notes(log.path) if view == EVERYTHING else {}
    steps.comments = {**comments}
    steps.eyes = [_Eye(Narrator(Perspective.of(word, players), labels=names), steps, review) for word in words]
    return {
        "title": f"{game.title}: {', '.join(_titled(header))}",
        "roundWord": game.round_word.capitalize(),
        "about": f"{players} players, {clean(rules_in_words(header), 90)}, {clean(header['created'])[:10]}"
        + (f", seed {header['seed']}" if view == EVERYTHING else ""),
        "seats": [
            {"name": names[seat], "player": clean(record.get("name"), _LONGEST_NAME)}
            for seat, record in enumerate(header["seats"])
        ],
        "eyes": [eye.perspective.name for eye in steps.eyes],
        "steps": [steps.step(decision) for decision in replayed],
        "chart": steps.chart or "Score",
        "asks": steps.asks,
        "elements": steps.tables.data,
        "result": None if result is None else {"text": verdict(result), "winners": result["winners"]},
        "reviews": [eye.review() for eye in steps.eyes] if review else [],
        "best": [eye.best() for eye in steps.eyes],
        "lines": list(steps.texts.lines),
        "messages": list(steps.texts.messages),
        "texts": list(steps.texts.texts),
    }


class _Steps:
    """The steps of a page, from the deal on, with what they share: tables, texts, prompts and answers."""

    def __init__(self, game: Game, names: tuple[str, ...], texts: TextStore) -> None:
        self.game, self.names, self.texts, self.tables = game, names, texts, Tables(names)
        self.asks, self.eyes, self.chart = list[PageData](), list[_Eye](), ""
        self.notes, self.comments = dict[int, str](), dict[int, Sequence[str]]()

    def step(self, decision: LoggedDecision) -> PageData:
        """A decision, or the deal, and what each view sees of it."""
        state, remarks = decision.state, remarks_on_decision(decision)
        visible = visible_to([eye.perspective for eye in self.eyes], state, self.names)
        ask = self._ask(decision) if any(eye.reads(decision) for eye in self.eyes) else None
        seen = [
            [eye.table(part), list(eye.told(decision, remarks)), ask if eye.reads(decision) else None]
            for eye, part in zip(self.eyes, visible, strict=True)
        ]
        beats = {
            number: found
            for number, eye in enumerate(self.eyes)
            if (found := eye.beats(decision, number < _FILMED and decision.number <= _MOST_FILMED))
        }
        scene = self.eyes[0].scene
        self.chart = scene.standing_name
        return {
            "round": state.round,
            "phase": Heading.of(state).phase,
            "seat": decision.seat,
            "line": scene.standing or list(state.scores),
            "seen": seen,
            **({"beats": beats} if beats else {}),
        }

    def _ask(self, decision: LoggedDecision) -> int:
        assert decision.record is not None
        action, question = decision.record["action"], _question(decision)
        choices, played = _choices(decision, self.names)
        self.asks.append(
            {
                "choices": self.texts.text("\n".join(choices)) if played is not None else None,
                "played": played,
                "question": None if question is None else self.texts.text(question),
                "how": clean(decision.record["how"], 40),
                "action": None if action is None else self.texts.text(json.dumps(action, ensure_ascii=False)),
                "attempts": [_attempt(attempt, self.texts) for attempt in decision.attempts],
            }
        )
        return len(self.asks) - 1


class _Eye:
    """What one view sees of the steps; it keeps its highlights, win shares and grades."""

    def __init__(self, narrator: Narrator, steps: _Steps, review: SeenReview | None) -> None:
        self.perspective = narrator.perspective
        self._narrator, self._steps, self._review = narrator, steps, review
        self._last: VisibleState | None = None
        self._table = self._before = 0
        self._highlights, self._chances, self._grades = list[Highlight](), list[list[float]](), dict[int, PageData]()
        self.scene = Scene((), ())

    def reads(self, decision: LoggedDecision) -> bool:
        """Whether the view may know the prompt and the answers of a decision."""
        return decision.seat is not None and self.perspective.reads(decision.seat)

    def beats(self, decision: LoggedDecision, is_filmed: bool) -> list[list[float]]:
        """Of each frame its table, how many events are told by then, how long it is shown, and 1 if something is on its way;
        none where there is one alone. Call it after `table`. Not `is_filmed`: the table of before stands until the last one,
        so that a page of every view is small."""
        found = Film(self._steps.game, self.perspective, self._steps.names, has_motion=is_filmed).logged(decision)
        if len(found) < 2:
            return []
        told = accumulate(sum(len(line.told) for line in frame.lines) for frame in found)
        draw = self._steps.tables.table
        tables = [draw(frame.scene) if is_filmed else self._before for frame in found[:-1]]
        return [
            [number, lines, round(frame.weight, 2), *[1] * frame.is_moving]
            for number, lines, frame in zip([*tables, self._table], told, found, strict=True)
        ]

    def table(self, seen: VisibleState) -> int:
        """The number of the table, drawn again only where the view has changed."""
        self._before = self._table
        if seen != self._last:
            self._last, self.scene = seen, scene_of(self._steps.game, seen)
            self._table = self._steps.tables.table(self.scene)
        return self._table

    def told(self, decision: LoggedDecision, remarks: Sequence[Remark]) -> Iterator[PageLine]:
        """The lines of a decision: why answers were invalid, what was said, and the events with the game's remarks."""
        self._grade(decision)
        texts = self._steps.texts
        for attempt in decision.attempts:
            for line in self._narrator.outcome(attempt, decision.state.setup.options.strikes):
                yield ["fault", texts.text(line.plain)]
        for record in decision.talk:
            yield ["talk", record["seat"], texts.text(quotation(record["text"]))]
        for event, known in self.perspective.visible_remarks(decision.events, remarks):
            if event.kind != PHASE:
                self._highlights += [Highlight(decision.number, decision.before.round, event, one) for one in known if one.kind]
                yield self._event(event, known)
        for text in self._steps.comments.get(decision.number, ()) if self is self._steps.eyes[0] else ():
            yield ["caster", texts.text(text)]
        if self.perspective.sees_all and (note := self._steps.notes.get(decision.number)):
            yield ["note", texts.text(note)]

    def _event(self, event: Event, remarks: Sequence[Remark]) -> PageLine:
        texts, kinds = self._steps.texts, self._steps.game.highlight_kinds
        entry: PageLine = ["line" if event.audience is None else "secret", texts.line(event)]
        if remarks:
            words = as_told(", ".join(filter(None, (remark.text for remark in remarks))), self._steps.names)
            kind = next((kinds[remark.kind] for remark in remarks if remark.kind), None)
            entry += [texts.text(words) if words else None, kind]
        return entry

    def best(self) -> list[list[int]]:
        """The best highlights of the match: the decision and its words."""
        return [[one.number, self._steps.texts.line(_remarked(one))] for one in best(self._highlights)]

    def _grade(self, decision: LoggedDecision) -> None:
        if self._review is None:
            return
        if shares := self._review.shares(decision.number, decision.state, self.perspective):
            self._chances.append([round(share, 3) for share in shares])
        if (graded := self._review.graded(decision.number, decision.before, self.perspective)) is not None:
            self._grades[decision.number] = _grade(graded)

    def review(self) -> PageData:
        """The shares of the win after each step, the grades by decision, the seats, and how they were found."""
        document = self._review.document(self.perspective) if self._review else None
        return {
            "chances": self._chances,
            "grades": self._grades,
            "seats": [_seat(seat) for seat in document["seats"] if seat["decisions"]] if document else [],
            "playouts": document["playouts"] if document else 0,
            "known": known_in(self.perspective.name, self._steps.names),
        }


def _remarked(highlight: Highlight) -> Event:
    return highlight.event._replace(text=remarked(highlight.event.text, highlight.remark.text))


def _grade(graded: GradedDecision) -> PageData:
    return {
        "grade": graded.grade,
        "sign": graded.sign,
        "seat": graded.seat,
        "known": graded.known,
        "played": [graded.played.names, graded.played.effects],
        "better": [graded.better.names, graded.better.effects],
        "share": round(graded.share, 3),
        "best": round(graded.best_share, 3),
        "lost": round(graded.given_up, 3),
        "loss": graded.loss.replace(" ", _UNBROKEN),
    }


def _seat(seat: SeatEntry) -> PageData:
    interval = "" if seat["interval"] is None else " to ".join(map(percent, seat["interval"]))
    faults = [seat["blunders"], seat["mistakes"], seat["inaccuracies"]]
    return {"seat": seat["seat"], "facts": [seat["decisions"], percent(seat["given_up"]), interval, *faults]}


def _question(decision: LoggedDecision) -> str | None:
    """The words of the question; those of a bot's, which the log leaves to the rules, are made again, without its view."""
    if decision.asked is None:
        return None
    record = cast(QuestionRecord, decision.log.record(decision.asked_at))
    return record["text"] if "text" in record else decision.asked.question(record["seat"]).whole


def _choices(decision: LoggedDecision, names: Sequence[str]) -> tuple[list[str], int | None]:
    """The choices of a decision in words, and the number of the one that was made; None without a choice, or for a text."""
    record, asked = decision.record, decision.asked
    if record is None or asked is None or record["action"] is None:
        return [], None
    legal = asked.actions_of(record["seat"])
    if not 1 < len(legal) <= _MOST_CHOICES:
        return [], None
    words = [clean(as_told(", ".join(step.name for step in action.steps), names), 100) for action in legal]
    made = (place for place, action in enumerate(legal) if action.to_json() == record["action"])
    return words, next(made, None)


def _attempt(attempt: AttemptRecord, store: TextStore) -> PageData:
    reply, request = attempt.get("reply") or {}, attempt.get("request")
    found = thoughts(attempt)
    return {
        "outcome": clean(attempt["outcome"], 40),
        "what": clean(attempt.get("what") or "", 60),
        "why": store.text(why) if (why := attempt.get("why")) else None,
        "messages": [store.message(message) for message in request["messages"]] if request else [],
        "reply": store.text(reply["text"]) if reply.get("text") else None,
        "thoughts": store.text(found) if found else None,
        "spent": spent_line(attempt),
    }


_LONGEST_ROLE = 40

LinePiece = str | int | tuple[int, str]
"""A part of a line: a text, the number of a seat in place of its name, or with what its player is called there."""
LinePieces = tuple[LinePiece, ...]


def pieces_of(event: Event, players: int, you: int | None = None) -> LinePieces:
    """An event's words with the numbers of seats in place of their names; `you`: the seat of the reader."""
    return tuple(
        clean(said) if seat is None or seat >= players else (seat, said) if seat == you else seat
        for said, seat in parts_of(event, (), you)
    )


class TextStore:
    """What steps say, each different text, line and message once, with its number. Texts are cleaned when they are stored. A
    paragraph that messages share is expanded once, however often it is sent.

    A line of what happened is in pieces; a message has the role, then the numbers of its paragraphs.
    """

    def __init__(self, shared: Mapping[str, object], players: int) -> None:
        self._players = players
        self.texts, self.lines, self.messages = dict[str, int](), dict[LinePieces, int](), dict[LinePieces, int]()
        self._shared = cache(lambda name: self.text(str(shared[name])))
        self._of_event = dict[str, int]()

    def text(self, text: str) -> int:
        """The number of a text."""
        return self.texts.setdefault(clean_block(text), len(self.texts))

    def line(self, event: Event) -> int:
        """The number of an event's words."""
        if event.text not in self._of_event:
            self._of_event[event.text] = self.lines.setdefault(pieces_of(event, self._players), len(self.lines))
        return self._of_event[event.text]

    def message(self, message: MessageRecord) -> int:
        """The number of a message."""
        parts = paragraphs(message["content"])
        numbers = (self._shared(part[REFERENCE]) if is_reference(part) else self.text(str(part)) for part in parts)
        return self.messages.setdefault((clean(message.get("role"), _LONGEST_ROLE), *numbers), len(self.messages))
