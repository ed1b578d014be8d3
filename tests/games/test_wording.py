"""Words for values from outside: letters stay readable, and what cannot be seen is escaped."""

from __future__ import annotations

import pytest

from games.core import quoted


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Gräfin", '"Gräfin"'),
        ({"card": "女伯爵"}, '{"card": "女伯爵"}'),
        ("a\x1b[2J\u202eb\x7f", '"a\\u001b[2J\\u202eb\\x7f"'),
        ("\ud800", '"\\ud800"'),
        (float, "a type"),
        ("x" * 200, f'"{"x" * 79}…'),
    ],
)
def test_a_value_is_shown_as_it_is_written(value: object, shown: str) -> None:
    assert quoted(value) == shown
