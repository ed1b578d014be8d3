"""Scenes of every kind at every size: long names, eight players and thirty columns break none, in a terminal and on a page."""

from __future__ import annotations

import re

import pytest

from games.core.scene import (
    DOWN,
    STRONG,
    Banner,
    Card,
    CardRow,
    Cell,
    Column,
    Counter,
    Grid,
    Legend,
    Part,
    Player,
    Players,
    Quote,
    Row,
    Scene,
    Stack,
    Steps,
    Table,
    TextCard,
    Texts,
    Word,
    checked,
    plain_table,
)
from games.core.sentence import WHOSE, Does, Who
from runner.export.scene_nodes import Tables
from runner.screen.scene_rich import SceneTable
from tests.screen.drawing import drawn, widest

SEATS = range(8)
NAMES = tuple(f"a-model-with-a-name-as-long-as-they-have {seat}" for seat in SEATS)
TEXT = "A sentence about a door, a dog and a delay that nobody had foreseen, and that nobody has forgotten since."
WIDE: dict[str, Part] = {
    "players": Players(
        tuple(
            Player(seat, note=(Word("doubts"),), counters=(Counter(30, "coin"),), cards=(Card("Queen"), Card(None, state=DOWN)))
            for seat in SEATS
        ),
        cards="Cards",
    ),
    "scores": Players(tuple(Player(seat, counters=(Counter(seat, "point", 20),)) for seat in SEATS)),
    "table": Table(tuple(Column((f"column {n}",)) for n in range(30)), tuple(Row((("x" * 9,),) * 30, seat) for seat in SEATS)),
    "grid": Grid(tuple(map(str, range(1, 31))), ((Word("red", "red"), (Cell(7), *(Cell(),) * 28, Cell(is_blocked=True))),)),
    "row": CardRow(tuple(Stack((Card("A long name of a card", owner=seat % 8, tokens=12),), str(seat)) for seat in range(30))),
    "texts": Texts(tuple(TextCard(TEXT, f"id-{seat}", seat, (*SEATS,), True) for seat in SEATS)),
    "quote": Quote(7, TEXT),
    "steps": Steps(tuple(("▶", (Who(seat), f" {TEXT}")) for seat in SEATS), title=("Turn 1",)),
    "banner": Banner((TEXT,)),
    "legend": Legend(tuple((sign, (TEXT,)) for sign in "○◌‹◆")),
}


@pytest.mark.parametrize("has_story", [False, True])
@pytest.mark.parametrize("width", [30, 40, 60, 80, 120, 200])
@pytest.mark.parametrize("part", WIDE)
def test_no_part_is_wider_than_the_terminal(part: str, width: int, has_story: bool) -> None:
    scene = checked(Scene(NAMES, (WIDE[part],)))
    text = drawn(SceneTable(scene, has_story), width)
    assert text.strip()
    assert widest(text) <= width
    if part in ("players", "scores", "table"):
        assert all(re.search(rf"(a|name|have|…) ?{seat}\b|P-{seat}", text) for seat in SEATS)


@pytest.mark.parametrize("height", [8, 16, 24, 50])
def test_what_is_most_important_stays(height: int) -> None:
    """The rank decides what is made smaller and left out; a part of rank 0 stays."""
    parts = (WIDE["scores"], Texts((TextCard("first"),) * 3, rank=2), Texts((TextCard("last"),) * 30, rank=1), Quote(0, "said"))
    lines = drawn(SceneTable(Scene(NAMES, parts), has_story=True), 80, height=height).rstrip().split("\n")
    text = "\n".join(lines)
    assert "said" in text
    assert all(re.search(rf"… ?{seat}\b", text) for seat in SEATS)
    assert len(lines) <= height
    assert height < 50 or ("first" in text and "last" in text)


@pytest.mark.parametrize("part", WIDE)
def test_every_part_can_be_drawn_on_a_page(part: str) -> None:
    tables = Tables(NAMES)
    tables.table(Scene(NAMES, (WIDE[part],)))
    assert tables.data


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_plain_table_has_no_json_and_no_column_of_single_letters(width: int) -> None:
    view = {
        "scores": [*SEATS],
        "board": [{"owner": seat, "cards": ["Queen", "King"]} for seat in range(3)],
        "rules": {"rounds": 3, "draws": True},
        **{f"fact {number}": [TEXT] * len(SEATS) for number in range(4)},
    }
    scene = checked(plain_table(view, {0: {"hand": ["Queen", "King"]}}, NAMES))
    text = drawn(SceneTable(scene), width, height=1000)
    assert widest(text) <= width
    assert not {"{", "}", '"'} & set(text)
    assert "rounds 3, draws yes" in " ".join(text.split())
    assert scene.standing == (*SEATS,)
    assert max(map(len, text.split())) > 5


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (Table((Column(),), (Row(()),)), "a cell for each column"),
        (Grid(("1",), ((Word("red"), ()),)), "a cell for each column"),
        (Steps((("", (Who(8),)),)), "no player 8"),
        (Texts((TextCard(TEXT, owner=9),)), "no player 9"),
        (Steps((("", ({},)),)), "no value of type dict"),  # type: ignore[arg-type]
        ("words", "are Parts"),
    ],
)
def test_a_scene_that_cannot_be_drawn_is_refused(part: Part, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        checked(Scene(NAMES, (part,)))


def test_sentences_call_players_by_their_names_and_the_one_who_looks_on_you() -> None:
    steps = Steps(
        (("▶", (Who(0), Does(0, "declare Steal against "), Who(1))), ("■", (Who(1, WHOSE), " block"))),
        title=(Who(1), Does(1, "hold")),
    )
    by_name = SceneTable(Scene(("ada", "P-1"), (steps,)))
    assert "▶ ada declares Steal against P-1" in drawn(by_name, 60)
    by_you = SceneTable(Scene(("x", "you"), (steps,)))
    assert "■ your block" in drawn(by_you, 60)
    assert drawn(by_you, 60).startswith("You hold ─")
    turn = Steps(
        (
            ("▶", (Who(0), Does(0, "keep or", STRONG), Does(0, "reveal position 2", STRONG))),
            ("", (Who(0), Does(0, "have to turn up a card"))),
        )
    )
    told = drawn(SceneTable(Scene(("you",), (turn,))), 60)
    assert "You keep or reveal position 2" in told
    assert "You have to turn up a card" in told
    against = Steps((("", (Who(0), " as Assassin")),))
    assert "you as Assassin" in drawn(SceneTable(Scene(("you",), (against,))), 60)
