"""Remarks of DixiQuote: whose card a vote goes to, what the votes say, and the lead."""

from __future__ import annotations

from games.core import State
from tests.games.dixiquote.tables import begin, card_of, play, to_vote, vote, with_scores
from tests.games.remarking import brief, remarks


def found(votes: dict[int, int | None], players: int = 4) -> list[tuple[str, str, int | None, bool]]:
    return [told for told in brief(remarks(vote(to_vote(begin(players)), votes))) if told[0] in ("card", "score")]


def test_a_vote_says_whose_card_it_goes_to() -> None:
    state = to_vote(begin())
    first = play(state, 1, card=card_of(state, 0))
    assert brief(remarks(first)) == [("own", "the Storyteller's", None, False)]
    assert brief(remarks(play(first, 2, card=card_of(state, 1)))) == [("own", "P-1's", None, False)]


def test_one_voter_alone_finds_the_storyteller() -> None:
    assert ("card", "found_alone", 1, True) in found({1: 0, 2: 1, 3: 2})


def test_all_or_nobody_find_the_storyteller() -> None:
    assert ("card", "all_found", 0, True) in found({1: 0, 2: 0, 3: 0})
    assert {kind for _, kind, _, _ in found({1: 2, 2: 3, 3: 1})} == {"none_found"}


def test_most_votes_for_another_card_are_its_owners_highlight() -> None:
    assert ("card", "decoy", 3, True) in found({1: 3, 2: 3, 3: 0})


def test_a_single_voter_says_nothing_about_the_quote() -> None:
    assert not [told for told in found({1: 0, 2: None, 3: None}) if told[0] == "card"]


def test_a_new_leader_is_named_when_a_round_is_scored() -> None:
    def scored(*scores: int) -> State:
        return vote(with_scores(to_vote(begin()), *scores), {1: 2, 2: 0, 3: 2})

    assert ("score", "lead", 2, True) in brief(remarks(scored(0, 3, 2, 0)))
    assert "score" not in {event for event, _ in remarks(scored(0, 0, 2, 0))}, "it led before"
