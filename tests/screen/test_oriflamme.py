"""Oriflamme's table, as text."""

from __future__ import annotations

import random

import pytest

from games.core.sentence import win
from games.oriflamme import State
from games.testing.random_play import walk
from runner.film.perspective import Perspective
from runner.screen.scene_rich import drawn_table
from tests.games.oriflamme.positions import play, position
from tests.screen.drawing import drawn, table, widest

QUEUE = "A:Soldier* [B:Lord* / B:Spy(1)] C:Archer(2) A:Decree B:Conspiracy(3)"


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def five_of_each(*names: str) -> State:
    """A queue with these cards of all five families, one after the other."""
    queue = " ".join(f"{seat}:{name}" for name in names for seat in "ABCDE")
    return position(queue, at=15, players=5)


def test_a_card_being_resolved_as_everybody_together_sees_it() -> None:
    assert lines(table(position(QUEUE, at=3), 60)) == [
        "╭─ 1 ───╮╭─ 2 ───╮┏━ ▶3 ━━┓╭─ 4 ───╮╭─ 5 ───╮",
        "│  P-0  ││  P-1  │┃  P-2  ┃│  P-0  ││  P-1  │",
        "│   ⚔   ││   ♜   │┃   ➶   ┃│   ✒   ││   ✦   │",
        "│Soldier││ Lord  │┃Archer ┃│Decree ││Consp. │",
        "│       ││       │┃  ●●   ┃│       ││  ●●●  │",
        "│       ││└Spy1● │┃       ┃│       ││       │",
        "│       ││       │┃       ┃│       ││       │",
        "╰───────╯╰───────╯┗━ ▒▒▒ ━┛╰─ ▒▒▒ ─╯╰─ ▒▒▒ ─╯",
        "▶ P-2 keeps or reveals position 3 · round 2 of 6, P-1 first",
        "      Pts Queue Arc Sol Spy Hei Lor Shi Amb Ass Con Dec",
        "  P-0   1     2  h   ■   h   h   h   h   –   –   –   ▒",
        "  P-1   1     3  h   h   ▒   h   ■   h   h   –   ▒   –",
        "▶ P-2   1     1  ▒   h   h   h   h   h   –   –   –   ×",
        "h hand ▒ hidden ■ revealed × out – removed · not known",
    ]


def test_a_spectator_sees_no_hidden_card() -> None:
    assert lines(table(position(QUEUE, at=3), 80, "public")) == [
        "╭─ 1 ───╮╭─ 2 ───╮┏━ ▶3 ━━┓╭─ 4 ───╮╭─ 5 ───╮",
        "│  P-0  ││  P-1  │┃  P-2  ┃│  P-0  ││  P-1  │",
        "│   ⚔   ││   ♜   │┃▒▒▒▒▒▒▒┃│▒▒▒▒▒▒▒││▒▒▒▒▒▒▒│",
        "│Soldier││ Lord  │┃▒▒▒▒▒▒▒┃│▒▒▒▒▒▒▒││▒▒▒▒▒▒▒│",
        "│       ││       │┃  ●●   ┃│       ││  ●●●  │",
        "│       ││└▒▒▒1● │┃       ┃│       ││       │",
        "│       ││       │┃       ┃│       ││       │",
        "╰───────╯╰───────╯┗━ ▒▒▒ ━┛╰─ ▒▒▒ ─╯╰─ ▒▒▒ ─╯",
        "▶ P-2 keeps or reveals position 3 · round 2 of 6, P-1 first",
        "      Pts Queue Arc Sol Spy Hei Lor Shi Amb Ass Con Dec",
        "  P-0   1     2  ·   ■   ·   ·   ·   ·   ·   ·   ·   ·",
        "  P-1   1     3  ·   ·   ·   ·   ■   ·   ·   ·   ·   ·",
        "▶ P-2   1     1  ·   ·   ·   ·   ·   ·   ·   ·   ·   ×",
        "h hand ▒ hidden ■ revealed × out – removed · not known",
    ]


def test_a_seat_sees_its_own_cards_and_words_where_there_is_room() -> None:
    assert lines(table(position(QUEUE, at=3), 120, "P-1")) == [
        "╭─ 1 ───╮╭─ 2 ───╮┏━ ▶3 ━━┓╭─ 4 ───╮╭─ 5 ───╮",
        "│  P-0  ││  P-1  │┃  P-2  ┃│  P-0  ││  P-1  │",
        "│   ⚔   ││   ♜   │┃▒▒▒▒▒▒▒┃│▒▒▒▒▒▒▒││   ✦   │",
        "│Soldier││ Lord  │┃▒▒▒▒▒▒▒┃│▒▒▒▒▒▒▒││Consp. │",
        "│       ││       │┃  ●●   ┃│       ││  ●●●  │",
        "│       ││└Spy1● │┃       ┃│       ││       │",
        "│       ││       │┃       ┃│       ││       │",
        "╰───────╯╰───────╯┗━ ▒▒▒ ━┛╰─ ▒▒▒ ─╯╰─ ▒▒▒ ─╯",
        "▶ P-2 keeps or reveals position 3 · round 2 of 6, P-1 first",
        "      Points Queue Archer   Soldier  Spy      Heir     Lord     Shifter  Ambush   Assass.  Consp.   Decree",
        "  P-0      1     2 ·        revealed ·        ·        ·        ·        ·        ·        ·        ·",
        "  P-1      1     3 hand     hand     hidden   hand     revealed hand     hand     removed  hidden   removed",
        "▶ P-2      1     1 ·        ·        ·        ·        ·        ·        ·        ·        ·        out",
    ]


