"""Named secrets: the values of settings whose names say that they are secret, such as `api_key` in `extra` of an agent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from runner.llm.redact import PLACEHOLDER

_NAME = re.compile(
    r".*(?:key|token|secret|passw(?:or)?d|passphrase|credentials?)s?|(?:.*[._-])?(?:auth|authorization|bearer)", re.IGNORECASE
)


def named_secrets(value: object, is_secret: bool = False) -> Iterator[str]:
    """The texts under secret names in nested data; with `is_secret` every text."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from named_secrets(inner, is_secret or is_secret_name(name))
    elif isinstance(value, list):
        for inner in value:
            yield from named_secrets(inner, is_secret)
    elif is_secret and isinstance(value, str):
        yield value


def without_named_secrets(fields: Mapping[str, object]) -> dict[str, object]:
    """A copy of nested data with a placeholder for each text under a secret name."""
    return {name: _hidden(inner, is_secret_name(name)) for name, inner in fields.items()}


def _hidden(value: object, is_secret: bool) -> object:
    if isinstance(value, Mapping):
        return {name: _hidden(inner, is_secret or is_secret_name(name)) for name, inner in value.items()}
    if isinstance(value, list):
        return [_hidden(inner, is_secret) for inner in value]
    return PLACEHOLDER if is_secret and isinstance(value, str) else value


def is_secret_name(name: object) -> bool:
    """Whether a field or variable of this name holds a secret."""
    return _NAME.fullmatch(str(name)) is not None
