"""Packs for a game of another package, which has no built-in prompts: the game of docs/writing-a-game.md."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import games
from runner.workshop.lint.case_checks import check_pack
from tests.prompting.packs import ANSWER, pack_of

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-game.md"
STRIKES = "{{ options.strikes }} invalid answers in a row are a strike-out."
STONES = "The heap had {{ options.stones }} stones, and has {{ view.stones }}."


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> games.Game:
    """The game, as if its package were installed."""
    (source,) = re.findall(r'```python title="nim.py"\n(.*?)```', PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "nim.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(games, "entry_points", lambda group: [EntryPoint("nim", "nim:GAME", group)])
    return games.load("nim")


@pytest.mark.parametrize(
    ("rules", "noted"),
    [((STONES, STRIKES), []), ((STONES,), ["strikes"])],
)
def test_a_note_is_about_an_option_that_no_prompt_states(
    nim: games.Game, tmp_path: Path, rules: tuple[str, ...], noted: list[str]
) -> None:
    said = '{% call message("user") %}\n' + "\n".join(rules) + "\n" + ANSWER + "\n{% endcall %}"
    findings = check_pack(pack_of(tmp_path / "pack", said, "nim/player.j2"), [nim], 4).sorted()
    told = [str(finding) for finding in findings if finding.check == "option"]
    assert [next(name for name in noted if f"option {name};" in one) for one in told] == noted, told
