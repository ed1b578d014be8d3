"""Whole matches of people, in real terminals."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.people.player import WRONG, Player, checked

SHORT = {
    "cat_in_the_box": ("--num-players", "3", "--rounds", "1"),
    "coup": ("--num-players", "3"),
    "dixiquote": ("--num-players", "3", "--max-rounds", "4", "--target-score", "50"),
    "oriflamme": ("--num-players", "3"),
}
BOTS = ("--seat", "bot:random", "--seat", "bot:steady")


@pytest.mark.parametrize(("game", "width"), [("cat_in_the_box", 120), ("coup", 60), ("dixiquote", 80), ("oriflamme", 60)])
def test_a_person_plays_a_whole_match_and_gets_everything_wrong_on_the_way(game: str, width: int, tmp_path: Path) -> None:
    words = ("play", game, *SHORT[game], "--seat", "human", *BOTS, "--seed", "4", "--speed", "0", "--log", "match.jsonl")
    player = Player(*words, folder=tmp_path, width=width, height=24)
    modes = player.modes_before
    assert player.play(random.Random(1), wrong=(*WRONG, "r")) == 0, player.text
    assert player.modes() == modes
    records = checked(tmp_path / "match.jsonl")
    header = records[0]
    assert header["seats"][0]["kind"] == header["seats"][0]["spec"] == "human"
    attempts = [record for record in records if record["kind"] == "attempt" and record["seat"] == 0]
    assert attempts
    assert {attempt["outcome"] for attempt in attempts} == {"answer"}
    assert all(attempt["latency"] >= 0 for attempt in attempts)
    assert not [record for record in records if record["kind"] == "penalty"]
