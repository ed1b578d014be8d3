"""Offline models at Cat in the Box, from outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import tabletop


@pytest.mark.parametrize(("rounds", "played"), [("1", 1), ("players", 3)])
def test_offline_models_play_and_their_log_holds(rounds: str, played: int, tmp_path: Path) -> None:
    """As many play as there are rounds where that is what is asked for."""
    players = 5 if rounds == "1" else played
    words = ["--num-players", str(players), "--rounds", rounds, "--seed", "3", "--log", "cat.jsonl"]
    done = tabletop(tmp_path, "play", "cat_in_the_box", *words, *["--seat", "offline"] * players, "--quiet", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["rounds"] == played
    assert max(result["scores"]) in [result["scores"][seat] for seat in result["winners"]]
    checked = tabletop(tmp_path, "replay", "cat.jsonl", "--verify")
    assert checked.returncode == 0, checked.stderr
    assert "the match has ended" in checked.stdout
