"""The suite of the bench: fixed deals, balanced seats, and a digest that names it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

import games
from runner.agents.environment import Environment
from runner.agents.spec import check_spec, parse_spec
from runner.arena.schedule import Fixture, kind_of, schedule
from runner.errors import UsageError
from runner.session.match_spec import SeatSpec
from runner.workshop.bench_suite import load_suite
from tests.workshop.small_suite import small_suite

MODEL = SeatSpec(parse_spec("offline"), "model")
DIGEST = "79986abf055189b51532f3ef7a126a6f"
"""That of version 6. A suite with another digest needs another version: documents of both are never compared."""


def test_a_changed_suite_needs_a_new_version() -> None:
    assert (load_suite().version, load_suite().digest) == (6, DIGEST)


def test_the_suite_has_every_game_with_references_that_can_play_it() -> None:
    suite = load_suite()
    assert suite.games == games.names()
    for table in suite.tables:
        for name in table.ratings:
            check_spec(parse_spec(suite.references[name]), games.load(table.game), Environment())
        assert table.ratings["steady"] == 1500


def test_the_model_has_every_seat_equally_often_on_every_deal() -> None:
    for fixtures in _by_deal(schedule(load_suite().plan(MODEL))).values():
        seats = Counter(place for one in fixtures for place, entrant in enumerate(one.seats) if entrant is MODEL)
        assert len(set(seats.values())) == 1
        assert len(seats) == len(fixtures[0].seats)


def test_one_match_of_each_deal_is_reviewed_in_every_seat() -> None:
    suite = load_suite()
    names = suite.reviewed(MODEL)
    reviewed = [one for one in schedule(suite.plan(MODEL)) if one.name in names]
    assert Counter((kind_of(one), one.seed) for one in reviewed) == dict.fromkeys(_by_deal(schedule(suite.plan(MODEL))), 1)
    for table in suite.tables:
        own = [one for one in reviewed if one.game == table.game]
        assert {one.seats.index(MODEL) for one in own} == set(range(table.players))


def test_a_part_of_the_suite_has_the_same_matches() -> None:
    suite = small_suite()
    whole = {one.name: one for one in schedule(suite.plan(MODEL))}
    part = suite.of_games(["coup"]).of_deals(2)
    assert part.digest == suite.digest
    matches = list(schedule(part.plan(MODEL)))
    assert [one.name for one in matches] == [name for name in whole if name.startswith("coup") and "deal-00003" not in name]
    assert all(whole[one.name] == one for one in matches)
    assert small_suite(2).digest != suite.digest
    with pytest.raises(UsageError, match='--games chess: suite 1 has "coup" and "oriflamme"'):
        suite.of_games(["chess"])


def _by_deal(fixtures: Iterable[Fixture]) -> dict[tuple[str, int], list[Fixture]]:
    deals: dict[tuple[str, int], list[Fixture]] = {}
    for fixture in fixtures:
        deals.setdefault((kind_of(fixture), fixture.seed), []).append(fixture)
    return deals
