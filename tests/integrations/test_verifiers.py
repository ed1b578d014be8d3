"""Matches through verifiers: its own environment, rollouts and traces, and models behind a server on loopback."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

import games
from runner.api import read_logs
from runner.llm.offline import OfflineModel
from runner.llm.offline_server import OfflineServer

vf = pytest.importorskip("verifiers.v1", reason="verifiers is not installed")
tabletop_v1 = pytest.importorskip("tabletop_v1", reason="integrations/verifiers is not installed")
EvalClientConfig = pytest.importorskip("verifiers.v1.configs.client").EvalClientConfig
EnvClient = pytest.importorskip("verifiers.v1.serve.client").EnvClient
EnvServer = pytest.importorskip("verifiers.v1.serve.server").EnvServer
env_config_data = pytest.importorskip("verifiers.v1.serve.pool").env_config_data
GEPAAdapter = pytest.importorskip("verifiers.v1.gepa.adapter").GEPAAdapter
resolve_gepa_seed_prompt = pytest.importorskip("verifiers.v1.gepa.dataset").resolve_gepa_seed_prompt

ROLES = ("trainable", "trainable", "bot:steady")
TABLES = [pytest.param(name, count, id=f"{name}-{count}") for name in games.names() for count in games.load(name).players]


def environment(seats: tuple[str, ...] = ROLES, roles: Mapping[str, Any] | None = None, **settings: Any) -> Any:
    """An environment with these players; `settings` of the environment have names of its own, the others are the taskset's."""
    own = {name: settings.pop(name) for name in ("regret", "playouts", "logs", "memory", "personas") if name in settings}
    taskset = {"id": "tabletop-v1", "seats": list(seats), **settings}
    config = {"taskset": taskset, **(roles or {}), **own}
    return vf.load_environment(tabletop_v1.TabletopEnvConfig.model_validate(config))


async def played(env: Any, server: OfflineServer, task: int = 0) -> Any:
    """The episode of a task."""
    client = EvalClientConfig(base_url=server.base_url, api_key_var="NO_SUCH_KEY")
    context = vf.ModelContext(model="offline", client=client, sampling=vf.SamplingConfig())
    async with env.serving():
        return await env.run_episode(next(iter(env.taskset.include(idx=[task]).take(1))), context)


async def test_three_seats_of_coup_with_two_that_learn(tmp_path: Path) -> None:
    """What verifiers trains on: a trace a seat, each decision a branch of it with the very prompt of a match, and rewards."""
    async with OfflineServer(OfflineModel(1, mistake_rate=0.2)) as server:
        episode = await played(environment(logs=tmp_path, regret=0.5, playouts=8), server, task=1)
        assert episode.ok, episode.errors
    (log,) = read_logs(tmp_path)
    log.verify()
    assert log.result is not None
    assert [seat["spec"] for seat in log.result["seats"]] == ["player1", "bot:steady", "player0"]
    assert [(trace.agent.name, trace.agent.trainable) for trace in sorted(episode.traces, key=lambda one: one.agent.name)] == [
        ("player0", True),
        ("player1", True),
    ]
    assert sum(trace.metrics["invalid"] for trace in episode.traces) > 0
    assert server.requests == sum(trace.num_turns for trace in episode.traces)
    for trace in episode.traces:
        seat = {"player0": 2, "player1": 0}[trace.agent.name]
        sent = [attempt for attempt in log.attempts if attempt["seat"] == seat]
        assert [json.loads(node.message.model_dump_json())["content"] for node in trace.nodes if node.sampled] == [
            attempt["reply"]["text"] for attempt in sent
        ]
        last = trace.branches[-1].messages
        assert [(message.role, message.content) for message in last[:-1]] == [
            (message["role"], message["content"]) for message in log._log.messages(sent[-1])
        ]
        won = seat in log.result["winners"]
        assert trace.rewards["win_share"].value == float(won)
        assert trace.metrics["invalid"] == log.result["seats"][seat]["mistakes"]
        graded = trace.info["tabletop"]["decisions"]
        assert trace.rewards["regret"].value == pytest.approx(-0.5 * sum(one["regret"] for one in graded))
        numbers = {number for number, one in enumerate(log.decisions, 1) if one["seat"] == seat and one["how"] == "answer"}
        assert {one["decision"] for one in graded} <= numbers
        assert all(trace.nodes[one["node"]].sampled for one in graded)
        assert trace.reward == pytest.approx(won - 0.5 * sum(one["regret"] for one in graded))


