"""Programs that do anything but answer: each is a strike or a restart and a pause, and leaves no process behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runner.agents import program_agent
from runner.agents.protocol import AgentReply
from runner.errors import PausedError
from tests.agents.programs import GOOD, LOOP, Reports, ask_of, is_alive, program, until, words
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_agent, "_GRACE", 0.15)
    monkeypatch.setattr(program_agent, "_LAST_OUTPUT", 0.1)


@pytest.fixture
def any_exit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take its time from the end of a program's output to its exit."""
    monkeypatch.setattr(program_agent, "_LAST_OUTPUT", PATIENCE)


def in_loop(code: str) -> str:
    return LOOP + "".join(f"    {line}\n" for line in code.splitlines())


STRIKES = {
    "garbage": (in_loop('print("I would pass.", flush=True)'), "unreadable", "the line is not JSON"),
    "binary": (in_loop(r'sys.stdout.buffer.write(b"\x00\xff\xfe{\n"); sys.stdout.flush()'), "unreadable", "not text in UTF-8"),
    "deep": (in_loop('print("[" * 100_000, flush=True)'), "unreadable", "the line is not JSON"),
    "deep answer": (
        in_loop("""print('{"number": %d, "answer": %s}' % (number, "[" * 90 + "]" * 90), flush=True)"""),
        "unreadable",
        "nested more than 32 levels deep",
    ),
    "huge number": (in_loop("""print('{"number": %s}' % ("9" * 5000), flush=True)"""), "unreadable", "too many digits"),
    "NaN": (in_loop("""print('{"number": %d, "answer": NaN}' % number, flush=True)"""), "unreadable", "NaN is no number"),
    "a list": (in_loop("print([number], flush=True)"), "unreadable", "no JSON object but a list"),
    "no number": (in_loop('print("{}", flush=True)'), "unreadable", "the line has no number"),
    "true for a number": (in_loop("reply(True, legal[0])"), "unreadable", "the line has no number"),
    "no answer": (in_loop("""print('{"number": %d}' % number, flush=True)"""), "unreadable", "the line has no answer"),
    "a number to come": (in_loop("reply(number + 1, legal[0])"), "wrong_number", "answers question 6, but question 5 is asked"),
    "worlds without end": (
        in_loop("""print('{"type": "hello", "worlds": 1000000000}', flush=True)"""),
        "unreadable",
        "a whole number from 0 to 64",
    ),
    "no number of worlds": (in_loop("""print('{"type": "hello"}', flush=True)"""), "unreadable", "`worlds`"),
    "too many worlds": (in_loop("""print('{"type": "hello", "worlds": 65}', flush=True)"""), "unreadable", "from 0 to 64"),
    "a hello again and again": (
        in_loop("""print('{"type": "hello", "worlds": 0}', flush=True)"""),
        "unreadable",
        "the line has no number",
    ),
    "a field twice": (
        in_loop("""print('{"number": 5, "number": 6, "answer": {}}', flush=True)"""),
        "unreadable",
        "the same field twice",
    ),
}


async def answered(script: str, time_limit: float = PATIENCE) -> tuple[AgentReply, list[str]]:
    """The first answer of a program, and the kinds of failure before it."""
    agent, reports = program(script, time_limit), Reports()
    try:
        return await agent.answer(ask_of(), reports), [str(record["what"]) for record in reports]
    finally:
        await agent.end((), None)


@pytest.mark.parametrize("name", STRIKES)
async def test_a_complete_line_that_is_no_reply_is_a_strike(name: str) -> None:
    script, kind, why = STRIKES[name]
    given, failures = await answered(script)
    assert given.mistake is not None, given
    assert (given.mistake.kind, failures) == (kind, [])
    assert why in given.mistake.why
    assert len(given.text) <= 4000


IGNORED = {
    "before the question": "reply(-1, legal[-1])\n" * 2,
    "an older number": "for older in range(number): reply(older, {})\n",
    "blank lines": 'print("\\n \\r\\n", flush=True)\n',
}


@pytest.mark.parametrize("name", IGNORED)
async def test_a_line_that_answers_no_open_question_is_ignored(name: str) -> None:
    given, failures = await answered(in_loop(f"{IGNORED[name]}reply(number, legal[0])"))
    assert (given.data, failures) == (ask_of().answers()[0], [])


