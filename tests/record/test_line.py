"""A line of a log: what is JSON of a bounded depth with finite numbers is read, anything else is refused in a sentence."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.record.line import DEEPEST, FIRST, UnsoundLineError, decode, seal, unseal

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@settings(max_examples=25)
@given(DATA)
def test_what_is_sealed_is_what_is_unsealed(data: object) -> None:
    line, own = seal({"kind": "pause", "why": data}, FIRST)
    assert unseal(line.removesuffix(b"\n"), FIRST) == ({"kind": "pause", "why": data}, own)


@pytest.mark.parametrize("number", ["1e999", "-1.5E+400", "1" * 400 + ".0", "1" * 5000, "NaN", "-Infinity", "01", "1."])
def test_a_number_that_is_none_of_json_or_too_large_is_refused(number: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        decode(f'{{"a": [{number}]}}')
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("levels", [DEEPEST + 1, 100_000])
def test_what_is_nested_too_deeply_is_refused(levels: int) -> None:
    assert decode("[" * DEEPEST + "]" * DEEPEST)
    with pytest.raises(ValueError, match="nested more than"):
        decode("[" * levels + "]" * levels)


def test_a_surrogate_and_a_text_after_the_record_are_told_apart() -> None:
    assert decode(json.dumps("\ud800")) == "\ud800"
    line, _ = seal({"kind": "pause", "why": "\ud800"}, FIRST)
    assert unseal(line[:-1], None)[0]["why"] == "\ud800"
    with pytest.raises(UnsoundLineError, match="in its hash"):
        unseal(line, FIRST)
