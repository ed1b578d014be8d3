"""Sentences to people: `you` with its own verbs wherever the person at a seat reads: story, question, choices, table."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from functools import cache

import pytest
from rich.console import Console

import games
from games.core import CALLS, ITS, WHOSE, Does, Sentence, State, Who, as_told, does, told, win
from games.core.sentence import third
from games.highlights import remarks_on
from games.menu import without_choices
from games.scenes import scene_of
from games.testing.random_play import walk
from runner.agents.spec import Seat, parse_spec
from runner.export.page.match_page import pieces_of
from runner.export.scene_nodes import Tables
from runner.film.perspective import Perspective
from runner.screen.narrator import Narrator
from runner.screen.scene_rich import SceneTable
from runner.screen.seat_labels import labels_of
from tests.export.page_drawing import drawn_on_page, lines_on_page

NOUNS = "always|as|cards|coins|influences|its|less|points|tokens|tricks|unless|yours|this|pass"
ACTS = (
    "bids|blocks|challenges|chooses|claims|declares|declines|draws|gets|gives|has|holds|is|keeps|loses|passes|pays|places|plays|"
    "removes|returns|reveals|says|scores|shows|starts|submits|takes|turns|wins"
)
WRONG = [
    rf"\byou,? (?!(?:{NOUNS})\b)\w+s\b",
    rf"(?:^|[.:;] )you (?:(?!P-\d|[.;:]).)*(?:, | and )(?:{ACTS})\b",
    r"\(you\) \w+s\b|you's\b|\(only \S+ \(you\)\)|only you\) (?:Ann|P-0) ",
]
CARD = re.compile("|".join(re.escape(card.text) for card in games.load("dixiquote").begin(3).setup.options.deck))
"""The words of a card, which a deck has."""
FAULT = re.compile("|".join(WRONG), re.IGNORECASE)


def seats_of(spec: str, own: int, players: int) -> list[Seat]:
    specs = [parse_spec(spec if seat == own else "bot:steady") for seat in range(players)]
    return [Seat(one, one.player or one.default_name, one.kind, {}) for one in specs]


def story(state: State, seats: list[Seat], own: int) -> Iterator[str]:
    """What the terminal and the browser of the person at a seat tell of a transition."""
    seen, remarks = Perspective(own), remarks_on(state, state.events)
    for line in Narrator(seen).of(seats, is_played=True).events(state.events, remarks):
        yield line.plain
    for event in seen.visible_events(state.events):
        pieces = pieces_of(event, len(seats), own)
        yield "".join(
            piece[1] if isinstance(piece, tuple) else f"P-{piece}" if isinstance(piece, int) else piece for piece in pieces
        )


def question(state: State, seats: list[Seat], own: int) -> Iterator[str]:
    """What the person at a seat is asked, and their choices."""
    names, asked = labels_of(seats), state.question(own)
    yield without_choices(asked, names, own)
    for text in {text for choice in asked.choices[:10] for step in choice.steps for text in (step.name, step.effect)}:
        yield as_told(text, names, own)


def table(state: State, seats: list[Seat], own: int) -> Iterator[str]:
    """The words of the table in the terminal of the person at a seat."""
    scene = scene_of(state.game, Perspective(own).visible(state, labels_of(seats, own)))
    console = Console(width=160, height=60, color_system=None)
    with console.capture() as drawn:
        console.print(SceneTable(scene))
    yield from drawn.get().splitlines()


@cache
def walked(game: str, seed: int) -> list[State]:
    """The states of a match."""
    return [*walk(games.load(game).begin(3, seed), random.Random(seed), 0.05)]


@cache
def pages(game: str, seed: int, own: int) -> list[str]:
    """The tables of a match on a page for the person at a seat, who has no other name there."""
    states = walked(game, seed)[::5]
    names = tuple("you" if seat == own else f"P-{seat}" for seat in range(states[0].setup.players))
    tables = Tables(names)
    scenes = (scene_of(state.game, Perspective(own).visible(state, names)) for state in states)
    return [line for page in drawn_on_page(tables, [*map(tables.table, scenes)]) for line in lines_on_page(page)]


@pytest.mark.parametrize("spec", ["human", "Ann=human"])
@pytest.mark.parametrize("game", games.names())
def test_nobody_reads_a_verb_in_the_third_person_behind_you(game: str, spec: str) -> None:
    lines = list[str]()
    for seed in range(2):
        own, seats = seed, seats_of(spec, seed, 3)
        for number, state in enumerate(walked(game, seed)):
            lines += story(state, seats, own)
            if own in state.pending:
                lines += question(state, seats, own)
            if number % 7 == 0:
                lines += table(state, seats, own)
        lines += pages(game, seed, own) if shutil.which("node") else ()
    assert [line for line in lines if FAULT.search(CARD.sub("", line))] == []
    assert [line for line in lines if line.startswith("You ")]
    assert [line for line in lines if "your" in line.lower()]


@pytest.mark.parametrize(
    ("verb", "they", "you"),
    [
        ("claim Duke", "claims Duke", "claim Duke"),
        ("pass.", "passes.", "pass."),
        ("watch", "watches", "watch"),
        ("try", "tries", "try"),
        ("play", "plays", "play"),
        ("do not have it", "does not have it", "do not have it"),
        ("be out", "is out", "are out"),
        ("have 2 coins", "has 2 coins", "have 2 coins"),
        ("was struck out", "was struck out", "were struck out"),
    ],
)
def test_a_verb_goes_with_its_player(verb: str, they: str, you: str) -> None:
    assert as_told(does(1, verb), ("ada", "bob")) == f"bob {they}"
    assert as_told(does(1, verb), ("ada", "bob"), 1) == f"You {you}"
    assert does(1, verb) == f"P-1 {they}"


def test_a_sentence_is_a_text_of_the_rules_and_knows_its_reader() -> None:
    said = Sentence("Round 2. ", Who(0, CALLS), Who(1, WHOSE), " turn: ", Who(0), Does(0, "pay from "), Who(0, ITS), " hand.")
    assert said == "Round 2. P-0, P-1's turn: P-0 pays from its hand."
    assert as_told(said, ("ada", "bob")) == "Round 2. ada, bob's turn: ada pays from its hand."
    assert as_told(said, ("ada", "bob"), 0) == "Round 2. bob's turn: you pay from your hand."
    assert as_told(said, ("ada", "bob"), 1) == "Round 2. ada, your turn: ada pays from its hand."
    assert as_told(win((0, 1)), (), 0) == "You and P-1 share the win."
    assert list(told(Sentence(Who(0, WHOSE), " Duke"), ("ada",))) == [("ada", 0), ("'s", None), (" Duke", None)]


def test_a_text_of_another_author_has_names_and_no_wrong_grammar() -> None:
    assert as_told("P-0 takes it from P-1.", ("ada",), 0) == "ada takes it from P-1."
    assert as_told("P-0", ("ada",), 0) == "You"
    assert third("go") == "goes"
