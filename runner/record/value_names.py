"""Value names: the digests of long values, computed once for the many that come again from question to question."""

from __future__ import annotations

from runner.digest import canonical, digest_of
from runner.value_key import value_key

REFERENCE = "$"
_MARK = f'"{REFERENCE}"'
LONG = 160
"""Characters of JSON from which a value is long."""

_MOST, _LARGEST = 4096, 16 * 1024
"""How many values are remembered, and the bytes of the largest."""

_known: dict[bytes, str | None] = {}


def name_of(data: object) -> str | None:
    """The name under which a value is written once; None for a short one, which is written in its place."""
    key = _key(data)
    if key is None:
        return _name_of(data)
    if key not in _known:
        if len(_known) >= _MOST:
            _known.clear()
        _known[key] = _name_of(data)
    return _known[key]


def _key(data: object) -> bytes | None:
    """The value as bytes; None for a large one, and for what is no plain data."""
    try:
        key = value_key(data)
    except ValueError:
        return None
    return key if len(key) <= _LARGEST else None


def _name_of(data: object) -> str | None:
    text = canonical(data)
    return None if len(text) < LONG and _MARK not in text else digest_of(text)