def test_at_200_columns_no_name_is_cut() -> None:
    shown = table(position(QUEUE, at=3), 200)
    assert "Archer   Soldier  Spy      Heir     Lord     Shapeshifter Ambush   Assassination Conspiracy Royal Decree" in shown


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (State.begin(), "▶ P-0 places a card, then P-1, P-2 · round 1 of 6, P-0 first"),
        (State.begin().actions[0].next_state.actions[0].next_state, "▶ P-2 places a card, last of the round · round 1"),
        (position("A:Spy(1) B:Lord"), "▶ P-0 keeps or reveals position 1 · round 2 of 6, P-1 first"),
        (position("A:Soldier* B:Lord"), "▶ P-0's Soldier at position 1 has to eliminate one of the neighbouring cards"),
        (
            play(position("A:Shifter* B:Soldier*"), {"target": "position 2"}),
            "▶ P-0's Shapeshifter at position 1 as a copy of the Soldier has to eliminate one of the neighbouring cards",
        ),
    ],
)
def test_what_is_being_decided(state: State, words: str) -> None:
    for view in ("all", "public", "P-2"):
        assert any(line.startswith(words) for line in lines(table(state, 160, view)))


def test_an_empty_queue_is_called_so() -> None:
    assert lines(table(State.begin(), 60, "public"))[0] == "The queue is empty."


def test_places_and_lines_of_the_queue_stay() -> None:
    state = position("A:Soldier* [B:Lord* / B:Spy(1) / B:Heir / B:Decree] C:Archer(2) B:Conspiracy(9)", at=3)
    shown = lines(table(state, 160, "P-1"))
    assert shown[:8] == [
        "╭─ 1 ───╮╭─ 2 ───╮┏━ ▶3 ━━┓╭─ 4 ───╮",
        "│  P-0  ││  P-1  │┃  P-2  ┃│  P-1  │",
        "│   ⚔   ││   ♜   │┃▒▒▒▒▒▒▒┃│   ✦   │",
        "│Soldier││ Lord  │┃▒▒▒▒▒▒▒┃│Consp. │",
        "│       ││       │┃  ●●   ┃│  9●   │",
        "│       ││└Spy1● │┃       ┃│       │",
        "│       ││└+2    │┃       ┃│       │",
        "╰───────╯╰───────╯┗━ ▒▒▒ ━┛╰─ ▒▒▒ ─╯",
    ]
    assert shown[9].startswith("P-1 holds")
    empty = lines(table(State.begin(), 160, "public"))
    assert empty[0] == "The queue is empty."
    assert empty[1:8] == [""] * 7


def test_the_winners_are_marked_at_the_end() -> None:
    *_, last = walk(State.begin(seed=5), random.Random(5))
    shown = lines(table(last, 80, "public"))
    assert f"★ {win(last.winners, ': ')}{last.ending[0]}" in shown
    assert {seat for seat in range(3) if any(line.startswith(f"★ P-{seat}  ") for line in shown)} == {*last.winners}


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_fifteen_positions_leave_room_on_a_terminal_of_24_lines(width: int) -> None:
    for view in ("all", "public", "P-4"):
        shown = table(five_of_each("Spy", "Heir", "Assassination"), width, view, height=20)
        assert widest(shown) <= width
        assert len(lines(shown)) <= 20
        assert {str(number) for number in range(1, 16)} <= set(shown.replace("▶", "").split())


def test_a_person_s_hand_is_theirs_in_words() -> None:
    state = State.begin()
    seen = Perspective(seat=0).visible(state, ("you", "bo", "cy"))
    shown = drawn(drawn_table(state.game, seen), 160)
    assert "You hold ──" in shown
    assert "P-0 holds" not in shown


def test_cards_are_lower_where_lines_are_scarce() -> None:
    state = position("A:Soldier* [B:Lord* / B:Spy(1) / B:Heir / B:Decree] C:Archer(2) B:Conspiracy(9)", at=3)
    shown = lines(table(state, 60, "P-1", height=12))
    assert shown[3:6] == [
        "│Soldier││ Lord  │┃▒▒▒▒▒▒▒┃│Consp. │",
        "│       ││  +3   │┃  ●●   ┃│  9●   │",
        "╰───────╯╰───────╯┗━ ▒▒▒ ━┛╰─ ▒▒▒ ─╯",
    ]
    assert lines(table(state, 60, "P-1", height=8))[0].startswith("  1 P-0 Soldier")


def test_many_tokens_fit_on_a_card() -> None:
    state = position("A:Conspiracy(12) [B:Shifter(11) / B:Assassination(10)]")
    for width in (28, 60, 80):
        shown = table(state, width)
        assert widest(shown) <= width
        assert all(f"{tokens}●" in shown for tokens in (10, 11, 12))
