"""OTLP collector: where traces are sent, by HTTP."""

from __future__ import annotations

import json
import os
import urllib.request
from base64 import b64encode
from http.client import HTTPException
from importlib.util import find_spec
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit, urlunsplit

from runner.errors import PausedError, UsageError

HEADERS = "OTEL_EXPORTER_OTLP_HEADERS"
"""The environment variable with the headers, as `name=value,name=value`; values can be percent-encoded."""

_SECONDS = 30.0
_IDS = ("traceId", "spanId", "parentSpanId")
_NO_JSON = 415
"""The status of a collector that does not take the media type."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could carry the headers, which may hold a key, to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


def send_traces(url: str, document: str) -> str:
    """Send an OTLP/JSON document to a collector, and return the address. An address without a path gets `/v1/traces`. One that
    takes no JSON is sent protobuf (extra `otlp`).

    UsageError for what is no address, or refuses the document; PausedError when nobody answers.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.scheme in ("http", "https") else None
        address = urlunsplit(parts._replace(path="/v1/traces") if parts.path in ("", "/") else parts)
        headers = _headers(os.environ.get(HEADERS, ""))
        own = urllib.request.ProxyHandler({}) if host in ("localhost", "127.0.0.1", "::1") else urllib.request.ProxyHandler()
        if not host or parts.username:
            raise ValueError
    except ValueError:
        raise UsageError(f"--otlp sends to an address such as http://localhost:4318; keys go into {HEADERS}.") from None
    shown = f"{parts.scheme}://{host}"
    try:
        opener = urllib.request.build_opener(own, _NoRedirects)
        try:
            _post(opener, address, document.encode(), {"Content-Type": "application/json", **headers})
        except HTTPError as error:
            if error.code != _NO_JSON:
                raise
            error.close()
            _post(opener, address, _protobuf(document), {**headers, "Content-Type": "application/x-protobuf"})
        return address
    except HTTPError as error:
        error.close()
        refused = f"The collector at {shown} refused the trace (HTTP {error.code})"
        raise UsageError(f"{refused}: check the URL and {HEADERS}.") from None
    except ValueError:
        raise UsageError(f"{HEADERS} holds no valid header.") from None
    except (OSError, HTTPException) as error:
        why = getattr(error, "reason", error)
        raise PausedError(f"The collector at {shown} does not answer ({why}). Nothing was changed; try again.") from None


def _post(opener: urllib.request.OpenerDirector, address: str, data: bytes, headers: dict[str, str]) -> None:
    with opener.open(urllib.request.Request(address, data, headers), timeout=_SECONDS):
        pass


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


def _headers(text: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in text.split(",") if pair.strip())
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs}
