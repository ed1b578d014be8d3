"""Players' thoughts: told on demand, bounded, and only to those who may read the player's answers."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.film.perspective import Perspective
from runner.record.reader import read_log
from runner.record.writer import LogWriter
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator, thoughts, thoughts_line
from runner.screen.transcript import JsonEvents, PlainOutput, transcript
from tests.match.tables import Erring, bot, match
from tests.screen.drawing import Drawing

SEATS = 3


class Thinker(Agent):
    """A bot that thinks aloud, beside its reply or before its answer."""

    needs_sync = False

    def __init__(self, agent: Agent, thought: str) -> None:
        self._agent = agent
        self._thought = thought

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        given = await self._agent.answer(ask, report)
        beside = ask.number % 2 == 0
        reply = {"text": "{}" if beside else f"<think>{self._thought}</think> {{}}"}
        facts = {"reply": {**reply, "reasoning": self._thought} if beside else reply}
        return AgentReply(given.data, given.mistake, given.text, facts)


async def shown(path: Path, perspective: Perspective, thoughts_of: list[str], has_thoughts: bool = True) -> tuple[str, str]:
    """Everything that is shown of a match in lines, and on the live screen."""
    file, live, lines = StringIO(), StringIO(), list[str]()
    telling = Narrator(perspective, has_thoughts)
    screen = LiveScreen(Console(file=live, width=200, height=50, force_terminal=True, color_system=None), telling)
    sinks = (
        JsonEvents(perspective, has_thoughts, lines.append),
        PlainOutput(Console(file=file, width=200), telling),
        screen,
        Drawing(screen, 4),
    )
    writer = LogWriter(path)
    agents = [Thinker(Erring(bot("coup"), 0.2), thought) for thought in thoughts_of]
    await match("coup", agents, 1, writer, sinks, max_turns=6).run()
    writer.close()
    told = [line.plain for line in transcript(read_log(path), telling)]
    path.unlink()
    return "\n".join([*lines, file.getvalue(), *told[1:]]), live.getvalue()


@pytest.mark.parametrize("seat", range(SEATS))
async def test_a_seat_reads_its_own_thoughts_alone(seat: int, tmp_path: Path) -> None:
    swapped = [
        [f"mine {seat}" if at == seat else f"{word} {at}" for at in range(SEATS)] for word in ("secret", "another, longer")
    ]
    (first, live), (second, other) = [await shown(tmp_path / "log", Perspective(seat=seat), own) for own in swapped]
    assert first == second
    assert "secret" not in live
    assert "another" not in other
    assert f"Thinker {seat + 1} thinks: mine {seat}" in live
    assert first.count(f"Thinker {seat + 1} thinks: mine {seat}") >= 3
    assert f'"thoughts": "mine {seat}"' in first


async def test_nobody_reads_any_and_all_read_every_one(tmp_path: Path) -> None:
    own = [f"secret {seat}" for seat in range(SEATS)]
    assert "secret" not in "".join(await shown(tmp_path / "log", Perspective(), own))
    assert "secret" not in "".join(await shown(tmp_path / "log", Perspective(sees_all=True), own, has_thoughts=False))
    for text in await shown(tmp_path / "log", Perspective(sees_all=True), own):
        assert all(f"Thinker {seat + 1} thinks: secret {seat}" in text for seat in range(SEATS))


def test_thoughts_are_what_stands_before_the_answer_and_bounded() -> None:
    assert thoughts({"reply": {"text": '```json\n{"a": 1}\n```'}}) == ""
    assert thoughts({"reply": {"text": "Let me see.\n<answer>{}"}}) == "Let me see."
    assert thoughts({"reply": None}) == thoughts({}) == ""
    assert thoughts({"reply": {"reasoning": "First."}, "reason": "Then."}) == "First.\n\nThen."
    assert thoughts({"reply": {"text": '<think>Same.</think>{"reason": "Same."}'}, "reason": "Same."}) == "Same."
    line = thoughts_line({"seat": 0, "reply": {"reasoning": "\x1b[2Jlong\n" * 1000}}, "P-0")
    assert line is not None
    assert len(line.plain) < 700
    assert "\x1b" not in line.plain
    assert line.plain.endswith(" … (+940 words)")
    line = thoughts_line({"seat": 0, "reply": {"reasoning": "x" * 20_000}}, "P-0")
    assert line is not None
    assert line.plain.endswith("… (+19500 characters)")
