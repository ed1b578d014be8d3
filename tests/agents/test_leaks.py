"""Nothing of a model's reason reaches another seat, in whole matches of every game."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import games
from games.core import Rng
from runner.agents.settings import SeatSettings
from runner.film.perspective import Perspective
from runner.llm.request import AnswerForm
from runner.match.match_state import MatchEvent
from runner.screen.transcript import JsonEvents
from tests.agents.thinking import Thinking, thinker
from tests.match.tables import match
from tests.record.matches import SMALL

MARK = re.compile(r"(secret|aloud)-(\d)-(\d+)")
OPTIONS: dict[str, dict[str, Any]] = {"dixiquote": SMALL, "coup": {}, "cat_in_the_box": {}, "oriflamme": {}}
SEATS = [
    (SeatSettings(memory="full", memory_tokens=2000), AnswerForm.STRICT_SCHEMA),
    (SeatSettings(memory="notes", help="shape"), AnswerForm.TOOL),
    (SeatSettings(reason="always"), AnswerForm.TEXT),
    (SeatSettings(memory="summary"), AnswerForm.JSON_OBJECT),
]


class Known:
    """A sink with all that each seat may know besides its prompts: views, events, worlds."""

    def __init__(self, players: int) -> None:
        self.texts: list[list[str]] = [[] for _ in range(players)]
        self.lines = [JsonEvents(Perspective(seat=seat), True, texts.append) for seat, texts in enumerate(self.texts)]

    async def emit(self, event: MatchEvent) -> None:
        for lines in self.lines:
            await lines.emit(event)
        if event.record["kind"] == "question":
            seat = event.record["seat"]
            self.texts[seat] += [json.dumps(event.record["view"]), event.record["text"]]
            self.texts[seat].append(repr(event.match.state.resample(seat, Rng.of("worlds", seat)).to_json()))


def marked(seat: int) -> Thinking:
    """A model of a seat whose reasons and lines of talk are found again; one answer in three is a mistake."""

    def fill(number: int, answer: dict[str, Any]) -> dict[str, Any]:
        own = {"reason": f"secret-{seat}-{number}", "say": f"aloud-{seat}-{number}"}
        return {**answer, **{name: text for name, text in own.items() if name in answer}}

    return Thinking(seat, 0.3, fill)


@pytest.mark.parametrize("game", games.names())
async def test_no_reason_reaches_another_seat(game: str) -> None:
    models = [marked(seat) for seat in range(4)]
    agents = [thinker(model, game, 4, *how) for model, how in zip(models, SEATS, strict=True)]
    known = Known(4)
    await match(game, agents, 3, sinks=[known], talk=True, **OPTIONS[game]).run()
    found = {
        (kind, int(of), seat)
        for seat, model in enumerate(models)
        for text in [*map(json.dumps, model.asked), *known.texts[seat]]
        for kind, of, _ in MARK.findall(text)
    }
    assert {seat for kind, of, seat in found if kind == "secret" and of != seat} == set()
    assert {seat for kind, of, seat in found if kind == "secret" and of == seat} == {0, 1, 2, 3}
    assert {seat for kind, of, seat in found if kind == "aloud" and of != seat} == {0, 1, 2, 3}
