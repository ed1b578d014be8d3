"""Chat client: the SDK's client, at a lower cost for chat completions that differ in nothing but their bodies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx2
from openai import AsyncOpenAI
from openai._models import FinalRequestOptions

from runner.json_types import JsonObject

_COMPLETION = FinalRequestOptions.construct(method="post", url="/chat/completions")
_LENGTH = "content-length"
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
"""JSON as the SDK writes it."""


class ChatClient(AsyncOpenAI):
    """The SDK's client, which merges URL, query and headers of a chat completion once for each set of headers.

    The SDK merges them for each request, which takes as much processor time as sending it. Authentication, hooks and errors
    stay the SDK's own.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._merged: dict[frozenset[object], httpx2.Request] = {}

    async def complete(self, body: JsonObject, headers: Mapping[str, str]) -> httpx2.Response:
        """The whole response to a chat completion. Raises the SDK's errors."""
        options = _COMPLETION.model_copy(update={"content": _ENCODE(body).encode(), "headers": dict(headers)})
        return await self.request(httpx2.Response, options)

    def _build_request(self, options: FinalRequestOptions, *, retries_taken: int = 0) -> httpx2.Request:
        if not isinstance(options.content, bytes):
            return super()._build_request(options, retries_taken=retries_taken)
        merged, stream = self._merged_request(options), httpx2.ByteStream(options.content)
        return httpx2.Request(merged.method, merged.url, headers=merged.headers, stream=stream, extensions=merged.extensions)

    def _merged_request(self, options: FinalRequestOptions) -> httpx2.Request:
        """The request without a body and its length, as the SDK builds it."""
        name = frozenset((options.headers or {}).items())
        if name not in self._merged:
            self._merged[name] = merged = super()._build_request(options)
            del merged.headers[_LENGTH]
        return self._merged[name]