@pytest.mark.parametrize(("game", "players"), TABLES)
async def test_every_game_with_every_number_of_seats(game: str, players: int) -> None:
    async with OfflineServer() as server:
        episode = await played(environment(("trainable",) * players, game=game), server)
    assert episode.ok, episode.errors
    assert sorted(trace.agent.name for trace in episode.traces) == [f"player{seat}" for seat in range(players)]
    assert sum(trace.rewards["win_share"].value for trace in episode.traces) == pytest.approx(1)


async def test_a_fixed_model_is_called_and_not_trained() -> None:
    async with OfflineServer() as server, OfflineServer() as other:
        client = {"type": "eval", "base_url": other.base_url, "api_key_var": "NO_SUCH_KEY"}
        roles = {"player1": {"model": "offline/obvious", "client": client}}
        episode = await played(environment(("trainable", "fixed", "offline"), roles), server)
    assert episode.ok, episode.errors
    traces = {trace.agent.name: trace for trace in episode.traces}
    assert {name: trace.agent.trainable for name, trace in traces.items()} == {"player0": True, "player1": False}
    assert (server.requests, other.requests) == tuple(trace.num_turns for _, trace in sorted(traces.items()))
    assert {call.model for call in traces["player1"].calls} == {"offline/obvious"}


def test_regret_needs_a_policy_for_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    coup = games.load("coup")
    bare = replace(coup, bots={"random": coup.bots["random"]})
    monkeypatch.setattr(games, "load", lambda name: bare)
    with pytest.raises(ValueError, match="coup has no bot:steady to play matches out"):
        environment(("trainable", "bot:random"), regret=0.5)


async def test_a_harness_without_a_table_says_what_it_is_for() -> None:
    with pytest.raises(vf.HarnessError, match="use it with the environment tabletop-v1"):
        await tabletop_v1.TabletopHarness(tabletop_v1.TabletopHarnessConfig(id="tabletop-v1")).launch()


async def test_a_whole_conversation_is_one_branch() -> None:
    async with OfflineServer() as server:
        episode = await played(environment(memory="full"), server)
    assert episode.ok, episode.errors
    assert [len(trace.branches) for trace in episode.traces] == [1, 1]
    assert all(len(trace.branches[0].messages) == 1 + 2 * trace.num_turns for trace in episode.traces)


async def test_a_server_of_environments_plays_and_tells_what_happened() -> None:
    """The way of prime-rl: the configuration and the task go over the wire, and the episode comes back without this package."""
    config = environment(personas={"player1": "You are bold."}).config
    back = vf.resolve_env_config(env_config_data(config))
    assert back == config
    served = EnvServer(back, "tcp://127.0.0.1:0")
    running, client = asyncio.create_task(served.run()), EnvClient(served.address)
    task = next(iter(served.env.taskset)).data.model_dump(mode="json")
    try:
        async with OfflineServer() as server:
            endpoint = EvalClientConfig(base_url=server.base_url, api_key_var="NO_SUCH_KEY")
            episode = await client.run(endpoint, "offline", vf.SamplingConfig(), task)
    finally:
        await client.close()
        running.cancel()
        await asyncio.wait([running])
    assert episode.ok, episode.errors
    traces = {trace.agent.name: trace for trace in episode.traces}
    assert all("win_share" in trace.rewards and trace.agent.trainable for trace in traces.values())
    assert {name: trace.info["tabletop"]["seat"] for name, trace in traces.items()} == {"player0": 0, "player1": 1}
    bold = {name: "You are bold." in str(trace.branches[0].messages[0].content) for name, trace in traces.items()}
    assert bold == {"player0": False, "player1": True}


async def test_a_seat_at_its_limit_is_struck_out_and_the_match_plays_on() -> None:
    async with OfflineServer() as server:
        episode = await played(environment(("trainable", "bot:steady"), {"player0": {"max_turns": 2}}), server)
    assert episode.ok, episode.errors
    (trace,) = episode.traces
    assert (trace.num_turns, trace.stop_condition) == (2, "max_turns")
    assert trace.metrics["strike_outs"] > 0


