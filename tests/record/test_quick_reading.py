"""The quick way to read a line: it finds what the careful way finds, and refuses what that refuses."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.record.hash_chain import UnsoundLineError
from runner.record.json_line import DEEPEST, decode, decode_quickly
from runner.record.record_reader import read_record, read_with_care
from tests.record.matches import small_log
from tests.record.reseal import SHAPES, changed, fields, records_of

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
NUMBERS = ["1e999", "-1.5E+400", "1" * 400 + ".0", "1" * 5000, "NaN", "-Infinity", "01", "1.", "1e-999", "0.1", "9" * 30]
FREE = {"schema", "view", "learnt", "value"}
"""The fields that outlines leave empty."""

ROUNDS = 150


def _outcome(read: Callable[[], Any]) -> str | None:
    try:
        return repr(read())
    except ValueError:
        return None


@settings(max_examples=40)
@given(DATA, st.booleans())
def test_data_is_what_the_careful_parser_finds(data: object, is_ascii: bool) -> None:
    text = json.dumps(data, ensure_ascii=is_ascii)
    found = _outcome(lambda: decode_quickly(text.encode("utf-8", "surrogatepass")))
    assert found is None or found == _outcome(lambda: decode(text))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_is_what_the_careful_parser_finds(number: str) -> None:
    text = f'{{"a": [{number}]}}'
    found = _outcome(lambda: decode_quickly(text.encode()))
    assert found is None or found == _outcome(lambda: decode(text))


def test_what_is_nested_too_deeply_is_left_to_the_careful_parser() -> None:
    text = "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)
    assert _outcome(lambda: decode_quickly(text.encode())) is None


async def test_a_changed_line_is_read_or_refused_as_with_care(tmp_path: Path) -> None:
    rng, refused = random.Random(3), 0
    records = records_of((await small_log(tmp_path / "log.jsonl")).read_bytes())
    sizes = {record["name"]: 1 for record in records if record["kind"] == "shared"}
    places = [field for field in fields(records) if field[0] != "header"]
    for _ in range(ROUNDS):
        _, place, path = field = rng.choice(places)
        lines = changed(records, field, rng.choice(SHAPES)).split(b"\n")
        line = lines[place], lines[place - 1][-34:-2].decode(), 3, sizes
        careful = _read(partial(read_with_care, *line))
        assert _read(partial(read_record, *line)) == careful, field
        outline = _read(partial(read_record, *line, whole=frozenset()))
        assert _bare(outline) == _bare(careful) or path[0] in (*FREE, "name"), field
        refused += isinstance(careful, str)
    assert 0 < refused < ROUNDS


def _read(read: Callable[[], Any]) -> Any:
    """The record, or why it is refused."""
    try:
        return read().record
    except UnsoundLineError as error:
        return str(error)


def _bare(record: Any) -> Any:
    return {name: value for name, value in record.items() if name not in FREE} if isinstance(record, dict) else record
