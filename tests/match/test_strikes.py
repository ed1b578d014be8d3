"""Strikes: counted per seat and decision, told to the seat, never for trouble of transport."""

from __future__ import annotations

from typing import Any

from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Mistake, Report
from tests.match.tables import bot, match


class Scripted(Agent):
    """Goes wrong as told, decision by decision, and answers well after that; remembers what it was asked."""

    needs_sync = False

    def __init__(self, *mistakes: int) -> None:
        self.script = list(mistakes)
        self.asked: list[DecisionRequest] = []
        self._number = -1
        self._left = 0

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        self.asked.append(ask)
        if ask.number != self._number:
            self._number, self._left = ask.number, self.script.pop(0) if self.script else 0
        if self._left:
            self._left -= 1
            return AgentReply(data={"card": "nonesuch"}, text='{"card": "nonesuch"}')
        return await bot("dixiquote").answer(ask, report)


async def play(seat: Scripted, **options: Any) -> dict[str, Any]:
    """A round in which the scripted seat submits and votes."""
    agents = [bot("dixiquote"), seat, bot("dixiquote")]
    return await match("dixiquote", agents, seed=1, max_rounds=1, **options).run()


async def test_two_invalid_answers_are_forgiven_by_a_valid_one() -> None:
    seat = Scripted(2, 2)
    result = await play(seat)
    assert result["seats"][1] == {**result["seats"][1], "mistakes": 4, "penalties": 0, "decisions": 2}


async def test_the_third_invalid_answer_in_a_row_strikes_out() -> None:
    seat = Scripted(3, 0)
    result = await play(seat)
    assert result["seats"][1] == {**result["seats"][1], "mistakes": 3, "penalties": 1, "decisions": 1}


async def test_the_number_of_strikes_is_an_option() -> None:
    assert (await play(Scripted(1, 0), strikes=1))["seats"][1]["penalties"] == 1
    assert (await play(Scripted(4, 0), strikes=5))["seats"][1]["penalties"] == 0


async def test_a_seat_is_told_its_own_answer_and_what_was_wrong_with_it() -> None:
    seat = Scripted(2, 0)
    await play(seat)
    first, second, third = seat.asked[:3]
    assert (first.mistakes, len(second.mistakes), len(third.mistakes)) == ((), 1, 2)
    mistake = third.mistakes[1]
    assert (mistake.kind, mistake.text) == ("illegal", '{"card": "nonesuch"}')
    assert '"card" cannot be "nonesuch"' in mistake.why
    for answer in first.answers():
        assert answer["card"] in mistake.why


async def test_trouble_of_transport_is_no_strike() -> None:
    class Bumpy(Scripted):
        async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
            for number in range(5):
                await report({"try": number, "outcome": "infrastructure", "what": "timeout", "why": "too slow"})
            return await super().answer(ask, report)

    result = await play(Bumpy(2, 2))
    assert result["seats"][1] == {**result["seats"][1], "mistakes": 4, "penalties": 0, "failures": 30}


async def test_an_unreadable_answer_is_a_strike() -> None:
    class Mumbling(Scripted):
        async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
            if len(ask.mistakes) < 3:
                return AgentReply(mistake=Mistake("unreadable", "hm", "no JSON"))
            raise AssertionError("asked a fourth time")

    result = await play(Mumbling())
    assert result["seats"][1]["penalties"] == 2
