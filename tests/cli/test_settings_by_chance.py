"""Settings files by chance: .env, agents.toml and plans are read, or refused in one sentence with the right exit status."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import chdir
from functools import partial
from itertools import islice
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import games
from games.core import OptionError
from runner.agents.agent_entries import AgentEntry
from runner.agents.config_files import parse_agents, read_environment, seat_faults
from runner.arena.plan import GameEntry, PlanEntry, plan_of, read_plan, seated
from runner.arena.schedule import schedule
from runner.cli.command_environment import load_environment, variable_notes
from runner.errors import AccountError, TabletopError, UsageError
from runner.session.match_defaults import DefaultsEntry, defaults_of

RUNS = 1000 if "TABLETOP_CAMPAIGN" in os.environ else 30
often = settings(max_examples=RUNS, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12).map(partial(json.dumps, ensure_ascii=False))
NUMBERS = st.one_of(st.integers(-3, 10), st.integers(), st.floats()).map(str)
ODD = st.sampled_from(
    (
        *("9" * 30, "1e400", "-0.0", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "true", "[]", "{}", '""', "[[]]"),
        *("[1, 2, 2]", "{a = 1}", '{a = "b"}', '["a", "a"]', "[{a = 1}]", '"offline"', '"bot:steady"', '"human"', '"P-1"'),
        *('"x@http://127.0.0.1:9/v1"', '"x@http://a:b@[::1"', '"coup"', '["coup", "dixiquote"]', '"none"', "{a = 2020-01-01}"),
    )
)
VALUES = st.one_of(ODD, WORDS, NUMBERS)


def table_of(names: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, str]]:
    return st.dictionaries(names, VALUES, max_size=4)


def lines_of(table: Mapping[str, str]) -> str:
    return "".join(f"{name} = {value}\n" for name, value in table.items())


def refused(read: Callable[[], object], *kinds: type[Exception]) -> bool:
    """Whether it is refused: in one sentence, by an error of these kinds."""
    try:
        read()
    except kinds as error:
        said = error.sentence if isinstance(error, TabletopError) else str(error)
        assert said.strip()
        assert "\n" not in said
        return True
    return False


@often
@given(
    agent=table_of(st.sampled_from([*AgentEntry.model_fields, "modle"])),
    defaults=table_of(st.sampled_from([*DefaultsEntry.model_fields, "coup"])),
)
def test_agents(agent: dict[str, str], defaults: dict[str, str]) -> None:
    text = lines_of({"model": '"offline"'} | agent)
    found = parse_agents(f'[calm]\n{text}[other]\nmodel = "offline"\n[defaults]\n{lines_of(defaults)}')
    assert "other" in found.agents
    assert {"calm"} & (found.agents.keys() | found.faults.keys())
    assert not any("\n" in fault for fault in found.faults.values())
    for entry in found.agents.values():
        json.dumps([entry.settings.to_json(), entry.shown, entry.parameters], allow_nan=False)


@often
@given(
    plan=table_of(st.sampled_from([*PlanEntry.model_fields, "seeds"])),
    game=table_of(st.sampled_from([*GameEntry.model_fields, "seats"])),
    option=table_of(st.sampled_from(sorted({name for game in games.names() for name in games.load(game).options}))),
)
def test_plans(
    plan: dict[str, str], game: dict[str, str], option: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "plan.toml"
    whole = {"agents": '["bot:steady", "bot:random"]', "deals": "1"} | plan
    tables = "" if "games" in plan else f"[[games]]\n{lines_of({'name': json.dumps('coup')} | game)}"
    options = f"[games.options]\n{lines_of(option)}" if option and tables and "options" not in game else ""
    path.write_text(lines_of(whole) + tables + options, encoding="utf-8")

    def read() -> None:
        found = seated(plan_of(read_plan(path)), read_environment())
        again = plan_of(json.loads(json.dumps(found.to_json(), allow_nan=False)))
        assert list(islice(schedule(again), 3)) == list(islice(schedule(found), 3))

    refused(read, UsageError, OptionError, AccountError)


@often
@given(
    content=st.one_of(
        st.binary(max_size=60),
        st.lists(
            st.tuples(
                st.sampled_from(
                    (
                        "DEFAULT_MODEL",
                        "MODEL_PLAYER_0",
                        "OPENROUTER_API_KEY",
                        "OPENAI_BASE_URL",
                        "DEFAULT_MODLE",
                        "export A",
                        "",
                    )
                ),
                st.text(max_size=20),
            )
        ).map(lambda rows: "\n".join(map("=".join, rows)).encode("utf-8", "surrogatepass")),
    )
)
def test_variables(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / ".env").write_bytes(content)

    def read() -> None:
        found = load_environment()
        assert not any("\n" in said for said in (*seat_faults(found), *variable_notes(found)))
        for game in games.names():
            defaults_of(found, games.load(game))

    with chdir(folder), patch.dict(os.environ, clear=True):
        refused(read, AccountError)
