"""Offline endpoint: the offline model in the place of an endpoint. No network library is loaded for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import NamedTuple

from runner.llm.model_list import GetResult
from runner.llm.offline import OfflineModel
from runner.llm.request import Body, Model, wire_body


class OfflineEndpoint(NamedTuple):
    """What EndpointClient does, by the offline model of this process."""

    model: OfflineModel

    async def send(self, body: Body, headers: Mapping[str, str], time_limit: float) -> tuple[int, Mapping[str, str], str]:
        """Status, headers and text of the response, after the delay it asks for. TimeoutError when that is over the limit."""
        answer = self.model.handle("POST", "/chat/completions", headers, json.dumps(wire_body(body)).encode())
        async with asyncio.timeout(time_limit):
            await asyncio.sleep(answer.delay)
        return answer.status, {"content-type": "application/json"}, answer.body.decode()

    async def get(self, path: str, model: Model) -> GetResult:
        """The result of a GET of a path."""
        answer = self.model.handle("GET", path, model.headers, b"")
        return GetResult(answer.body.decode(), answer.status)

    async def close(self) -> None:
        """Nothing is open."""
