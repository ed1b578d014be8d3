"""Programs that keep several matches in one process, next to those that do not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from runner.agents import program_process
from runner.agents.protocol import AgentReply
from runner.agents.shared_programs import Programs
from tests.agents.programs import GOOD, LOOP, Reports, ask_of, program, until
from tests.match.tables import bot, match
from tools.seats_schema import schema

LINES = Draft202012Validator(schema())
COPY = '    sys.stderr.write(line); sys.stderr.flush()\n    if message["type"] != "ask":\n        continue\n'
LOUD = LOOP.replace('    if message["type"] != "ask":\n        continue\n', COPY)
"""The loop of a script that copies what it reads to its standard error."""

WISH = """
    if "match" not in message:
        print(json.dumps({"type": "hello", "matches": 2}), flush=True)
        continue
"""
KEEPER = LOUD + WISH + '    reply(number, legal[0], match=message["match"])\n'
"""A program that keeps two matches at once."""


@pytest.fixture
async def programs(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Programs]:
    """The programs of a test, which leaves none behind."""
    monkeypatch.setattr(program_process, "_GRACE", 0.15)
    found = Programs()
    yield found
    await found.close()
    assert program_process._groups == set()


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def played(folder: Path, programs: Programs, script: str, *seeds: int) -> list[list[int]]:
    """The winners of matches that are played at the same time, with a script in the first seat. The standard error of a process
    is in the file of the match that has started it."""

    async def one(seed: int) -> list[int]:
        agent = program(script, errors=folder / f"{seed}", programs=programs, table=object())
        return (await match("coup", [agent, bot("coup")], seed=seed).run())["winners"]

    return await asyncio.gather(*map(one, seeds))


async def test_a_process_keeps_as_many_matches_as_its_program_says(tmp_path: Path, programs: Programs) -> None:
    alone = await played(tmp_path, Programs(), LOOP + GOOD, 1, 2, 3, 4)
    assert [*await played(tmp_path, programs, KEEPER, 1, 2, 3), *await played(tmp_path, programs, KEEPER, 4)] == alone
    await programs.close()
    read = [lines_of(path) for path in sorted(tmp_path.iterdir())]
    assert len(read) == 2
    hellos = [[line["match"] for line in lines if line["type"] == "hello"] for lines in read]
    assert sorted(map(len, hellos)) in ([1, 3], [2, 2])
    for lines in read:
        for line in lines:
            LINES.validate(line)
        first, bare, *others = [line for line in lines if line["type"] in ("hello", "ask")]
        assert (first["match"], "match" in bare) == (1, False)
        assert all("match" in line for line in others)
        for number in {line["match"] for line in others}:
            own = [line["type"] for line in lines if line.get("match") == number]
            assert own[-1] == "end"
            assert own.count("end") == 1


async def test_a_program_that_says_nothing_has_a_process_for_each_match(tmp_path: Path, programs: Programs) -> None:
    await played(tmp_path, programs, LOUD + GOOD, 1, 2, 3)
    await programs.close()
    assert [[line["type"] for line in lines_of(path)].count("hello") for path in tmp_path.iterdir()] == [1, 1, 1]


async def test_no_process_plays_two_seats_of_one_match(tmp_path: Path, programs: Programs) -> None:
    table = object()
    agents = [program(KEEPER, errors=tmp_path / f"{seat}", programs=programs, table=table) for seat in range(3)]
    await match("oriflamme", agents, seed=1).run()
    await programs.close()
    assert [{line["seat"] for line in lines_of(tmp_path / f"{seat}") if line["type"] == "hello"} for seat in range(3)] == [
        {0}, {1}, {2},
    ]  # fmt: skip


async def test_a_process_that_ends_is_started_again_for_each_of_its_matches(tmp_path: Path, programs: Programs) -> None:
    exits = f"    if number == 9 and not os.path.exists({str(tmp_path / 'gone')!r}):\n"
    exits += f"        open({str(tmp_path / 'gone')!r}, 'w').close(); os._exit(3)\n"
    script = KEEPER.replace("    reply(", f"{exits}    reply(")
    agents = [program(script, programs=programs, table=object()) for _ in range(2)]
    reports = Reports()

    async def asked(number: int) -> list[AgentReply]:
        return await asyncio.gather(*(agent.answer(ask_of(number=number), reports) for agent in agents))

    assert [reply.mistake for number in (1, 9, 10) for reply in await asked(number)] == [None] * 6
    assert [record["what"] for record in reports] == ["exited", "exited"]
    for agent in agents:
        await agent.end((), None)


async def test_a_process_that_has_ended_between_matches_takes_no_further_one(programs: Programs) -> None:
    script = KEEPER.replace('!= "ask"', '== "end": break\n    if message["type"] != "ask"')
    first, second = [program(script, programs=programs, table=object()) for _ in range(2)]
    assert (await first.answer(ask_of(number=1), Reports())).mistake is None
    assert first._place is not None
    process = first._place.process
    await first.end((), None)
    await until(process._exited.is_set)
    reports = Reports()
    assert (await second.answer(ask_of(number=1), reports)).mistake is None
    assert reports == []
    await second.end((), None)


async def both(script: str, programs: Programs) -> tuple[AgentReply, AgentReply]:
    """The answers of a program to the second question of two matches that it keeps."""
    agents = [program(script, programs=programs, table=object()) for _ in range(2)]
    for agent in agents:
        assert (await agent.answer(ask_of(number=1), Reports())).mistake is None
    first, second = [await agent.answer(ask_of(number=2), Reports()) for agent in agents]
    for agent in agents:
        await agent.end((), None)
    return first, second


async def test_a_line_that_names_no_match_counts_for_the_one_asked_last(programs: Programs) -> None:
    script = KEEPER.replace(
        "    reply(", '    if number == 2 and message["match"] == 2: reply(number, legal[0])\n    else: reply('
    )
    first, second = await both(script, programs)
    assert first.mistake is None
    assert second.mistake is not None
    assert (second.mistake.kind, second.mistake.why) == (
        "unreadable", 'the line does not name match 2; a line has to be {"match": 2, "number": 2, "answer": {...}}',
    )  # fmt: skip


async def test_lines_of_a_match_that_is_over_are_ignored(programs: Programs) -> None:
    late = "    reply(99, {}, match=1)\n    reply("
    script = KEEPER.replace("    reply(", late.replace("    reply(99", '    if message["match"] == 2: reply(99'), 1)
    agents = [program(script, programs=programs, table=object()) for _ in range(2)]
    assert (await agents[0].answer(ask_of(number=1), Reports())).mistake is None
    await agents[0].end((), None)
    assert (await agents[1].answer(ask_of(number=1), Reports())).mistake is None
    await agents[1].end((), None)


async def test_lines_for_another_match_are_kept_up_to_the_bound(programs: Programs) -> None:
    many = "    if number > 1:\n        for _ in range(5): reply(1, 'x' * 2**17, match=3 - message[\"match\"])\n"
    script = KEEPER.replace("    reply(", f"{many}    reply(")
    agents, reports = [program(script, programs=programs, table=object()) for _ in range(2)], Reports()
    for agent in agents:
        assert (await agent.answer(ask_of(number=1), reports)).mistake is None
    assert (await agents[0].answer(ask_of(number=2), reports)).mistake is None
    assert reports == []
    await agents[0].answer(ask_of(number=3), reports)
    assert [record["what"] for record in reports] == ["flood"]
    for agent in agents:
        await agent.end((), None)


async def test_a_program_that_does_not_exit_is_ended_by_force(programs: Programs) -> None:
    agent = program(f"{KEEPER}\ntime.sleep(99)\n", programs=programs, table=object())
    assert (await agent.answer(ask_of(number=1), Reports())).mistake is None
    await agent.end((), None)
    assert agent.had_to_be_killed is False
    assert await programs.close() is False
