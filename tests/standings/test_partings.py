"""Where sequences that begin alike go apart."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from games.statistics.partings import partings


@given(st.lists(st.lists(st.sampled_from("xyz"), max_size=5), max_size=6))
def test_two_sequences_are_apart_exactly_at_their_first_difference(lines: list[list[str]]) -> None:
    found = partings(lines)
    assert [one.at for one in found] == sorted(one.at for one in found)
    for a, b in combinations(range(len(lines)), 2):
        ends = [*lines[a], "end"], [*lines[b], "end"]
        wanted = [at for at, (one, other) in enumerate(zip(*ends, strict=False)) if one != other][:1]
        where = [{number: step for step, own in one.after.items() for number in own} for one in found]
        apart = [one.at for one, of in zip(found, where, strict=True) if {a, b} <= of.keys() and of[a] != of[b]]
        assert apart == wanted
