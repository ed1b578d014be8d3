"""Motion: what changes on a table moves for a moment, within the beat of what tells it, and shows nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

import games
from games.core import Event
from games.core.drama import Script
from games.core.scene import DOWN, LOST, UP, Banner, Card, CardRow, Counter, Grid, Player, Players, Scene
from games.motion import EDGE, between
from runner.film.film import Film, Frame
from runner.film.perspective import Perspective
from runner.record.decisions import DecisionList
from runner.record.reader import read_log
from runner.screen.replay_viewer import Viewer
from tests.film.test_film import EYES, NAMES, cuts
from tests.record.matches import erring, played

PUBLIC = Perspective()
T = TypeVar("T")


def with_moves(game: str, kind: str, eye: Perspective = PUBLIC, matches: int = 3) -> Iterator[tuple[Event, Scene, list[Frame]]]:
    """Each event of a kind, the scene before its frames, and these: what moves, then the one that stays."""
    for before, _, _, frames in cuts(game, eye, has_motion=True, matches=matches):
        scene, moving = Film(before.game, eye, NAMES[: before.setup.players]).scene(before), list[Frame]()
        for frame in frames:
            moving.append(frame)
            if not frame.is_moving:
                told = [event for one in moving for line in one.lines for event, _ in line.told]
                yield from ((event, scene, moving) for event in told if event.kind == kind)
                scene, moving = frame.scene, []


def part(kind: type[T], scene: Scene) -> T:
    return next(one for one in scene.parts if isinstance(one, kind))


@pytest.mark.parametrize("eye", EYES, ids=lambda eye: eye.name)
@pytest.mark.parametrize("game", games.names())
def test_what_moves_has_a_part_of_its_beat(game: str, eye: Perspective) -> None:
    moved = 0
    for moving, still in zip(cuts(game, eye, matches=2, has_motion=True), cuts(game, eye, matches=2), strict=True):
        stays = [frame for frame in moving[3] if not frame.is_moving]
        assert sum(frame.weight for frame in moving[3]) == pytest.approx(sum(frame.weight for frame in still[3]))
        assert all(frame.weight > 0.15 for frame in stays)
        assert [frame.scene for frame in stays] == [frame.scene for frame in still[3]] or len(stays) == len(still[3])
        assert not any(frame.is_moving for frame in still[3])
        moved += len(moving[3]) - len(stays)
    assert moved > 3 or game == "dixiquote"


def test_coins_count() -> None:
    seen = 0
    for event, before, frames in with_moves("coup", "gain"):
        coins = [part(Players, scene).rows[event.data["seat"]].counters for scene in (before, *(one.scene for one in frames))]
        values = [found[0].value for found in coins if found]
        assert values == sorted(values)
        seen += len(set(values)) > 2
    assert seen > 5


@pytest.mark.parametrize("eye", EYES, ids=lambda eye: eye.name)
def test_a_card_that_is_lost_shows_its_back_its_edge_its_face(eye: Perspective) -> None:
    seen = 0
    for event, before, frames in with_moves("coup", "loss", eye):
        seat, name = event.data["seat"], event.data["card"]
        hands = [part(Players, one.scene).rows[seat].cards for one in frames]
        assert any(card.name == EDGE for card in hands[-2])
        assert EDGE not in {card.name for card in (*part(Players, before).rows[seat].cards, *hands[-1])}
        assert sum(card == Card(name, card.tone, card.sign, LOST) for card in hands[-1])
        is_known = eye.reads(seat)
        backs = [card for card in hands[0] if card.state == DOWN]
        assert len(hands) < 3 or any((card.name == name) if is_known else card.name is None for card in backs)
        seen += 1
    assert seen > 5


def test_a_card_that_is_shown_lies_open_until_it_goes_back() -> None:
    seen = 0
    for event, before, frames in with_moves("coup", "proof"):
        seat, name = event.data["seat"], event.data["card"]
        open_cards = [[card.name for card in part(Players, one.scene).rows[seat].cards if card.state == UP] for one in frames]
        assert open_cards[-2:] == [[EDGE], [name]]
        assert not [card for card in part(Players, before).rows[seat].cards if card.state == UP]
        seen += 1
    assert seen
    for event, _, frames in with_moves("coup", "replacement"):
        assert not [card for card in part(Players, frames[-1].scene).rows[event.data["seat"]].cards if card.state == UP]


def test_a_token_comes_to_a_marked_cell() -> None:
    for event, before, frames in with_moves("cat_in_the_box", "play", matches=1):
        colour, place = event.data["colour"], event.data["rank"] - 1
        cells = [
            next(cells[place] for name, cells in part(Grid, scene).rows if name.text == colour)
            for scene in (before, *(one.scene for one in frames))
        ]
        assert [cell.owner for cell in cells[:-1]] == [None] * (len(cells) - 1)
        assert cells[-1].owner == event.data["seat"]
        assert len(frames) < 2 or cells[-2].mark == cells[-1].mark


def test_a_paradox_strikes_out_the_cells_of_the_hand_and_is_named_then() -> None:
    seen = 0
    for event, _, frames in with_moves("cat_in_the_box", "paradox", matches=4):
        ranks = set(event.data["hand"])
        struck = [
            {
                place
                for _, cells in part(Grid, one.scene).rows
                for place, cell in enumerate(cells, 1)
                if cell.mark and cell.mark.kind == "broken"
            }
            for one in frames
        ]
        assert struck == [{min(ranks)}, *[ranks] * (len(ranks) > 1), set()]
        assert [any(isinstance(one, Banner) for one in frame.scene.parts) for frame in frames][-2:] == [False, True]
        seen += 1
    assert seen


def queue(scene: Scene) -> Sequence[object]:
    return next(one.stacks for one in scene.parts if isinstance(one, CardRow) and not one.use)


def test_a_card_leaves_one_place_before_it_stands_in_the_other() -> None:
    for _, before, frames in with_moves("oriflamme", "placed", matches=1):
        assert [queue(one.scene) for one in frames] == [queue(before), queue(frames[-1].scene)]
        assert queue(before) != queue(frames[-1].scene)
    seen = 0
    for event, before, (lifted, put) in with_moves("oriflamme", "moved", matches=4):
        cards = [sum(len(stack.cards) for stack in part(CardRow, one).stacks) for one in (before, lifted.scene, put.scene)]
        assert cards == [cards[0], cards[0] - 1, cards[0]], event
        seen += 1
    assert seen > 3


def test_a_hidden_card_that_is_eliminated_lies_open_before_it_is_gone() -> None:
    seen = 0
    for event, before, frames in with_moves("oriflamme", "eliminated"):
        at, name = event.data["position"] - 1, event.data["victim_card"]
        if part(CardRow, before).stacks[at].cards[0].state == DOWN:
            card = part(CardRow, frames[-2].scene).stacks[at].cards[0]
            assert (card.name, card.state) == (name, UP)
            seen += 1
    assert seen


def test_a_table_of_somebody_else_moves_in_the_same_ways() -> None:
    def scene(coins: int, *cards: Card) -> Scene:
        return Scene(("ada",), (Players((Player(0, counters=(Counter(coins, "coin"),), cards=cards),)),))

    before, after = scene(9, Card(None, state=DOWN)), scene(3, Card("Ace", state=UP))
    found = [part(Players, one).rows[0] for one in between(Script(), before, after, ())]
    assert [(one.counters[0].value, one.cards[0].name) for one in found] == [(7, None), (5, EDGE)]
    assert between(Script(), after, after, ()) == []
    assert between(Script(), before, replace(after, parts=()), ()) == []


async def test_keys_go_past_what_moves_and_play_by_itself_shows_it(tmp_path: Path) -> None:
    await played(tmp_path / "log.jsonl", "coup", erring("coup", 3, 0.1), 3)
    viewer = Viewer(DecisionList(read_log(tmp_path / "log.jsonl")), PUBLIC, has_motion=True)
    for key in (".", ","):
        steps = 0
        while viewer.decision.number + viewer.is_midway + (key == ".") > 0 and steps < 60:
            viewer.press(key)
            steps += 1
            assert not viewer.frame.is_moving
        assert steps == 60 or viewer.decision.number == 0
    viewer.press("space")
    shown = list[bool]()
    while viewer.is_playing:
        viewer.tick()
        shown.append(viewer.frame.is_moving)
    assert any(shown)
    assert not shown[-1]
