"""Agents with names in tournaments and standings: four of one model are four agents, and one name with two SPECs is two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.agents.config_files import parse_agents
from runner.agents.environment import Environment
from runner.arena.plan import plan_of, seated
from runner.errors import UsageError
from runner.record.reader import read_log
from tests.cli.command import complaint, tabletop

GAME = {"games": ["coup"], "deals": 1}
NAMES = ["ada", "bob", "cleo", "dan"]


def _agents(folder: Path, *words: str) -> list[str]:
    found = json.loads(tabletop(folder, "standings", "t", "--json", *words).stdout)
    return sorted(agent["agent"] for agent in found["games"][0]["agents"])


def _play(folder: Path, log: str, *seats: str) -> None:
    words = ("--target", "1", "--max-rounds", "1", *(word for seat in seats for word in ("--seat", seat)))
    assert tabletop(folder, "play", "dixiquote", *words, "--log", f"t/{log}.jsonl", "-q").returncode == 0


def test_four_players_with_one_spec_are_four_agents_and_unnamed_ones_are_one(tmp_path: Path) -> None:
    _play(tmp_path, "1", *(f"{name}=bot:random" for name in NAMES))
    assert _agents(tmp_path) == NAMES
    _play(tmp_path, "2", *["bot:random"] * 4)
    assert _agents(tmp_path) == sorted([*NAMES, "bot:random"])


def test_one_name_with_two_specs_is_two_agents_unless_pooled(tmp_path: Path) -> None:
    _play(tmp_path, "1", "ada=bot:random", "bob=bot:random", "bot:random")
    _play(tmp_path, "2", "ada=bot:steady", "bob=bot:random", "bot:random")
    assert _agents(tmp_path) == ["ada (bot:random)", "ada (bot:steady)", "bob", "bot:random"]
    assert _agents(tmp_path, "--pool", "agents") == ["ada", "bob", "bot:random"]


def test_another_persona_is_another_player(tmp_path: Path) -> None:
    for number, persona in enumerate(["", "You are bold."]):
        (tmp_path / "agents.toml").write_text(f'[calm]\nmodel = "offline"\nname = "ada"\npersona = "{persona}"\n')
        _play(tmp_path, str(number), "calm", "bot:random", "bot:random")
    said = complaint(tabletop(tmp_path, "standings", "t"))
    assert "The agent ada did not always play with the same persona: You are bold. in 1 match, none in 1 match." in said


def test_a_plan_takes_names_from_specs_and_from_agents_toml() -> None:
    address = "small@http://127.0.0.1:1/v1?api-version=1"
    found = parse_agents('[calm]\nmodel = "m"\nname = "Ada L."\n[quick]\nmodel = "m"')
    plan = plan_of({**GAME, "agents": ["calm", "quick", "bob = offline", address, f"eve={address}"]})
    named = seated(plan, Environment({}, found.agents))
    specs = ["calm", "quick", "offline", address, address]
    assert [(agent.name, agent.spec.text) for agent in named.agents] == list(
        zip(["Ada L.", "quick", "bob", address, "eve"], specs, strict=True)
    )
    again = seated(plan_of({**GAME, "agents": named.to_json()["agents"]}), Environment({}, found.agents))
    assert [agent.name for agent in again.agents] == [agent.name for agent in named.agents]


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        (["Ada=offline", "calm"], 'The agent "Ada" is named twice'),
        ({"P-1": "offline", "b": "calm"}, "that stands for a seat"),
        ({"a": "ada=offline", "b": "calm"}, 'has a second name, "ada"'),
        (["P-1=offline", "calm"], "that stands for a seat"),
    ],
)
def test_names_that_mislead_are_refused(agents: object, said: str) -> None:
    found = parse_agents('[calm]\nmodel = "m"\nname = "Ada"')
    with pytest.raises(UsageError, match=said):
        seated(plan_of({**GAME, "agents": agents}), Environment({}, found.agents))


def test_a_player_who_joins_a_match_of_a_tournament_has_its_name_there(tmp_path: Path) -> None:
    """A fork and a resumption name only a SPEC, which the tournament gave a name."""
    (tmp_path / "plan.toml").write_text('games = ["coup"]\ndeals = 1\nagents = { ann = "bot:steady", bob = "bot:random" }\n')
    assert tabletop(tmp_path, "tournament", "plan.toml", "--seed", "1", "-o", "t", "-q", "--workers", "1").returncode == 0
    log = sorted((tmp_path / "t").rglob("*.jsonl"))[0]
    words = (*("--seat", "P-0=bot:steady"), *("--seat", "P-1=bot:random"), *("--seat", "P-2=eve=bot:steady"), "-q")
    assert tabletop(tmp_path, "fork", str(log), "--at", "3", *words, "--log", str(log.with_name("f.jsonl"))).returncode == 0
    assert [seat["name"] for seat in read_log(log.with_name("f.jsonl")).header["seats"]][:3] == ["ann", "bob", "eve"]
    assert tabletop(tmp_path, "fork", str(log), "--at", "3", *words, "--log", str(tmp_path / "f.jsonl")).returncode == 0
    assert set(_agents(tmp_path)) == {"ann", "bob"}
    assert set(_agents(tmp_path, "--forks")) == {"ann", "bob", "eve"}
