"""A type of card is added as one file and its line in the registry: matches are played with two that the game does not have."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TYPES = {"knight": "Knight", "tax_collector": "TaxCollector"}

PLAYED = """
import json, random
from collections import Counter
from games.core import Rng
from games.oriflamme import GAME
from games.oriflamme.cards import STANDARD_SET
from tests.prompting.test_built_in import prompt
from tests.screen.drawing import table, widest

card_types = ["Knight", "Tax Collector", *STANDARD_SET[:8]]
done, phases = Counter(), {phase.id: phase for phase in GAME.phases}
for seed in range(24):
    rng = random.Random(seed)
    players = GAME.players[seed % 3]
    state = GAME.begin(players=players, seed=seed, card_types=card_types)
    code = GAME.encoding(players, state.rules)
    before, turn = state.phase_id, 0
    while not state.has_ended:
        seat, turn = state.pending[0], turn + 1
        if seed % 8 == 0 and turn % 4 == 0:
            question, messages = state.question(seat), prompt(state, seat)
            answers = [action.to_json() for action in state.actions]
            assert GAME.bots["steady"](state, seat, Rng(seed)) in state.actions
            assert all(state.read(seat, answer).to_json() == answer for answer in answers)
            assert GAME.from_json(json.loads(json.dumps(state.to_json()))) == state
            assert state.resample(seat, Rng(seed)).view(seat) == state.view(seat)
            assert widest(table(state, 60)) <= 60
            assert len(code.observe(state, seat)) == code.size
            assert sum(code.mask(state, seat)) == len(state.actions)
            assert "\\n- Knight (character) eliminates a card two positions away" in messages[0]["content"]
            assert "\\n- Tax Collector (intrigue) brings 1 point for every three" in messages[0]["content"]
            assert "Conspiracy" not in messages[0]["content"] + messages[1]["content"]
            assert question.text in messages[1]["content"]
        action = rng.choice(state.actions)
        assert code.action(state, seat, code.number(action)) == action
        state = action.next_state
        for to in state.path:
            assert to in {edge.to for edge in phases[before].edges}
            before = to
        done.update((event.kind, event.data["card"]) for event in state.events if event.data.get("card"))
    assert state.winners
print(json.dumps([done["eliminated", "Knight"], done["gained", "Tax Collector"], done["copied", "Knight"]]))
"""


@pytest.fixture
def extended(tmp_path: Path) -> Path:
    """A copy of the games, compiled as they are, with a file for each type, and the registry naming them after the others."""
    shutil.copytree(ROOT / "games", tmp_path / "games")
    shutil.copytree(ROOT / "decks", tmp_path / "decks")
    cards = tmp_path / "games" / "oriflamme" / "cards"
    registry = (cards / "__init__.py").read_text(encoding="utf-8")
    for module in TYPES:
        shutil.copy(Path(__file__).parent / "extension" / f"{module}.py", cards)
    imports = "".join(f"from games.oriflamme.cards.{module} import {name}\n" for module, name in TYPES.items())
    registry = registry.replace("\nTYPES +=", f"{imports}\nTYPES +=", 1)
    registry = re.sub(r"(\(Archer,[^)]*?),?\s*\)", rf"\1, {', '.join(TYPES.values())})", registry, count=1)
    (cards / "__init__.py").write_text(registry, encoding="utf-8")
    return tmp_path


def test_matches_are_played_with_added_types(extended: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAYED],
        cwd=extended,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(extended), str(ROOT)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert min(json.loads(done.stdout)) >= 4, done.stdout
