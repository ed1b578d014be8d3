"""Long model names break after slashes, and winners are listed as people list them."""

from __future__ import annotations

from io import StringIO
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table
from rich.text import Text

import games
from games.core import Event
from runner.match.records import ResultRecord
from runner.screen.line_breaks import SlashBreaks
from runner.screen.narrator import event_line
from runner.screen.result import result_screen, verdict

NAMES = ("anthropic/claude-haiku-4.5", "openai/gpt-5-mini", "bot:steady")


def drawn(what: Any, width: int) -> list[str]:
    console = Console(file=StringIO(), width=width, color_system=None, highlight=False)
    return ["".join(part.text for part in line).rstrip() for line in console.render_lines(what, console.options, pad=False)]


def in_a_column(text: str, width: int) -> list[str]:
    """The lines of a text in a column that is so wide."""
    rows = Table.grid()
    rows.add_column(width=width)
    rows.add_row(SlashBreaks(Text(text)))
    return drawn(rows, 100)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("anthropic/claude-haiku-4.5", 26, ["anthropic/claude-haiku-4.5"]),
        ("anthropic/claude-haiku-4.5", 20, ["anthropic/", "claude-haiku-4.5"]),
        ("anthropic/claude-haiku-4.5", 12, ["anthropic/", "claude-haiku", "-4.5"]),
        ("2 openai/gpt-5-mini, bot:steady", 19, ["2 openai/", "gpt-5-mini,", "bot:steady"]),
        ("a/b/c", 4, ["a/b/", "c"]),
    ],
)
def test_names_break_after_slashes(text: str, width: int, lines: list[str]) -> None:
    assert in_a_column(text, width) == lines


@given(st.text("ab/ ", min_size=1, max_size=30), st.integers(1, 12))
def test_no_letter_is_lost_and_no_line_is_too_long(text: str, width: int) -> None:
    lines = in_a_column(text, width)
    assert max(map(len, lines), default=0) <= width
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def result(winners: list[int]) -> ResultRecord:
    seats = [
        {
            "spec": name,
            "name": name,
            "kind": "model",
            "mistakes": 0,
            "penalties": 0,
            "prompt_tokens": 0,
            "completion_tokens": 0,
            "cost": 0.0,
        }
        for name in NAMES
    ]
    facts: dict[str, Any] = {"players": 3, "scores": [1, 1, 1], "winners": winners, "ending": ["round 4 of 4 is played"]}
    return cast(ResultRecord, {"kind": "result", "seed": 1, "rules": "revised", "seats": seats, **facts})


def test_the_result_has_the_names_that_the_story_has() -> None:
    lines = drawn(result_screen(games.load("dixiquote"), result([0])), 64)
    assert {"claude-haiku-4.5", "gpt-5-mini", "steady"} <= set(" ".join(lines).split())


@pytest.mark.parametrize(
    ("winners", "who"),
    [
        ([], "nobody wins"),
        ([1], "gpt-5-mini wins"),
        ([0, 2], "claude-haiku-4.5 and steady share the win"),
        ([0, 1, 2], "claude-haiku-4.5, gpt-5-mini and steady share the win"),
    ],
)
def test_winners_are_listed(winners: list[int], who: str) -> None:
    assert verdict(result(winners)) == f"{who}: round 4 of 4 is played."


def test_reasons_of_the_end_call_players_by_their_names() -> None:
    tied = result([0])
    tied["ending"] = ["P-0 and P-2 tie at 9 points"]
    for seat, name in zip(tied["seats"], ("ada", "bo", "cy"), strict=True):
        seat.update(name=name, spec="bot:steady", kind="bot")
    assert "ada and cy tie at 9 points" in verdict(tied)


@pytest.mark.parametrize(
    ("scores", "you", "out", "told"),
    [
        ([9, 5, 7], 1, [], "You came third."),
        ([9, 5, 7], 2, [], "You came second."),
        ([1, 0, 0], 2, [], "You lost."),
        ([1, 0, 0], 2, [2, 1], "You came third."),
        ([1, 0, 0], 1, [2, 1], "You came second."),
        ([1, 0, 0], 1, [2], "You lost."),
        ([9, 5, 7], 0, [], "round 4 of 4 is played."),
    ],
)
def test_a_person_is_told_their_place(scores: list[int], you: int, out: list[int], told: str) -> None:
    over = result([0])
    over["scores"] = scores
    assert verdict(over, you, out).endswith(told)


def test_columns_of_zeroes_are_left_out_of_a_result() -> None:
    found = result([0])
    counts = ("mistakes", "penalties", "prompt_tokens", "completion_tokens", "cost")
    for seat in found["seats"]:
        cast(dict[str, Any], seat).update(dict.fromkeys(counts, 0))
    heads = drawn(result_screen(games.load("coup"), found), 100)[1].split()
    assert heads == ["Seat", "Player", "Score"]
    found["seats"][1]["penalties"] = 1
    assert drawn(result_screen(games.load("coup"), found), 100)[1].split() == [*heads, "Penalties"]


def test_the_end_of_oriflamme_names_players() -> None:
    game = games.load("oriflamme")
    state, events = game.begin(3, 1), tuple[Event, ...]()
    while not state.has_ended:
        assert state.actor is not None
        state, events = state.actions_of(state.actor)[0].on(state).next_with_events()
    end = next(event for event in events if event.kind == "end")
    assert "P-" in end.text
    told = event_line(end, ("ada", "bo", "cy")).plain
    assert "P-" not in told
    assert " points" in told
