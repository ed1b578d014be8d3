"""Coup's table, as text."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

from games.coup import GAME
from games.testing.random_play import walk
from runner.film.perspective import Perspective
from runner.screen.scene_rich import drawn_table
from tests.games.coup.positions import blocks, challenges, does, loses, passes, play, position, shows
from tests.screen.drawing import drawn, table, widest

THREE = ("3 As Du", "2 Ca Am", "2 Co Co")


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def test_the_match_opens_with_the_rules_in_short() -> None:
    assert lines(table(GAME.begin(players=3, seed=1), 60, "public")) == [
        "      Coins Cards (✗ turned up)",
        "▶ P-0  2    ▒▒▒▒ ▒▒▒▒",
        "  P-1  2    ▒▒▒▒ ▒▒▒▒",
        "  P-2  2    ▒▒▒▒ ▒▒▒▒",
        "Bluff, and be the last player in ───────────────────────────",
        "Claim of   Action                               Blocks",
        "Duke       Tax: take 3 coins                    Foreign Aid",
        "Assassin   Assassinate (3): target loses a card",
        "Ambassador Exchange: draw 2 cards, return 2     Steal",
        "Captain    Steal: take 2 coins from target      Steal",
        "Contessa                                        Assassinate",
        "anyone     Income: 1 coin; Foreign Aid: 2 coins",
        "           Coup (7): target loses a card",
        "A turn: declare → challenge? → block? → challenge? → effect",
        "Claim any character. A caught bluff or a wrong challenge",
        "costs a card. No cards: you are out. 10 coins: only Coup.",
        "Turn 1 · Court deck 9 cards ────────────────────────────────",
        "▶ P-0 declares an action",
    ]


def test_a_blocked_assassination_with_two_challenges() -> None:
    state = play(position(*THREE), does(0, "assassinate", 1), challenges(2), shows(0, "Assassin"), loses(2, "Contessa"))
    assert lines(table(state, 60, "P-1")) == [
        "      Coins Cards (✗ turned up)",
        "▶ P-0  0    ▒▒▒▒ ▒▒▒▒               says Assassin",
        "  P-1  2    Captain Ambassador      target",
        "  P-2  2    ▒▒▒▒ ✗Contessa          challenges",
        "Turn 1 · Court deck 9 cards ────────────────────────────────",
        "▶ P-0 declares Assassinate against P-1 as Assassin",
        "? P-2 challenges: shown ✓, P-2 turns up Contessa",
        "… P-1 may block as Contessa",
    ]
    state = play(state, blocks(1, "Contessa"))
    assert lines(table(state, 60, "P-1"))[2] == "  P-1  2    Captain Ambassador      says Contessa"
    assert lines(table(state, 60, "P-1"))[-2:] == ["■ P-1 blocks as Contessa", "… P-0 or P-2 may challenge Contessa"]
    state = play(state, challenges(0), loses(1, "Captain"))
    assert lines(table(state, 60, "P-1"))[-3:] == [
        "■ P-1 blocks as Contessa",
        "? P-0 challenges: false ✗, P-1 turns up Captain",
        "† P-1 has to turn up a card",
    ]


@pytest.mark.parametrize(
    ("answers", "open_step"),
    [
        ([does(0, "tax")], "… P-1 or P-2 may challenge Duke"),
        ([does(0, "foreign aid")], "… P-1 or P-2 may block as Duke"),
        ([does(0, "steal", 1), *passes(1, 2)], "… P-1 may block as Captain or Ambassador"),
        ([does(0, "tax"), challenges(1)], "… P-0 turns up Duke?"),
        ([does(0, "tax"), challenges(1), shows(0, "Duke")], "? P-1 challenges: shown ✓, P-1 has to turn up a card"),
        ([does(0, "exchange"), *passes(1, 2)], "… P-0 has drawn two cards, and returns two"),
        ([does(0, "income")], "▶ P-1 declares an action"),
    ],
)
def test_every_window_says_who_may_do_what(answers: list[tuple[int, dict[str, Any]]], open_step: str) -> None:
    assert lines(table(play(position(*THREE), *answers), 60, "public"))[-1] == open_step


def test_a_forced_coup_its_loss_and_a_concession() -> None:
    state = position("10 As Du", "2 Ca Am", "2 Co Co", may_concede=True)
    assert "P-0 declares an action: from 10 coins on only Coup" in table(state, 120)
    assert lines(table(play(state, does(0, "coup", 1)), 60))[-2:] == [
        "▶ P-0 declares Coup against P-1",
        "† P-1 has to turn up a card",
    ]
    state = play(position(*THREE, may_concede=True), does(0, "tax"), challenges(1))
    assert lines(table(state, 60))[-1] == "… P-0 turns up Duke?"
    state = play(state, (0, {"response": "concede"}))
    assert lines(table(state, 60))[-1] == "? P-1 challenges: not shown ✗, P-0 has to turn up a card"


def test_what_an_exchange_has_drawn_is_for_its_player() -> None:
    state = play(position("3 Am Du", "2 Ca As", deck="Co As"), does(0, "exchange"), *passes(1))
    drawn = " and ".join(state.view(0)["own"]["drawn"])
    assert f"P-0 has drawn {drawn}, and returns two" in table(state, 60, "P-0")
    assert f"P-0 has drawn {drawn}, and returns two" in table(state, 60)
    for view in ("public", "P-1"):
        assert "P-0 has drawn two cards, and returns two" in table(state, 60, view)


def test_the_turns_before_in_a_line_each() -> None:
    state = play(position(*THREE, max_turns=20), does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"), challenges(2))
    state = play(state, shows(1, "Captain"), loses(2, "Contessa"), does(1, "income"), does(2, "tax"), challenges(0))
    state = play(state, loses(2, "Contessa"))
    assert lines(table(state, 60, "public")) == [
        "      Coins Cards (✗ turned up)",
        "▶ P-0  3    ▒▒▒▒ ▒▒▒▒",
        "  P-1  3    ▒▒▒▒ ▒▒▒▒",
        "  P-2 out   ✗Contessa ✗Contessa",
        "Turn Action              Challenge Block          Challenge",
        "   1 P-0 Steal P-1                 P-1 Captain    P-2 true",
        "   2 P-1 Income",
        "   3 P-2 Tax             P-0 false",
        "Turn 4 of 20 · Court deck 9 cards ──────────────────────────",
        "▶ P-0 declares an action",
    ]
    assert lines(table(state, 80, "public"))[4:8] == [
        "Turn Action              Challenge Block          Challenge Lost",
        "   1 P-0 Steal P-1                 P-1 Captain    P-2 true  P-2 Contessa",
        "   2 P-1 Income",
        "   3 P-2 Tax             P-0 false                          P-2 Contessa",
    ]
    wide = lines(table(state, 200, "public"))
    assert wide[3].endswith("   3 P-2 Tax             P-0 false                          P-2 Contessa                   failed")
    assert "Claimed" in wide[0]
    assert "Captain ✓" in wide[2]
    assert "Duke ✗" in wide[3]


def test_at_the_end_every_hand_and_how_everybody_bluffed() -> None:
    state = play(position("3 As Du", "2 Ca (Am)"), does(0, "tax"), challenges(1), shows(0, "Duke"), loses(1, "Captain"))
    hand = " ".join(state.view(None)["hands"][0])
    assert lines(table(state, 60, "public")) == [
        "      Coins Cards (✗ turned up)",
        f"★ P-0  3    {hand:<23} wins",
        "  P-1 out   ✗Captain ✗Ambassador",
        "Turn Action              Challenge Block          Challenge",
        "   1 P-0 Tax             P-1 true",
        "★ P-0 wins in turn 1 ───────────────────────────────────────",
        "      Claims true bluff caught unknown Challenges right",
        "  P-0      1    1     ·      ·       ·          ·     ·",
        "  P-1      ·    ·     ·      ·       ·          1     ·",
    ]


def test_a_draw_says_so() -> None:
    state = play(position("3 As Du", "2 Ca Am", max_turns=1), does(0, "income"))
    shown = lines(table(state, 60, "public"))
    assert shown[5] == "★ Turn limit reached: all remaining players win ────────────"
    assert [line[0] for line in shown[1:3]] == ["★", "★"]
    assert "Assassin Duke" in shown[1]


def test_long_names_take_the_room_of_what_can_be_read_elsewhere() -> None:
    state = play(position(*THREE), does(0, "tax"))
    names = ("anthropic/claude-haiku-4.5", "offline model", "bot:steady")
    seen = Perspective.of("public", 3).visible(state, names)
    narrow, wide = (drawn(drawn_table(state.game, seen), width) for width in (60, 80))
    assert "▶ anthropic/claude-haiku-4.5  3    ▒▒▒▒ ▒▒▒▒" in narrow
    assert "says Duke" not in narrow
    assert widest(narrow) <= 60
    assert "▶ anthropic/claude-haiku-4.5  3    ▒▒▒▒ ▒▒▒▒               says Duke" in wide


@pytest.mark.parametrize("options", [{}, {"may_concede": True}, {"max_turns": 8}])
def test_six_players_fit_24_lines_of_60(options: dict[str, Any]) -> None:
    """With a line for the header and one for each seat that is thinking; and nothing is cut."""
    for seed in range(4):
        states = walk(GAME.begin(players=6, seed=seed, **options), random.Random(seed), 0.02)
        for state in islice(states, seed, None, 4):
            shown = lines(table(state, 60))
            assert 1 + len(shown) + len(state.pending) <= 24
            assert not [line for line in shown if "…" in line[1:]]
