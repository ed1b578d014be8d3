"""A log full of what models might write to break a terminal, a page, a table or a reader."""

from __future__ import annotations

from pathlib import Path

from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from tests.match.tables import bot
from tests.record.matches import played

HOSTILE = (
    "<script>window.harmed = 1</script>",
    "</script><img src=x onerror='window.harmed = 2'>",
    "\x1b]0;owned\x07\x1b[2J\x1b[31m red \x9b31m",
    "\u202eright to left\u202c \u2066isolated\u2069 \u200b",
    '=HYPERLINK("http://example.org"; 1)',
    "[bold]markup[/bold] [link=http://example.org]x[/link]",
    "| a | *b* `c` [d](javascript:alert(1)) ![e](http://example.org/x.png)",
    "line\nbreak\r\nreturn\u2028separator\x00nul",
    "@@DATA@@ @@SCRIPT@@ \\u003c & &amp; \ud800 \U000e0041",
)


class HostileSeat(Agent):
    """A bot whose replies, reasons, table talk and free texts are hostile, and 100 KB long now and then."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        text = HOSTILE[ask.number % len(HOSTILE)]
        long = text * (100_000 // len(text)) if ask.number % 7 == 3 else text
        reply = {"text": long, "reasoning": long[::-1], "model": text, "provider": text, "cost": 0.01}
        request = {"model": text, "messages": [{"role": text, "content": f"{text}\n\n{long}"}]}
        facts = {"request": request, "reply": reply, "latency": 0.5, "charged": 0.01}
        given = await self._agent.answer(ask, report)
        data = {name: text.split("\n")[0] if name == "quote" else value for name, value in given.data.items()}
        if ask.number % 5 == 4 and not ask.mistakes:
            return AgentReply(data={text: text}, text=long, facts=facts, reason=long)
        return AgentReply(data, text=long, facts=facts, reason=long, say=text)


async def hostile_log(path: Path) -> Path:
    """A finished match between hostile seats."""
    await played(path, "dixiquote", [HostileSeat(bot("dixiquote")) for _ in range(3)], 3, max_rounds=2, talk=True)
    return path
