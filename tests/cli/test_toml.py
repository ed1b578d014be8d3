"""TOML that a stranger wrote: what its parser does not take is told in one sentence, whichever file it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.agents.config_files import parse_agents
from runner.arena.plan import read_plan
from runner.errors import TabletopError
from runner.prompting.pack import read_manifest
from tests.cli.command import complaint, tabletop

TEXTS = {
    "too many digits": f"a = {'9' * 5000}",
    "nested too deeply": f"a = {'[' * 3000}{']' * 3000}",
    "Invalid value": "a = \0",
}


@pytest.mark.parametrize("why", TEXTS)
def test_one_sentence_says_what_is_wrong(why: str, tmp_path: Path) -> None:
    for name in ("pack.toml", "plan.toml"):
        (tmp_path / name).write_text(TEXTS[why])
    with pytest.raises(TabletopError, match=why):
        parse_agents(TEXTS[why])
    with pytest.raises(TabletopError, match=why):
        read_plan(tmp_path / "plan.toml")
    with pytest.raises(TabletopError, match=why):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "extra = {since = 2020-01-01}",
        "extra = {rate = nan}",
        "provider = {sort = {since = 07:32:00}}",
        "provider = {preferred_max_latency = inf}",
        "prices = {prompt = inf, completion = 1}",
    ],
)
def test_what_no_request_can_hold_is_refused(line: str) -> None:
    found = parse_agents(f'[calm]\nmodel = "offline"\n{line}\n')
    assert not found.agents
    assert found.faults["calm"].startswith(f"agents.toml, agent calm: {line.split()[0]}")


@pytest.mark.parametrize("more", [(), ("--deals", "2"), ("--option", "max_turns=2")])
def test_a_plan_whose_games_are_none_is_refused_whatever_is_put_over_it(more: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('games = [5]\nagents = ["bot:steady", "bot:random"]\n')
    done = tabletop(tmp_path, "tournament", "plan.toml", *more)
    assert done.returncode == 2
    assert "games" in complaint(done)