CHILD = "child = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(600)'])"
OLDER = "print(('{\"number\": 4}' + ' ' * 999 + chr(10)) * 2000)"
FAILURES = {
    "exits at hello": (
        "import sys; sys.exit('no model')",
        "exited",
        "with status 1; its standard error ends with: no model",
    ),
    "is killed": (in_loop("os.kill(os.getpid(), signal.SIGKILL)"), "exited", "was ended by SIGKILL"),
    "answers without a line end": (in_loop('print("{}", end=""); sys.exit(0)'), "exited", "exited with status 0"),
    "hangs": ("import time; time.sleep(600)", "timeout", "gave no answer within 0.2 s"),
    "floods one line": (in_loop('while True: sys.stdout.write("x" * 65536)'), "flood", "wrote more than 1,048,576 bytes"),
    "floods older replies": (in_loop(OLDER), "flood", "wrote more than 1,048,576 bytes"),
    "closes its output": (in_loop("os.close(1); time.sleep(600)"), "closed", "closed its standard output"),
    "never reads": ("import os, time; os.close(0); time.sleep(600)", "timeout", "gave no answer within 0.2 s"),
    "leaves a child with its pipes": (in_loop(f"{CHILD}; os._exit(7)"), "exited", "exited with status 7"),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_a_program_that_fails_twice_pauses_the_match(name: str, request: pytest.FixtureRequest) -> None:
    script, kind, why = FAILURES[name]
    if kind == "exited" and CHILD not in script:
        request.getfixturevalue("any_exit")
    agent, reports = program(script, 0.2 if kind == "timeout" else PATIENCE), Reports()
    with pytest.raises(PausedError, match='the program "cmd:script" ') as paused:
        await agent.answer(ask_of(), reports)
    assert why in str(paused.value)
    assert [(record["outcome"], record["what"]) for record in reports] == [("infrastructure", kind)] * 2
    assert program_agent._groups == set()


@pytest.mark.usefixtures("any_exit")
async def test_a_program_that_fails_once_is_started_again_and_told_all(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    first = f"if not os.path.exists({str(mark)!r}): open({str(mark)!r}, 'w').close(); sys.exit(3)"
    given, failures = await answered(in_loop(f"{first}\nreply(number, legal[0])"))
    assert (given.data, failures) == (ask_of().answers()[0], ["exited"])


STUBBORN = f"""
import signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
{CHILD}
open(sys.argv[1], "w").write(f"{{os.getpid()}} {{child.pid}}")
"""


def stubborn(pids: Path, rest: str = GOOD) -> str:
    """A program that ignores SIGTERM and the end of its input, with a child that holds its pipes."""
    return f"import os, sys; sys.argv[1:] = [{str(pids)!r}]\n{STUBBORN}{LOOP}{rest}\ntime.sleep(600)\n"


@pytest.mark.parametrize("way", ["end", "hang", "cancel"])
async def test_nothing_is_left_of_a_program_that_ignores_sigterm_and_of_its_child(way: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    agent = program(stubborn(pids, GOOD if way == "end" else "    time.sleep(600)\n"), 0.3 if way == "hang" else PATIENCE)
    asking = asyncio.ensure_future(agent.answer(ask_of(), Reports()))
    if way == "hang":
        with pytest.raises(PausedError):
            await asking
    elif way == "cancel":
        await until(lambda: pids.exists() and " " in pids.read_text())
        asking.cancel()
        await asyncio.wait([asking])
    else:
        assert (await asking).mistake is None
    await agent.end((), {"scores": [1], "winners": [0], "ending": [], "rounds": 1} if way == "end" else None)
    for pid in pids.read_text().split():
        await until(lambda pid=int(pid): not is_alive(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with the one that started it")
async def test_a_program_ends_when_this_process_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pid"
    script = f"import os, time; open({str(pids)!r}, 'w').write(f'{{os.getpid()}} '); time.sleep(600)"
    code = (
        "import asyncio\nfrom runner.agents.program_agent import ErrorOutput\n"
        "from runner.agents.program_agent import ProgramProcess\n"
        "async def main():\n"
        "    process = ProgramProcess(ErrorOutput(None))\n"
        f"    await process.start({words(script)!r}, {{}})\n"
        "    await process._output.readuntil()\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}) as starter:
        await until(lambda: pids.exists() and pids.read_text().endswith(" "))
        starter.send_signal(signal.SIGKILL)
    await until(lambda: not is_alive(int(pids.read_text())))


ESCAPE = """
import signal
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        open(sys.argv[1], "w").write(f"{os.getpid()} ")
        os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"], {})
    os._exit(0)
"""
"""Starts a process in a session of its own, without a parent, an environment, a pipe or an ear for SIGTERM."""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands over what a program has left")
@pytest.mark.parametrize("way", ["end", "exit", "hang", "parent"])
async def test_what_a_program_has_started_ends_with_it_in_whatever_session(way: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    rest = {"end": GOOD, "exit": "    os._exit(4)\n", "hang": "    time.sleep(600)\n", "parent": ""}[way]
    script = f"import os, sys, time; sys.argv[1:] = [{str(pids)!r}]\n{ESCAPE}{LOOP}{rest}"
    if way == "parent":
        code = (
            "import asyncio\nfrom runner.agents.program_agent import ErrorOutput\n"
            "from runner.agents.program_agent import ProgramProcess\n"
            "async def main():\n"
            "    process = ProgramProcess(ErrorOutput(None))\n"
            f"    await process.start({words(script + '    pass')!r}, {{}})\n"
            "    await process._output.readuntil()\n"
            "asyncio.run(main())\n"
        )
        with subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}) as starter:
            await until(lambda: pids.exists() and pids.read_text().endswith(" "))
            starter.send_signal(signal.SIGKILL)
    else:
        agent = program(script, 2.0 if way == "hang" else PATIENCE)
        asking = asyncio.ensure_future(agent.answer(ask_of(), Reports()))
        await until(lambda: pids.exists() and pids.read_text().endswith(" "))
        await asyncio.wait([asking])
        assert isinstance(asking.exception(), PausedError) == (way != "end")
        await agent.end((), None)
        assert not is_alive(int(pids.read_text()))
    await until(lambda: not is_alive(int(pids.read_text())))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands over what a program has left")
def test_what_cannot_be_ended_is_named() -> None:
    code = (
        "import os, subprocess, sys\nimport runner.process_keeper as keeper\n"
        "child = subprocess.Popen(['sleep', '600'])\nkill, keeper.os.kill = os.kill, lambda *_: None\n"
        "print(keeper.end_all(0.05, {}) == [f'{child.pid} (sleep)'])\nkill(child.pid, 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.stdout == "True\n", done.stderr


async def test_a_note_says_what_a_program_has_left(capfd: pytest.CaptureFixture[str]) -> None:
    agent = program(in_loop("reply(number, legal[0])"))
    await agent.answer(ask_of(), Reports())
    assert agent._process is not None
    agent._process.left = "7 (sleep)"
    agent._note_left(agent._process)
    agent._note_left(agent._process)
    await agent.end((), None)
    assert "\"cmd:script\" has left what cannot be ended: '7 (sleep)'" in (said := capfd.readouterr().err)
    assert said.count("Note") == 1


async def test_lines_after_an_answer_count_for_the_next_one_and_are_read_on() -> None:
    padded = "print(json.dumps({'number': number - 1, 'reason': 'x' * 200_000}))"
    agent, reports = program(in_loop(f"{padded}\nreply(number, legal[0])\n{padded}")), Reports()
    for number in range(5, 9):
        assert (await agent.answer(ask_of(number=number), reports)).mistake is None
    await agent.end((), None)
    assert reports == []


async def test_a_flood_between_answers_is_read_no_further_and_starts_the_program_again() -> None:
    agent, reports = program(in_loop("reply(number, legal[0])\nsys.stdout.write('x' * 2**22)\nsys.stdout.flush()")), Reports()
    assert (await agent.answer(ask_of(number=5), reports)).mistake is None
    assert agent._process is not None
    process = agent._process
    await until(lambda: process._output._paused)
    assert len(process._output._buffer) <= 3 * program_agent.MOST_BYTES
    assert (await agent.answer(ask_of(number=6), reports)).mistake is None
    await agent.end((), None)
    assert [record["what"] for record in reports] == ["flood"]
