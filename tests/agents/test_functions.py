"""Python functions in seats: what they get, how they answer, and how they go wrong."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import games
from games.core import Action, Event
from runner.agents import function_agent
from runner.agents.environment import Environment
from runner.agents.function_agent import FunctionAgent, FunctionAsk, Reply
from runner.agents.spec import Endpoint, Function, Named, installed, seat_spec
from runner.errors import PausedError, UsageError
from runner.match.match_state import MatchEvent
from tests.agents.programs import Reports, ask_of
from tests.cli.command import complaint, tabletop
from tests.match.tables import match


def first(ask: FunctionAsk) -> Any:
    return ask.legal[0] if ask.legal else {"quote": "A quiet sea."}


async def of_world(ask: FunctionAsk) -> Action:
    await asyncio.sleep(0)
    return ask.world(ask.rng).actions_of(ask.seat)[0]


class Counting:
    """Counts its own questions."""

    made: list[Counting] = []  # noqa: RUF012 -- what the test looks at

    def __init__(self) -> None:
        self.asked = 0
        Counting.made.append(self)

    def __call__(self, ask: FunctionAsk) -> Reply:
        self.asked += 1
        return Reply(first(ask), say="hm", reason="first")


@pytest.mark.parametrize("game", games.names())
async def test_functions_of_every_kind_play_a_match(game: str) -> None:
    kinds: list[Any] = [first, of_world, Counting, partial(first), lambda ask: of_world(ask)]
    result = await match(game, [FunctionAgent(kind) for kind in kinds], seed=2).run()
    assert [seat["mistakes"] for seat in result["seats"]] == [0] * len(kinds)


async def test_a_class_is_made_once_for_each_seat() -> None:
    Counting.made.clear()
    await match("coup", [FunctionAgent(Counting), FunctionAgent(Counting)], seed=2, talk=True).run()
    assert len(Counting.made) == 2
    assert all(made.asked > 1 for made in Counting.made)


async def test_a_function_gets_what_its_seat_knows_and_no_more() -> None:
    ask = ask_of("oriflamme", players=3)
    found = FunctionAsk.of(ask)
    assert (found.game, found.players, found.seat, found.number, found.phase) == ("oriflamme", 3, ask.seat, 5, "Placement")
    assert (found.view, found.question, found.legal) == (ask.view, ask.question, ask.answers())
    assert not hasattr(found, "setup")
    assert "seed" not in repr(found)
    worlds = {repr(found.world(found.rng).to_json()) for _ in range(5)}
    assert len(worlds) > 1
    assert FunctionAsk.of(ask).rng.next() == FunctionAsk.of(ask).rng.next()


async def test_random_numbers_of_a_function_do_not_give_a_small_seed_away() -> None:
    numbers: dict[str, set[int]] = {}
    for seed in range(60):
        found = FunctionAsk.of(ask_of(seed=seed, players=3))
        numbers.setdefault(repr(found.view), set()).add(found.rng.next())
    assert len(numbers) < 60  # some deals look the same from the first seat
    assert all(len(drawn) == 1 for drawn in numbers.values())


async def test_a_slow_function_does_not_block_the_loop_and_pauses_the_match() -> None:
    release, ticks = threading.Event(), 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    ticking = asyncio.ensure_future(tick())
    with pytest.raises(PausedError, match=r"the function slow gave no answer within 0\.1 s"):
        await FunctionAgent(lambda ask: release.wait(20), 0.1, "slow").answer(ask_of(), Reports())
    ticking.cancel()
    release.set()
    assert ticks > 1


class Boom(Exception):
    pass


@pytest.mark.parametrize(
    "kind", [Boom, StopIteration, SystemExit, TimeoutError, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError]
)
async def test_an_exception_of_a_function_ends_the_match_as_a_bug(kind: type[BaseException]) -> None:
    def fails(ask: FunctionAsk) -> Any:
        raise kind("bad card")

    async def fails_later(ask: FunctionAsk) -> Any:
        raise kind("bad card")

    for target in (fails, fails_later):
        with pytest.raises((kind, RuntimeError)) as error:
            await FunctionAgent(target).answer(ask_of(), Reports())
        assert isinstance(error.value, Exception)
        assert not isinstance(error.value, PausedError)
        assert "bad card" in f"{error.value!r} {error.value.__cause__!r}"


async def test_an_answer_that_is_none_is_judged_like_any_other() -> None:
    found = await FunctionAgent(lambda ask: None).answer(ask_of(), Reports())
    assert (found.data, found.mistake) == (None, None)


RECURSIVE: dict[str, Any] = {}
RECURSIVE["action"] = RECURSIVE
DEEP: dict[str, Any] = {}
for _ in range(40):
    DEEP = {"action": DEEP}


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ({"action": math.nan}, "NaN is no number"),
        ({"action": {1, 2}}, "set is not JSON serializable"),
        ({"action": b"tax"}, "bytes is not JSON serializable"),
        ({(1, 2): "tax"}, "keys must be str"),
        ({"action": 10**5000}, "what JSON cannot express"),
        ({"action": "x" * 2**20}, "characters as JSON, more than 1,048,576"),
        (RECURSIVE, "Circular reference"),
        (DEEP, "nested more than 32 levels"),
    ],
)
async def test_an_answer_that_json_cannot_express_is_a_mistake(found: object, why: str) -> None:
    given = await FunctionAgent(lambda ask: found).answer(ask_of(), Reports())
    assert given.mistake is not None
    assert (given.mistake.kind in ("unreadable", "bad_number"), why in given.mistake.why) == (True, True)


async def test_talk_and_reasons_that_are_no_text_are_left_out() -> None:
    def wordless(ask: FunctionAsk) -> Reply:
        said: Any = object()
        return Reply(first(ask), said, said)

    given = await FunctionAgent(wordless).answer(ask_of(), Reports())
    assert (given.mistake, given.say, given.reason) == (None, "", "")


@pytest.mark.parametrize("game", games.names())
async def test_a_function_that_changes_what_it_got_changes_no_match(game: str) -> None:
    def scribbling(ask: FunctionAsk) -> Any:
        answer = first(ask)
        for data in (ask.view, ask.question.schema, ask.options, *(event.data for event in ask.told)):
            data.clear()
        for legal in ask.legal or ():
            legal.clear()
        return answer

    honest, changed = ([FunctionAgent(kind), FunctionAgent(first), FunctionAgent(first)] for kind in (first, scribbling))
    assert await records_of(game, honest) == await records_of(game, changed)


class Collected:
    """The records of a match without times, as they were when they were emitted."""

    def __init__(self) -> None:
        self.records: list[str] = []

    async def emit(self, event: MatchEvent) -> None:
        record = {name: value for name, value in event.record.items() if name not in ("at", "latency")}
        self.records.append(json.dumps(record))


async def records_of(game: str, agents: list[FunctionAgent]) -> list[str]:
    found = Collected()
    await match(game, agents, seed=3, sinks=[found]).run()
    return found.records[1:]


MODULE = "own_bots_for_test"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / f"{MODULE}.py"


def spec(name: str, module: str = MODULE) -> Function:
    return Function(f"py:{module}:{name}", None, module, name)


def test_a_function_is_found_by_its_path(module: Path) -> None:
    module.write_text("class Bots:\n    def play(ask): return 1\n")
    assert spec("Bots.play").load()(None) == 1


@pytest.mark.parametrize(
    ("code", "name", "why"),
    [
        ("x = 1", "play", f"the module {MODULE} has no play."),
        ("x = 1", "x", f"x of {MODULE} is no function but a int."),
        ("x = = 1", "x", "importing own_bots_for_test fails: SyntaxError: invalid syntax"),
        ("y", "x", "fails: NameError: name 'y' is not defined"),
        ("import nonesuch_module", "x", "fails: ModuleNotFoundError: No module named 'nonesuch_module'"),
    ],
)
def test_a_faulty_module_is_named_in_one_sentence(module: Path, code: str, name: str, why: str) -> None:
    import sys

    sys.modules.pop(MODULE, None)
    module.write_text(code)
    with pytest.raises(UsageError) as error:
        spec(name).load()
    assert f'The seat "py:{MODULE}:{name}"' in str(error.value)
    assert why in str(error.value)
    assert code == "x = 1" or f"{MODULE}.py, line 1)" in str(error.value)
    sys.modules.pop(MODULE, None)


def test_a_module_that_is_missing_is_named() -> None:
    with pytest.raises(UsageError, match="the module nonesuch_bots, which is neither installed nor in the current folder"):
        spec("play", "nonesuch_bots").load()


def install(folder: Path, package: str, points: str) -> None:
    """A distribution with entry points, as pip leaves it in a folder of installed packages."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[tabletop.agents]\n{points}")


