"""Points by examples (rules 6 to 8 and 11)."""

from __future__ import annotations

import pytest

from tests.games.dixiquote.tables import begin, points, to_vote, vote, with_scores

# Votes are written voter: owner of the card; seat 0 is the Storyteller.


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [("revised", [2, 1, 2, 0]), ("original", [5, 1, 2, 1])],
)
def test_some_votes_for_two_cards(scoring: str, expected: list[int]) -> None:
    """Rules 7 and 8: P-1 and P-2 find the Storyteller's card, P-3 votes for that of P-2."""
    assert points(vote(to_vote(begin(scoring=scoring)), {1: 0, 2: 0, 3: 2})) == expected


@pytest.mark.parametrize(
    ("options", "before", "after"),
    [
        ({}, 0, [0, 1, 1, 1]),
        ({}, 5, [4, 1, 1, 1]),
        ({"score_floor": None}, 0, [-1, 1, 1, 1]),
        ({"scoring": "original"}, 0, [0, 1, 1, 1]),
    ],
)
def test_all_votes_on_the_storytellers_card(options: dict[str, object], before: int, after: list[int]) -> None:
    """D-C3: −1 under the revised scoring, clamped at 0; under the original, the others' cards without votes pay."""
    state = with_scores(to_vote(begin(**options)), before, 0, 0, 0)
    assert list(vote(state, {1: 0, 2: 0, 3: 0}).scores) == after


@pytest.mark.parametrize(
    ("votes", "revised", "original"),
    [
        ({1: 0, 2: 0}, [0, 1, 1], [0, 1, 1]),  # all votes
        ({1: 0, 2: 1}, [2, 2, 0], [5, 2, 1]),  # one vote each
        ({1: 2, 2: 1}, [0, 1, 1], [4, 2, 2]),  # no vote for the Storyteller's
    ],
)
def test_three_players(votes: dict[int, int | None], revised: list[int], original: list[int]) -> None:
    assert points(vote(to_vote(begin(3)), votes)) == revised
    assert points(vote(to_vote(begin(3, scoring="original")), votes)) == original


def test_all_votes_are_those_cast_or_those_of_everybody_entitled() -> None:
    """D-C2: P-3 is skipped, the two others agree on P-0's card."""
    cast = to_vote(begin())
    assert points(vote(cast, {1: 0, 2: 0, 3: None})) == [0, 1, 1, 0]
    eligible = to_vote(begin(all_votes="eligible"))
    assert points(vote(eligible, {1: 0, 2: 0, 3: None})) == [1, 1, 1, 0]


def test_a_storyteller_is_paid_only_when_the_own_card_is_among_those_voted_for() -> None:
    state = vote(to_vote(begin()), {1: 2, 2: 3, 3: 1})
    assert points(state) == [0, 1, 1, 1]
    assert points(vote(to_vote(begin(scoring="original")), {1: 2, 2: 3, 3: 1})) == [4, 2, 2, 2]


@pytest.mark.parametrize(
    ("options", "bonus"),
    [({}, 1), ({"scoring": "original"}, 3), ({"all_skipped_bonus": 3}, 3), ({"all_skipped_bonus": 0}, 0)],
)
def test_the_storyteller_gets_the_bonus_when_all_others_are_skipped(options: dict[str, object], bonus: int) -> None:
    """Rule 11 and D-C4, D-C6: nobody else submitted, or nobody voted; no card pays then."""
    nobody_submits = to_vote(begin(**options), skipped=(1, 2, 3))
    assert points(nobody_submits) == [bonus, 0, 0, 0]
    assert [card["owner"] for card in nobody_submits.view(None)["history"][-1]["cards"]] == [0]
    nobody_votes = vote(to_vote(begin(**options)), {1: None, 2: None, 3: None})
    assert points(nobody_votes) == [bonus, 0, 0, 0]


def test_blind_quote_with_the_storyteller_alone_voting_counts_as_all_skipped() -> None:
    state = vote(to_vote(begin(blind_quote=True)), {0: 1, 1: None, 2: None, 3: None})
    assert points(state) == [1, 0, 0, 0]


def test_blind_quote_pays_the_storytellers_submission() -> None:
    """D-C12: the Storyteller's card is the one submitted; everybody votes."""
    state = vote(to_vote(begin(blind_quote=True)), {0: 1, 1: 0, 2: 0, 3: 2})
    assert points(state) == [1 + 1, 1 + 1, 1 + 1, 0]