async def test_a_model_that_cannot_be_called_fails_the_episode(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_json({"error": {"message": "wrong key"}}, status=401)
    client = {"type": "eval", "base_url": httpserver.url_for("/v1"), "api_key_var": "NO_SUCH_KEY"}
    async with OfflineServer() as server:
        episode = await played(environment(("trainable", "fixed"), {"player1": {"client": client}}), server)
    assert not episode.ok
    assert "wrong key" in episode.errors[-1].message
    assert {trace.agent.name: bool(trace.errors) for trace in episode.traces}["player1"]


def test_deals_rotate_and_the_same_task_is_the_same_match() -> None:
    matches = [task.data.match for task in environment(seed=7).taskset.take(4)]
    assert [match["seed"] for match in matches] == [7, 7, 7, 8]
    assert [match["seats"] for match in matches[:3]] == [
        ["player0", "player1", "bot:steady"],
        ["player1", "bot:steady", "player0"],
        ["bot:steady", "player0", "player1"],
    ]
    assert [task.data.match["seed"] for task in environment(rotate=False).taskset.take(2)] == [0, 1]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"game": "cup"}, 'There is no game "cup"'),
        ({"seats": ("bot:steady", "bot:steady")}, "seats has no player for verifiers"),
        ({"seats": ("trainable", "bot:stedy")}, "did you mean bot:steady?"),
        ({"seats": ("trainable",) * 7}, "Coup is for 2 to 6 players"),
        ({"options": {"max_turn": 4}}, 'There is no option "max_turn"'),
        ({"settings": {"strike": 4}}, "did you mean strikes?"),
        ({"personas": {"ada": "You are bold."}}, "personas has ada, which is no role"),
        ({"roles": {"player0": {"harness": {"id": "null"}}}}, "player0.harness is null"),
    ],
)
def test_what_cannot_be_played_is_named(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("?", r"\?")):
        environment(**given)


def system_of(log: Any, seat: int) -> str:
    attempt = next(one for one in log.attempts if one["seat"] == seat)
    return str(log._log.messages(attempt)[0]["content"])


def test_an_optimiser_of_prompts_starts_from_the_advice_of_the_pack(tmp_path: Path) -> None:
    (tmp_path / "coup").mkdir()
    (tmp_path / "coup" / "advice.j2").write_text("Watch {{ view.players }} players.")
    own = [*environment(settings={"prompts": str(tmp_path)}).taskset.take(2)]
    assert [task.data.system_prompt for task in own] == ["Watch 3 players."] * 2
    built_in = next(iter(environment().taskset))
    assert resolve_gepa_seed_prompt([built_in], None).startswith("- The chances with your choices")
    (tmp_path / "coup" / "advice.j2").write_text("")
    assert next(iter(environment(settings={"prompts": str(tmp_path)}).taskset)).data.system_prompt == ""


def test_what_it_writes_is_the_advice_of_the_players_that_learn_alone(tmp_path: Path) -> None:
    """Through the adapter of verifiers' own gepa: each candidate is played, scored by the win, and told to the reflection."""
    env = environment(("trainable", "fixed", "bot:steady"), rotate=False, logs=tmp_path)
    tasks = {task.data.idx: task for task in env.taskset.take(1)}
    seed = tasks[0].data.system_prompt
    with asyncio.Runner() as loop:
        server = OfflineServer()
        loop.run(server.__aenter__())
        client = EvalClientConfig(base_url=server.base_url, api_key_var="NO_SUCH_KEY")
        context = vf.ModelContext(model="offline", client=client, sampling=vf.SamplingConfig())
        adapter = GEPAAdapter(env, context, tasks, loop.get_loop(), reflection_columns=["tabletop"])
        serving = env.serving()
        loop.run(serving.__aenter__())
        found = [adapter.evaluate([0], {"system_prompt": text}, True) for text in (seed, "Take coins {{ 7 * 7 }}.")]
        loop.run(serving.__aexit__(None, None, None))
        loop.run(server.__aexit__(None, None, None))
    assert all(0 <= score <= 1 for one in found for score in one.scores)
    assert pickle.loads(pickle.dumps(found[1].outputs))[0].ok, "gepa keeps its episodes in a file"
    told = adapter.make_reflective_dataset({}, found[1], ["system_prompt"])["system_prompt"]
    assert [(one["agent"], one["tabletop"]["win_share"]) for one in told] == [(one["agent"], one["reward"]) for one in told]
    before, after = read_logs(tmp_path)
    assert seed in system_of(before, 0)
    assert "Take coins {{ 7 * 7 }}." in system_of(after, 0)
    assert seed not in system_of(after, 0)
    assert system_of(after, 0).partition("## Advice")[0] == system_of(before, 0).partition("## Advice")[0], "the rules stay"
    assert seed in system_of(after, 1), "a fixed model reads what it read"