def test_an_entry_point_is_a_seat_by_its_name_and_agents_toml_wins(module: Path) -> None:
    install(
        module.parent,
        "rl",
        f"rl-agent = {MODULE}:Bots.play\nboth = {MODULE}:play\nhuman = {MODULE}:play\nbot:steady = {MODULE}:play\n",
    )
    install(module.parent, "other", "both = other:play\n")
    module.write_text("class Bots:\n    def play(ask): return ask.legal[0]\n")
    function_agent.installed_functions.cache_clear()
    try:
        assert list(installed()) == ["rl-agent", "both"]
        found = seat_spec("eve=rl-agent", Environment())
        assert found == Function("rl-agent", None, MODULE, "Bots.play", player="eve")
        assert isinstance(seat_spec("vendor/rl-agent", Environment()), Endpoint)
        assert isinstance(seat_spec("rl-agents", Environment()), Named)
        assert isinstance(seat_spec("rl-agent", Environment(faults={"rl-agent": "wrong"})), Named)
        with pytest.raises(UsageError, match="write py:MODULE:NAME for one of them"):
            replace(found, text="both").check(games.load("coup"), Environment(), ())
        done = tabletop(module.parent, "play", "coup", "--seat", "rl-agent", "--seat", "bot:steady", "--log", "log.jsonl", "-q")
        assert done.returncode == 0, done.stderr
        assert "rl-agent: installed function" in tabletop(module.parent, "agents").stdout
        resumed = tabletop(module.parent, "fork", "log.jsonl", "--at", "1", "-q")
        assert "only the log names what it starts" in complaint(resumed)
    finally:
        function_agent.installed_functions.cache_clear()


async def test_a_function_that_takes_over_a_resumed_match_is_told_all_so_far() -> None:
    seen: list[list[str]] = []

    def play(ask: FunctionAsk) -> Any:
        seen.append([event.kind for event in ask.told])
        return first(ask)

    def event(kind: str) -> Event:
        return Event(kind, kind, {})

    agent, ask = FunctionAgent(play), ask_of()
    for number, kind in enumerate("aab"):
        agent.remember(replace(ask, number=number // 2, told=(event(kind),)), {})
    await agent.answer(replace(ask, number=1, told=(event("b"),)), Reports())
    await agent.answer(replace(ask, number=1, told=(event("b"),)), Reports())
    await agent.answer(replace(ask, number=2, told=(event("c"),)), Reports())
    assert seen == [["a", "b"], ["a", "b"], ["c"]]
