"""Unpacking of compressed bodies, bounded: a small body may unpack to any length."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

ENCODINGS = ("gzip", "deflate")
"""The content encodings that are asked for (RFC 9110, section 8.4.1)."""

_GZIP, _ZLIB, _BARE = 31, 15, -15
"""Window sizes that stand for a format (docs.python.org, zlib.decompressobj)."""

_FORMATS = {"gzip": (_GZIP,), "x-gzip": (_GZIP,), "deflate": (_ZLIB, _BARE)}


def unpacked(content: bytes, encodings: Sequence[str], most: int) -> bytes:
    """The body without its content encodings, cut after `most` bytes. A body that is not encoded as said stays as it is."""
    for encoding in reversed(encodings):
        formats = _FORMATS.get(encoding.strip().lower(), ())
        content = next((found for window in formats if (found := _inflated(content, window, most)) is not None), content)
    return content


def _inflated(content: bytes, window: int, most: int) -> bytes | None:
    try:
        return zlib.decompressobj(window).decompress(content, most)
    except zlib.error:
        return None
