"""Repair of an object that is not quite JSON. Nothing is added that the text does not hold."""

from __future__ import annotations

import re
from collections.abc import Mapping

from runner.llm.strict_json import Unreadable, check_number

_LITERALS = {True: re.compile(r"\btrue\b", re.IGNORECASE), False: re.compile(r"\bfalse\b", re.IGNORECASE)}
_NULL = re.compile(r"\b(?:null|none|undefined)\b", re.IGNORECASE)
_BLANKS = re.compile(r"[\s\\]+")
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])*'(?=\s*[,:}\]])")
_ALTERNATIVES = re.compile(r":\s*-?\d[\d.]*\s*(?:\||/(?![/*])|\bor\b)\s*-?\d")


def repaired_object(text: str) -> dict[str, object]:
    """The object in a balanced, complete slice of text, with quotes, commas and comments corrected.

    Raises Unreadable if json_repair finds no object, or adds a name or value that the text does not hold, and for a choice
    between numbers, of which the repair would take the first.
    """
    from json_repair import repair_json

    try:
        value = repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError, TypeError, KeyError):
        value = None
    if not isinstance(value, dict):
        raise _unrepairable()
    _check(value, text, _BLANKS.sub("", text))
    _check_said_once(value, text)
    if _ALTERNATIVES.search(_QUOTED.sub("", text)):
        raise Unreadable("ambiguous", "the answer gives a field more than one value")
    return value


def _check_said_once(data: Mapping[str, object], text: str) -> None:
    """Unreadable for a field that is given twice: the repair must not choose one."""
    for name in data:
        if len(re.findall(rf"[{{,\n]\s*[\"'“”‘’]?{re.escape(name)}[\"'“”‘’]?\s*:", text)) > 1:
            raise Unreadable("ambiguous", "the answer gives the same field twice")


def _check(value: object, text: str, squeezed: str) -> None:
    """Unreadable if a part of the value is not in the text."""
    if isinstance(value, dict):
        for name, inner in value.items():
            _check_text(name, squeezed)
            _check(inner, text, squeezed)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, text, squeezed)
    elif not _stands(value, text, squeezed):
        raise _unrepairable()


def _stands(value: object, text: str, squeezed: str) -> bool:
    if isinstance(value, bool):
        return _LITERALS[value].search(text) is not None
    if value is None:
        return _NULL.search(text) is not None
    if isinstance(value, (int, float)):
        check_number(value)
        return re.search(rf"(?<![\w.]){re.escape(str(value))}(?![\w.]*\w)", text) is not None
    _check_text(value, squeezed)
    return True


def _check_text(value: object, squeezed: str) -> None:
    if not isinstance(value, str):
        raise _unrepairable()
    wanted = _BLANKS.sub("", value)
    if not (wanted in squeezed if wanted else '""' in squeezed or "''" in squeezed):
        raise _unrepairable()


def _unrepairable() -> Unreadable:
    return Unreadable("unrepairable", "the answer's JSON object is broken")
