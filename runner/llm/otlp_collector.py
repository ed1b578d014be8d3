"""OTLP collector: where traces are sent, by HTTP."""

import asyncio
import json
import os
import re
from base64 import b64encode
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import aiohttp

from runner.errors import PausedError, UsageError, words_of

HEADERS = "OTEL_EXPORTER_OTLP_HEADERS"
"""The environment variable with the headers, as `name=value,name=value`; values can be percent-encoded."""

_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
_SECONDS = 30.0
_IDS = ("traceId", "spanId", "parentSpanId")
_NO_JSON = 415
"""The status of a collector that does not take the media type."""


def send_traces(url: str, document: str) -> str:
    """Send an OTLP/JSON document to a collector, and return the address. An address without a path gets `/v1/traces`. One that
    takes no JSON is sent protobuf (extra `otlp`).

    UsageError for what is no address, or refuses the document; PausedError when nobody answers.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.scheme in ("http", "https") else None
        address = urlunsplit(parts._replace(path="/v1/traces") if parts.path in ("", "/") else parts)
        if not host or parts.username:
            raise ValueError
    except ValueError:
        raise UsageError(f"--otlp sends to an address such as http://localhost:4318; keys go into {HEADERS}.") from None
    shown = f"{parts.scheme}://{parts.netloc}"
    try:
        status = asyncio.run(_answered(address, document, _headers(), host not in ("localhost", "127.0.0.1", "::1")))
    except (OSError, aiohttp.ClientError) as error:
        why = getattr(error, "strerror", None) or words_of(error)
        raise PausedError(f"The collector at {shown} does not answer ({why}). Nothing was changed; try again.") from None
    if not 200 <= status < 300:
        raise UsageError(f"The collector at {shown} refused the trace (HTTP {status}): check the URL and {HEADERS}.")
    return address


def _headers() -> dict[str, str]:
    """The headers of the environment. UsageError for those that HTTP does not have."""
    pairs = (pair.partition("=") for pair in os.environ.get(HEADERS, "").split(",") if pair.strip())
    found = {name.strip(): unquote(value.strip()) for name, _, value in pairs}
    if not all(_NAME.fullmatch(name) and value.isprintable() for name, value in found.items()):
        raise UsageError(f"{HEADERS} holds no valid header.")
    return found


async def _answered(address: str, document: str, headers: dict[str, str], may_use_proxy: bool) -> int:
    """The status of the answer. Redirects are not followed: they could carry the headers, which may hold a key, elsewhere."""
    kinds: dict[str, Callable[[str], bytes]] = {"application/json": str.encode, "application/x-protobuf": _protobuf}
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(_SECONDS), trust_env=may_use_proxy) as session:
        for kind, encoded in kinds.items():
            sent = {**headers, "Content-Type": kind}
            async with session.post(address, data=encoded(document), headers=sent, allow_redirects=False) as reply:
                if reply.status != _NO_JSON:
                    break
    return reply.status


def _protobuf(document: str) -> bytes:
    """An OTLP/JSON document as protobuf. UsageError where opentelemetry-proto is not installed."""
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.proto") is None:
        needs = "This collector takes no JSON, and protobuf needs opentelemetry-proto"
        raise UsageError(f"{needs}: `pip install 'tabletop-runner[otlp]'` installs it.")
    from google.protobuf.json_format import ParseDict
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    found = ParseDict(json.loads(document, object_hook=_in_base64), ExportTraceServiceRequest())
    return bytes(found.SerializeToString(deterministic=True))


def _in_base64(fields: dict[str, Any]) -> dict[str, Any]:
    """Ids, which OTLP has in hexadecimal, as the JSON of protobuf has them."""
    return fields | {name: b64encode(bytes.fromhex(fields[name])).decode() for name in _IDS if name in fields}
