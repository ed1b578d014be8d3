"""Page data: a match as the JSON that its web page draws. It holds what the chosen views may know and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import games
from games.core import seat_name
from runner.agents.seat import Seat
from runner.export.page.asked_texts import Facts, asked
from runner.export.page.drawn_views import DrawnViews
from runner.export.page.element import ElementStore
from runner.export.page.game_tables import table_of
from runner.export.page.page_review import PageReview
from runner.export.page.page_story import PageStory
from runner.export.page.text_store import TextStore
from runner.record.decisions import LoggedDecision
from runner.record.highlights import remarks_on_decision
from runner.record.reader import Log
from runner.screen.narrator import Narrator
from runner.screen.perspective import EVERYTHING, PUBLIC, Perspective, VisibleState
from runner.screen.result import verdict
from runner.screen.safe_text import clean
from runner.screen.seat_labels import called, labels_of_records
from runner.screen.seen_review import SeenReview

_LONGEST_NAME = 60


class PageData:
    """Collects the data of a page, position by position from the deal on. `replayed` are the decisions of the log."""

    def __init__(self, log: Log, replayed: Sequence[LoggedDecision], view: str, review: SeenReview | None) -> None:
        header = log.header
        players = header["players"]
        self._log, self._replayed, self._players = log, replayed, players
        self._game = games.load(header["game"])
        self._drawing = table_of(self._game)
        words = [EVERYTHING, PUBLIC, *(seat_name(seat) for seat in range(players))] if view == EVERYTHING else [view]
        self._labels = labels_of_records(header["seats"])
        given = called([Seat.of(seat) for seat in header["seats"]])
        self._names = tuple(name or seat_name(seat) for seat, name in enumerate(given))
        self._eyes = [Narrator(Perspective.of(word, players), labels=self._labels) for word in words]
        self._reviews = [PageReview(review, eye.perspective) for eye in self._eyes] if review else []
        self._seed = f", seed {header['seed']}" if view == EVERYTHING else ""
        self._texts, self._elements = TextStore(log.shared, players), ElementStore()
        self._stories = [PageStory(eye, self._names, self._texts, self._game.highlight_kinds) for eye in self._eyes]
        eyes = [eye.perspective for eye in self._eyes]
        self._views = DrawnViews(eyes, self._names, self._drawing.table, self._elements)
        self._asks: list[Facts] = []
        self.title, self.round_word = f"{self._game.title}{self._seed}", self._game.round_word

    def data(self) -> Facts:
        """The data as JSON."""
        steps = [self._step(decision) for decision in self._replayed]
        header, result = self._log.header, self._log.result
        return {
            "title": self.title,
            "game": self._game.title,
            "roundWord": self._game.round_word.capitalize(),
            "about": ", ".join(
                [f"{self._players} players", f"rules {clean(header['rules'], 60)}", clean(header["created"])[:10]]
            ),
            "seats": [
                {"name": self._names[seat], "label": self._labels[seat], "player": clean(record.get("name"), _LONGEST_NAME)}
                for seat, record in enumerate(header["seats"])
            ],
            "eyes": [eye.perspective.name for eye in self._eyes],
            "chart": self._drawing.chart_name or "Score",
            "steps": steps,
            "asks": self._asks,
            "elements": self._elements.data,
            "result": None if result is None else {"text": verdict(result), "winners": result["winners"]},
            "reviews": [review.data() for review in self._reviews],
            "best": [story.best() for story in self._stories],
            "lines": self._texts.lines,
            "messages": self._texts.messages,
            "texts": self._texts.texts,
        }

    def _step(self, decision: LoggedDecision) -> Facts:
        for review in self._reviews:
            review.add(decision)
        remarks = remarks_on_decision(decision)
        views = self._views.add(decision.state)
        readers = [self._reads(eye, decision) for eye in self._eyes]
        ask = self._ask(decision) if any(readers) else None
        return {
            "round": decision.state.round,
            "phase": decision.state.phase.name,
            "seat": decision.seat,
            "line": self._line(decision, views[0][0]),
            "seen": [
                [table, list(story.told(decision, remarks)), ask if reads else None]
                for (_, table), story, reads in zip(views, self._stories, readers, strict=True)
            ],
        }

    def _reads(self, eye: Narrator, decision: LoggedDecision) -> bool:
        return decision.seat is not None and eye.perspective.reads(decision.seat)

    def _line(self, decision: LoggedDecision, seen: VisibleState) -> Sequence[float]:
        """A number of each seat for the chart."""
        chart = self._drawing.chart
        return chart(seen.view) if chart else list(decision.state.scores)

    def _ask(self, decision: LoggedDecision) -> int:
        self._asks.append(asked(decision, self._texts))
        return len(self._asks) - 1
