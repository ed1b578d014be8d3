"""DixiQuote's table, as text."""

from __future__ import annotations

import random
import re

import games
from games.scenes import scene_of
from runner.film.perspective import Perspective
from runner.screen.narrator import Narrator
from runner.screen.scene_rich import SceneTable
from tests.games.dixiquote.tables import begin, to_quote, to_submit, to_vote, vote
from tests.screen.drawing import drawn, table


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def test_the_storyteller_sees_the_own_hand_while_choosing() -> None:
    shown = table(begin(), 80, "P-0")
    for card in begin().view(0)["own"]["hand"]:
        assert card["text"][:20] in shown
    assert "holds" not in table(begin(), 80, "public")
    assert "P-0 holds" in table(begin(), 80)


def test_the_quote_stands_in_the_storytellers_name() -> None:
    assert lines(table(to_submit(to_quote(begin())), 80, "public")) == [
        "  P-0   0 of 20 ──────────────────── Storyteller",
        "  P-1   0 of 20 ────────────────────",
        "  P-2   0 of 20 ────────────────────",
        "  P-3   0 of 20 ────────────────────",
        "╭─ P-0 says ───────────────────────────────────────────────────────────────────╮",
        "│ Power need not be proven.                                                    │",
        "╰──────────────────────────────────────────────────────────────────────────────╯",
    ]


def test_cards_on_the_table_show_their_owners_only_to_those_who_know() -> None:
    state = to_vote(begin())
    assert " by " not in table(state, 100, "public")
    assert table(state, 100, "P-2").count("by P-2") == 1
    assert table(state, 100, "P-2").count(" by ") == 1
    assert table(state, 100).count(" by ") == 4


def test_after_the_vote_everybody_sees_who_voted_for_whom_and_the_points() -> None:
    shown = table(vote(to_vote(begin()), {1: 0, 2: 0, 3: 2}), 100, "public")
    assert "“Power need not be proven.”" in shown
    rows = [line.rstrip() for line in lines(shown) if " by " in line]
    assert any("by P-0 ★  2 ✓P-1 ✓P-2" in row for row in rows)
    assert any(row.endswith("by P-2  1 ✓P-3") for row in rows)
    assert "Points of round 1: P-0 +2  P-1 +1  P-2 +2  P-3 +0" in shown


def test_on_a_wide_terminal_situations_are_cards_that_no_vote_moves() -> None:
    names = ("Ann", "Bob", "Cy", "Dan")
    on_table, done = to_vote(begin()), vote(to_vote(begin()), {1: 0, 2: 0, 3: 2})
    cards = []
    for state, eye in ((on_table, Perspective()), (on_table, Perspective(sees_all=True)), (done, Perspective())):
        scene = scene_of(state.game, eye.visible(state, names))
        shown = lines(drawn(SceneTable(scene, has_story=True), 160, height=40))
        cards.append(shown[next(at for at, line in enumerate(shown) if "╭─ 1 " in line) :][:10])
    words = [[line for line in shown if line.startswith("│")] for shown in cards]
    assert words[0] == words[1] == words[2]
    assert any("· Ann ★ ─" in line for line in cards[1])
    assert any("2 ✓Bob ✓Cy" in line for line in cards[2])
    assert "Ann" not in "".join(cards[0])


def test_a_forfeited_round_says_so() -> None:
    assert "Round 1 was forfeited: P-0 was struck out." in table(begin().strike_out(0), 100, "public")


def test_people_are_told_situations_without_their_ids() -> None:
    state, rng = games.load("dixiquote").begin(4, 3), random.Random(3)
    told, texts = list[str](), list[str]()
    while not state.has_ended:
        state = rng.choice(state.actions).next_state
        texts += [event.text for event in state.events]
        told += [line.plain for line in Narrator(Perspective(sees_all=True)).events(state.events)]
    assert not [line for line in told if re.search(r"\[\w+-\d+\]", line)]
    assert [text for text in texts if re.search(r" played \[\w+-\d+\] .* Votes: ", text)]
