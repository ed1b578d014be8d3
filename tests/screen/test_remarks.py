"""Remarks on a screen: all in the view of all, public ones elsewhere; and nowhere but on screens and in exports."""

from __future__ import annotations

import ast
import random
from io import StringIO
from itertools import pairwise

import pytest
from rich.console import Console

import games
from games.core import Event, Remark
from games.highlights import Highlight, highlight_facts, remarks_on
from games.testing.random_play import walk
from runner.film.perspective import Perspective
from runner.screen.narrator import Narrator
from runner.screen.result import highlight_lines, print_highlights
from tests.record.matches import short
from tools import import_graph

PUBLIC, PRIVATE = Event("place", "P-0 places a card.", {"seat": 0}), Event("own", "It is the Spy.", {"seat": 0}, (0,))
OTHER = Event("take", "P-1 takes 2 coins.", {"seat": 1})


def told(perspective: Perspective, remarks: list[Remark], events: tuple[Event, ...] = (PUBLIC, PRIVATE, OTHER)) -> list[str]:
    return [line.plain for line in Narrator(perspective, labels=("ada (P-0)", "bob (P-1)")).events(events, remarks)]


def test_remarks_stand_before_the_full_stop_and_highlights_have_a_sign() -> None:
    seen = told(Perspective(sees_all=True), [Remark(2, "from P-0"), Remark(2, "a bluff", "bluff", 1)])
    assert seen == ["It is the Spy.", "bob (P-1) takes 2 coins (from ada (P-0), a bluff). ✦"]
    assert told(Perspective(sees_all=True), [Remark(2, "", "bluff", 1)])[1] == "bob (P-1) takes 2 coins. ✦"


def test_a_private_event_names_its_audience_where_something_is_hidden() -> None:
    assert told(Perspective(seat=0), [])[0] == "(only ada (P-0)) It is the Spy."
    assert told(Perspective(sees_all=True), [])[0] == "It is the Spy."


def test_a_remark_on_a_public_event_goes_to_the_private_one_that_replaces_it() -> None:
    remark = Remark(0, "well hidden", "hidden", 0, is_public=True)
    assert told(Perspective(), [remark])[0] == "ada (P-0) places a card (well hidden). ✦"
    assert told(Perspective(seat=0), [remark])[0] == "(only ada (P-0)) It is the Spy (well hidden). ✦"
    assert "hidden" not in "".join(told(Perspective(seat=0), [remark])[1:])


@pytest.mark.parametrize("name", games.names())
def test_restricted_views_are_told_public_remarks_alone(name: str) -> None:
    game, found = games.load(name), 0
    for seed, players in enumerate(game.players):
        views = [Perspective(), *(Perspective(seat=seat) for seat in range(players))]
        for state in list(walk(game.begin(players=players, seed=seed, **short(name, 4)), random.Random(seed), 0.03))[1:]:
            events, remarks = state.events, remarks_on(state, state.events)
            public = [remark for remark in remarks if remark.is_public]
            found += len(remarks) - len(public)
            for view in views if len(public) < len(remarks) else ():
                seen = Narrator(view).events(events, remarks)
                assert seen == Narrator(view).events(events, public)
                for remark in remarks:
                    assert remark in public or not any(f"({remark.text})" in line.plain for line in seen)
    assert found


def test_only_highlights_ask_a_game_for_remarks() -> None:
    """Neither the rules, playouts, prompts nor agents compute them."""
    asking = set()
    for name, path in import_graph.modules().items():
        text = path.read_text(encoding="utf-8")
        calls = (node for node in ast.walk(ast.parse(text if ".remarks(" in text else "")) if isinstance(node, ast.Call))
        if any(isinstance(call.func, ast.Attribute) and call.func.attr == "remarks" for call in calls):
            asking.add(name)
    assert asking == {"games.highlights", "runner.record.decisions", "games.testing.remarks"}


def test_highlights_are_counted_and_the_best_listed_with_their_decisions() -> None:
    bluff, caught = Remark(0, "bluff", "bluff", 0, 2), Remark(0, "", "caught", 1, 5, is_public=True)
    found = [Highlight(number, 1 + number // 2, OTHER, caught if number == 3 else bluff) for number in range(1, 6)]
    narrator = Narrator(Perspective(sees_all=True), labels=("ada", "bob"))
    lines = [line.plain for line in highlight_lines(games.load("coup"), found, narrator)]
    assert lines == [
        "Highlights: bluffs told 4 · bluffs caught 1",
        "  decision 3, turn 2: bob takes 2 coins.",
        "  decision 4, turn 3: bob takes 2 coins (bluff).",
        "  decision 5, turn 3: bob takes 2 coins (bluff).",
    ]
    assert highlight_lines(games.load("coup"), [], narrator) == []
    assert _printed(found, narrator, is_terminal=False) == lines
    assert _printed(found, narrator, is_terminal=True)[2:4] == ["  decision 3, turn 2: bob takes 2", "    coins."]
    first = {"decision": 1, "round": 1, "kind": "bluff", "seat": 0, "weight": 2, "text": "P-1 takes 2 coins (bluff)."}
    assert highlight_facts(found)[0] == first
    assert [one["decision"] for one, other in pairwise(highlight_facts(found)) if other["kind"] == "caught"] == [2]


def _printed(found: list[Highlight], narrator: Narrator, is_terminal: bool) -> list[str]:
    console = Console(file=StringIO(), width=40, force_terminal=is_terminal, color_system=None)
    with console.capture() as capture:
        print_highlights(console, games.load("coup"), found, narrator)
    return [line.rstrip() for line in capture.get().rstrip().split("\n")]
