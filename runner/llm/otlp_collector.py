"""OTLP collector: where traces are sent, by HTTP."""

from __future__ import annotations

import os
import urllib.request
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit, urlunsplit

from runner.errors import PausedError, UsageError

HEADERS = "OTEL_EXPORTER_OTLP_HEADERS"
"""The environment variable with the headers, as `name=value,name=value`; values can be percent-encoded."""

_SECONDS = 30.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could carry the headers, which may hold a key, to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


def send_traces(url: str, document: str) -> str:
    """Send an OTLP/JSON document to a collector, and return the address. An address without a path gets `/v1/traces`.

    UsageError for what is no address, or refuses the document; PausedError when nobody answers.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.scheme in ("http", "https") else None
        address = urlunsplit(parts._replace(path="/v1/traces") if parts.path in ("", "/") else parts)
        request = urllib.request.Request(address, document.encode(), _headers(os.environ.get(HEADERS, "")))
        own = urllib.request.ProxyHandler({}) if host in ("localhost", "127.0.0.1", "::1") else urllib.request.ProxyHandler()
        if not host or parts.username:
            raise ValueError
    except ValueError:
        raise UsageError(f"--otlp sends to an address such as http://localhost:4318; keys go into {HEADERS}.") from None
    shown = f"{parts.scheme}://{host}"
    try:
        with urllib.request.build_opener(own, _NoRedirects).open(request, timeout=_SECONDS):
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


def _headers(text: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in text.split(",") if pair.strip())
    return {"Content-Type": "application/json", **{name.strip(): unquote(value.strip()) for name, _, value in pairs}}
