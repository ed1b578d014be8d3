"""How many play, who plays the seats that nobody named, and the question before that costs money."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest

from runner.agents.environment import Environment
from runner.agents.spec import fill_seats
from runner.cli.play import check_free_seats
from runner.errors import UsageError
from tests.cli.command import complaint, tabletop

KEY = {"OPENROUTER_API_KEY": "sk-test"}
BOTS = ("--seat", "bot:steady", "--seat", "bot:random")


class Keyboard(StringIO):
    """A terminal on which somebody has typed."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("game", "words", "players"),
    [
        ("coup", BOTS, 2),
        ("coup", BOTS * 3, 6),
        ("coup", BOTS[:2], 4),
        ("dixiquote", (*BOTS, "--max-rounds", "1"), 4),
        ("coup", ("--players", "3", *BOTS), 3),
    ],
)
def test_as_many_play_as_seats_are_named_if_the_game_allows_it(
    game: str, words: tuple[str, ...], players: int, tmp_path: Path
) -> None:
    done = tabletop(tmp_path, "play", game, *words, "--seed", "1", "--json", "-q", DEFAULT_MODEL="bot:steady")
    assert json.loads(done.stdout)["players"] == players


def test_who_plays_the_free_seats_is_said_before_the_match(tmp_path: Path) -> None:
    words = ("play", "dixiquote", *BOTS, "--max-rounds", "1", "--seed", "1")
    filled = tabletop(tmp_path, *words, DEFAULT_MODEL="bot:steady", MODEL_PLAYER_3="bot:random").stderr.splitlines()
    assert filled[0] == "Free seats, from .env or the environment: P-2 bot:steady, P-3 bot:random."
    assert "the offline model plays the free seats" in tabletop(tmp_path, *words).stderr.splitlines()[0]


def test_where_nobody_can_be_asked_a_model_that_costs_money_needs_consent(tmp_path: Path) -> None:
    refused = tabletop(tmp_path, "play", "dixiquote", *BOTS, **KEY)
    assert refused.returncode == 2
    said = complaint(refused)
    assert "No --seat names P-2, P-3: openai/gpt-5-mini would play there, which costs money." in said
    assert "--budget USD" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("typed", "plays"), [("y\n", True), ("n\n", False), ("\n", False), ("", False)])
def test_on_a_terminal_it_asks(typed: str, plays: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard(typed))
    monkeypatch.setattr(sys, "stderr", Keyboard())
    environment = Environment(KEY)
    filled = fill_seats(["bot:steady"], 3, environment)
    if plays:
        check_free_seats(filled, 1, environment, has_consent=False, is_quiet=True)
        return
    with pytest.raises(UsageError, match="Nothing was played"):
        check_free_seats(filled, 1, environment, has_consent=False, is_quiet=True)


@pytest.mark.parametrize("more", [{"DEFAULT_MODEL": "a/b"}, {"MODEL_PLAYER_1": "a/b", "MODEL_PLAYER_2": "a/b"}])
def test_a_model_that_somebody_named_is_not_asked_about(more: dict[str, str]) -> None:
    environment = Environment({**KEY, **more})
    check_free_seats(fill_seats(["bot:steady"], 3, environment), 1, environment, has_consent=False, is_quiet=True)


def test_consent_and_a_full_table_need_no_question() -> None:
    environment = Environment(KEY)
    check_free_seats(fill_seats([], 3, environment), 0, environment, has_consent=True, is_quiet=True)
    check_free_seats(fill_seats(["bot:steady"] * 3, 3, environment), 3, environment, has_consent=False, is_quiet=True)
