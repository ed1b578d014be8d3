"""What a call through the model layer costs in CPU, as a multiple of the bare SDK call against the same server.

Run `python -m tools.bench.model_calls`. The server answers at once, in another process. For each number of calls in
flight the two kinds of call take turns, and the medians of their CPU a call are compared.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

from runner.llm.call import Attempt
from runner.llm.client import Client
from runner.llm.request import AnswerForm, Model, Request

ROUNDS = 5
CALLS = {1: 150, 200: 1000}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"card": {"type": "string", "enum": [f"card {number}" for number in range(6)], "description": "a card"}},
    "required": ["card"],
    "additionalProperties": False,
}
MESSAGES = (
    {"role": "system", "content": "You play a game of cards. " * 80},
    {"role": "user", "content": "This is what you see. " * 60},
)

SERVER = """
import asyncio, json
BODY = json.dumps({"id": "gen-1", "object": "chat.completion", "model": "vendor/model", "provider": "Bench", "choices": [
    {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": '{"card": "card 1"}'}}],
    "usage": {"prompt_tokens": 900, "completion_tokens": 9, "total_tokens": 909, "cost": 0.001}}).encode()
ANSWER = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(BODY) + BODY

class Talk(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.seen = transport, b""
    def data_received(self, data):
        self.seen += data
        head, gap, body = self.seen.partition(b"\\r\\n\\r\\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\\r\\n")[0]) if gap else 0
        if gap and len(body) >= length:
            self.seen = b""
            self.transport.write(ANSWER)

async def main():
    server = await asyncio.get_running_loop().create_server(Talk, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""


async def cpu_a_call(call: Callable[[], Awaitable[object]], count: int, in_flight: int) -> float:
    """CPU seconds of this process for each of `count` calls, so many at once."""
    left = iter(range(count))

    async def worker() -> None:
        for _ in left:
            await call()

    began = time.process_time()
    await asyncio.gather(*(worker() for _ in range(in_flight)))
    return (time.process_time() - began) / count


async def measure(base_url: str) -> dict[str, dict[str, float]]:
    """CPU in milliseconds, bare and through the layer, for each number in flight."""
    import httpx2
    from openai import AsyncOpenAI

    model = Model("vendor/model", base_url, "none", "", time_limit=60)
    question = Request(model, MESSAGES, SCHEMA, AnswerForm.STRICT_SCHEMA)
    body = question.body()

    async def nothing(attempt: Attempt) -> None:
        pass

    limits = httpx2.Limits(max_connections=1000, max_keepalive_connections=1000)
    http = httpx2.AsyncClient(limits=limits)
    results = {}
    async with AsyncOpenAI(api_key="none", base_url=base_url, max_retries=0, http_client=http) as sdk, Client() as client:

        async def bare() -> object:
            response = await sdk.chat.completions.with_raw_response.create(**body)
            return json.loads(response.http_response.text)

        async def ours() -> object:
            return await client.complete(question, on_attempt=nothing)

        for in_flight, count in CALLS.items():
            samples: dict[str, list[float]] = {"bare": [], "layer": []}
            await cpu_a_call(bare, in_flight, in_flight)
            await cpu_a_call(ours, in_flight, in_flight)
            for _ in range(ROUNDS):
                samples["bare"].append(await cpu_a_call(bare, count, in_flight))
                samples["layer"].append(await cpu_a_call(ours, count, in_flight))
            medians = {name: statistics.median(values) * 1000 for name, values in samples.items()}
            results[f"{in_flight} in flight"] = {**medians, "ratio": medians["layer"] / medians["bare"]}
    return results


def main() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        results = asyncio.run(measure(f"http://127.0.0.1:{port}/v1"))
    finally:
        server.terminate()
        server.wait()
    for name, result in results.items():
        sys.stdout.write(
            f"{name}: bare SDK {result['bare']:.2f} ms, layer {result['layer']:.2f} ms, ratio {result['ratio']:.2f}\n"
        )


if __name__ == "__main__":
    main()
