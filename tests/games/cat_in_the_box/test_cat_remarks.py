"""Remarks of Cat in the Box: what the hand allows, paradoxes, bids and the lead."""

from __future__ import annotations

from collections import Counter

from tests.games.cat_in_the_box.drawing import draw, play
from tests.games.cat_in_the_box.playing import walk
from tests.games.remarking import brief, remarks

BOARD = """
        1 2 3 4 5 6 7 8
red     . . . . . . . .
blue    . . . . . . . .
yellow  . . . . . . . .
green   . . . . . . . .
"""
EARLY = (
    BOARD
    + """
A: {hand} | bid {bid} | won {won}
B: 1 1 6
C: 2 2 6
D: 4 4 6
trick: {trick}
turn: A
"""
)


def test_a_play_says_how_many_of_them_the_hand_holds() -> None:
    state = draw(EARLY.format(hand="3 3 5", bid=1, won=0, trick=""))
    assert brief(remarks(play(state, "B3"))) == [("play", "it holds two of them", None, False)]
    assert brief(remarks(play(state, "B5"))) == []


def test_an_only_legal_play_is_called_so() -> None:
    state = draw(
        BOARD.replace("blue    . . .", "blue    . . B").replace("yellow  . . .", "yellow  . . C")
        + """
    A: 3 3 | X blue yellow green
    B: 1 1
    C: 2 2
    D: 4 4
    turn: A
    """
    )
    (told,) = remarks(play(state, "G3"))
    assert told[1].text == "it holds two of them, its only legal play"


def test_a_trick_too_many_loses_the_bid() -> None:
    for won, lost in ((0, False), (1, True), (2, False)):
        state = draw(EARLY.format(hand="8 5 5", bid=1, won=won, trick="B blue 1, C blue 2, D blue 4"))
        assert (("trick", "over_bid", 0, True) in brief(remarks(play(state, "B8")))) == lost


def test_highlights_of_scored_rounds_agree_with_the_scores() -> None:
    found = Counter[str]()
    for seed in range(6):
        for state in walk(3, seed, rounds="players"):
            scores = [event.data for event in state.events if event.kind == "score"]
            highlights = [(remark.kind, remark.seat) for event, remark in remarks(state) if event in ("score", "paradox")]
            found.update(kind for kind, _ in highlights)
            bids = state.context.results[-1].bids if scores else ()
            met = [data["seat"] for data in scores if data["tricks_won"] == bids[data["seat"]] and not data["paradox"]]
            assert [seat for kind, seat in highlights if kind == "bid_met"] == met
            assert [seat for kind, seat in highlights if kind == "paradox"] == [
                data["seat"] for data in scores if data["paradox"]
            ]
            for _, seat in [told for told in highlights if told[0] == "lead"]:
                assert state.scores[seat] > max(score for other, score in enumerate(state.scores) if other != seat)
                assert state.origin[0].scores[seat] < max(state.origin[0].scores)
    assert {"bid_met", "paradox", "lead"} <= found.keys()
