"""OTLP as protobuf: a trace in OTLP/JSON in the binary form, for collectors that take no other."""

from __future__ import annotations

import struct
from typing import Any

_VARINT, _EIGHT_BYTES, _BYTES = 0, 1, 2
"""Wire types of protobuf (protobuf.dev/programming-guides/encoding)."""

_FIELDS: dict[str, dict[str, tuple[int, str]]] = {
    "request": {"resourceSpans": (1, "resource spans")},
    "resource spans": {"resource": (1, "resource"), "scopeSpans": (2, "scope spans")},
    "resource": {"attributes": (1, "attribute")},
    "scope spans": {"scope": (1, "scope"), "spans": (2, "span")},
    "scope": {"name": (1, "text"), "version": (2, "text")},
    "span": {
        "traceId": (1, "id"),
        "spanId": (2, "id"),
        "parentSpanId": (4, "id"),
        "name": (5, "text"),
        "kind": (6, "integer"),
        "startTimeUnixNano": (7, "time"),
        "endTimeUnixNano": (8, "time"),
        "attributes": (9, "attribute"),
        "events": (11, "event"),
        "status": (15, "status"),
    },
    "event": {"timeUnixNano": (1, "time"), "name": (2, "text"), "attributes": (3, "attribute")},
    "status": {"message": (2, "text"), "code": (3, "integer")},
    "attribute": {"key": (1, "text"), "value": (2, "value")},
    "value": {
        "stringValue": (1, "text"),
        "boolValue": (2, "integer"),
        "intValue": (3, "integer"),
        "doubleValue": (4, "double"),
        "arrayValue": (5, "array"),
    },
    "array": {"values": (1, "value")},
}
"""Number and type of each field that a trace has, by message (opentelemetry-proto 1.x, trace.proto and common.proto)."""


def to_protobuf(trace: dict[str, Any], message: str = "request") -> bytes:
    """A message of OTLP/JSON as protobuf, by default the request that exports a trace."""
    found = bytearray()
    for name, value in trace.items():
        number, kind = _FIELDS[message][name]
        for one in value if isinstance(value, list) else [value]:
            wire, data = _encoded(one, kind)
            found += _varint(number << 3 | wire) + data
    return bytes(found)


def _encoded(value: Any, kind: str) -> tuple[int, bytes]:
    match kind:
        case "integer":
            return _VARINT, _varint(int(value))
        case "time":
            return _EIGHT_BYTES, struct.pack("<Q", int(value))
        case "double":
            return _EIGHT_BYTES, struct.pack("<d", value)
        case "text":
            data = value.encode("utf-8", "replace")
        case "id":
            data = bytes.fromhex(value)
        case _:
            data = to_protobuf(value, kind)
    return _BYTES, _varint(len(data)) + data


def _varint(value: int) -> bytes:
    """A whole number in groups of seven bits, the lowest first; a negative one as its complement of 64 bits."""
    rest, found = value & (2**64 - 1), bytearray()
    while rest > 127:
        found.append(rest & 127 | 128)
        rest >>= 7
    return bytes([*found, rest])
