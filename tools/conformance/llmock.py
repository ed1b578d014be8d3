"""llmock from PyPI: a real quota with Retry-After, random errors, and a strict judgement of the client's manners."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace

from runner.llm.call import Attempt
from runner.llm.client import Client
from runner.llm.outcome import Delivered
from tests.llm.support import model, request
from tools.conformance.verdict import Verdict, absent, program, server

CALLS = 500
CHAOS = ("--rpm", "300", "--error-rate", "429=0.05", "--error-rate", "500=0.07", "--error-rate", "503=0.06")


async def run() -> Verdict:
    """500 calls at once against 300 a minute and one fault in five."""
    command = program("LLMOCK", "llmock")
    if command is None:
        return absent("llmock", "LLMOCK")
    kinds: Counter[str] = Counter()
    async with server(command, "serve", "-p", "{port}", "--log-level", "error", *CHAOS) as port:
        answered = await _ask_all(f"http://127.0.0.1:{port}/v1", kinds)
        findings = await _findings(command, port)
    words = f"{answered} of {CALLS} calls answered in {kinds.total()} attempts {dict(kinds)}"
    found = "; ".join(f"{finding['severity']} {finding['code']}: {finding['title']}" for finding in findings)
    return Verdict("llmock", answered == CALLS and not findings, f"{words}; strict report: {found or 'no findings'}")


async def _ask_all(base_url: str, kinds: Counter[str]) -> int:
    async def count(attempt: Attempt) -> None:
        kinds[attempt.outcome.kind] += 1

    async with Client() as client:
        asked = request(model(base_url))
        words = [({"role": "user", "content": f"question {number}"},) for number in range(CALLS)]
        calls = [client.complete(replace(asked, messages=one), on_attempt=count) for one in words]
        ends = await asyncio.gather(*calls, return_exceptions=True)
    return sum(isinstance(end, Delivered) for end in ends)


async def _findings(command: str, port: int) -> list[dict[str, str]]:
    url = f"http://127.0.0.1:{port}"
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(command, "report", "--url", url, "--strict", "--json", stdout=pipe)
    output, _ = await process.communicate()
    findings: list[dict[str, str]] = json.loads(output)["findings"]
    return findings
