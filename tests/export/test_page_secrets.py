"""Match pages keep secrets: a page for one view has the same bytes whatever that view cannot know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from unittest.mock import patch

import pytest

import games
from games.core import Rng
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.export.page.match_page import match_page
from runner.film.perspective import Perspective
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log, read_log
from tests.match.tables import bot
from tests.record.matches import played

ALL = Perspective(sees_all=True)
SEED = 918273645
SHORT = {"coup": {"max_turns": 6}, "dixiquote": {"max_rounds": 2}}


class Marked(Agent):
    """A bot that leaves a mark of its seat in everything that others may not read, and errs now and then."""

    def __init__(self, agent: Agent, seat: int) -> None:
        self._agent, self._seat = agent, seat

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        mark = f"secretmark{self._seat}"
        request = {"model": "m", "messages": [{"role": "user", "content": f"prompt {mark}\n\nlong {mark * 30}"}]}
        facts = {"request": request, "reply": {"text": f"reply {mark}", "reasoning": f"thinks {mark}"}}
        if ask.number % 5 == 2 and not ask.mistakes:
            return AgentReply(data={mark: mark}, text=mark, facts=facts, reason=mark)
        given = await self._agent.answer(ask, report)
        return AgentReply(given.data, text=mark, facts=facts, reason=f"reason {mark}")


@pytest.fixture(scope="module", params=games.names())
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Log:
    path = tmp_path_factory.mktemp("secrets") / "match.jsonl"
    agents = [Marked(bot(request.param), seat) for seat in range(3)]
    asyncio.run(played(path, request.param, agents, SEED, **SHORT.get(request.param, {})))
    return read_log(path)


@pytest.fixture(scope="module")
def page_of(log: Log) -> Callable[[str], str]:
    """The page of the log for a view, which is made once."""
    return cache(partial(match_page, log))


@pytest.mark.parametrize("view", ["public", "P-1"])
def test_a_page_has_no_prompt_thought_or_answer_that_its_view_may_not_read(page_of: Callable[[str], str], view: str) -> None:
    page = page_of(view)
    assert "secretmark0" not in page
    assert "secretmark2" not in page
    assert ("secretmark1" in page) == (view == "P-1")
    assert str(SEED) not in page
    whole = page_of("all")
    assert all(f"secretmark{seat}" in whole for seat in range(3))
    assert str(SEED) in whole


@pytest.mark.parametrize("view", ["public", "P-1"])
def test_a_page_has_the_same_bytes_whatever_its_view_cannot_know(log: Log, page_of: Callable[[str], str], view: str) -> None:
    seat, rng, differ = Perspective.of(view, 3).seat, Rng(7), list[bool]()

    def elsewhere(log: Log) -> Iterator[LoggedDecision]:
        """The decisions, with states in which all that the view cannot know is dealt again."""
        for decision in decisions(log):
            state = decision.state.resample(seat, rng)
            differ.append(ALL.visible(state, ()) != ALL.visible(decision.state, ()))
            yield replace(decision, state=state)

    with patch("runner.export.page.match_page.decisions", elsewhere):
        assert match_page(log, view) == page_of(view)
    assert sum(differ) > len(differ) // 2
