"""Six offline models at Coup, from outside."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command import tabletop

SEATS = ["--seat", "offline"] * 6


def test_six_offline_models_play_to_the_end_and_their_log_holds(tmp_path: Path) -> None:
    words = ["--num-players", "6", "--seed", "3", *SEATS, "--json"]
    for ask in ("simultaneous", "sequential"):
        done = tabletop(tmp_path, "play", "coup", *words, "--ask", ask, "--log", f"{ask}.jsonl", "--quiet")
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)
        assert result["scores"].count(1) == len(result["winners"]) == 1
        assert sum(chances for seat in result["seats"] for _, chances in seat["measures"].values())
        checked = tabletop(tmp_path, "replay", f"{ask}.jsonl", "--verify")
        assert checked.returncode == 0, checked.stderr
        assert "the match has ended" in checked.stdout


def test_a_piped_match_tells_its_story_without_cards_of_others(tmp_path: Path) -> None:
    words = ["--num-players", "3", "--seed", "5", *(["--seat", "bot:steady"] * 3), "--view", "P-1", "--log", "coup.jsonl"]
    done = tabletop(tmp_path, "play", "coup", *words)
    assert done.returncode == 0, done.stderr
    assert "steady 2 starts with " in done.stderr
    assert "steady 1 starts with " not in done.stderr
    assert "The match is over: nobody else has influence left. P-" in done.stderr
    assert "wins: nobody else has influence left.\n" in done.stdout
