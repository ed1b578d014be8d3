"""Program agent: a seat that a program plays, by lines of JSON on its standard input and output. The program has its own
session and is always ended, with what it has started: on Linux wherever that is, elsewhere within its group of processes."""

import asyncio
import atexit
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from games.core import Event, quoted
from runner.agents.program_messages import Ignored, Wish, asked, ended, hello, line_of, read_reply, told
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, JsonRecord, Report
from runner.child_processes import how_ended
from runner.errors import PausedError
from runner.process_keeper import can_keep, kept

LONGEST_ERRORS = 2**20
"""Bytes of standard error that are kept of one program and one run of a match."""

_LAST = 400
"""Bytes that an error message may quote."""

_CUT = b"\n[tabletop: the rest was left out]\n"


class ErrorOutput:
    """Appends to a file, which is made when there is something to write. Without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._left = LONGEST_ERRORS
        self._last = b""
        self._file: int | None = None

    def write(self, data: bytes) -> None:
        """Keep output, up to the bound."""
        self._last = (self._last + data)[-_LAST:]
        if self._path is None or self._left <= 0:
            return
        kept = data[: self._left]
        self._left -= len(kept)
        with suppress(OSError):  # a full disk is no reason to stop the match
            if self._file is None:
                flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
                self._file = os.open(self._path, flags, 0o600)
            os.write(self._file, kept if self._left else kept + _CUT)

    @property
    def last_words(self) -> str:
        """The last line, and where the rest is, as the end of a sentence; empty without output."""
        lines = [line.strip() for line in self._last.decode("utf-8", "replace").split("\n") if line.strip()]
        where = f" ({self._path})" if self._path is not None else ""
        return f"; its standard error ends with: {lines[-1]}{where}" if lines else ""

    def close(self) -> None:
        """Close the file; more output opens it again."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


MOST_BYTES = 2**20
"""The bytes that a program may write for one answer."""

_GRACE = 1.0
"""Seconds until a program that was told the end gets SIGTERM, and from there until it gets SIGKILL."""

_LAST_OUTPUT = 0.3
"""Seconds to wait for the last output of a process that has exited, or for the exit of one that has closed its output."""

_POLL = 0.02
_LONGEST_REPORT = 4096
_groups: set[int] = set()
"""The process groups that have not been ended."""


class ProgramFailure(Exception):
    """A program gives no answer. `kind` is exited, closed or flood; the text says what it did."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class ProgramProcess(asyncio.SubprocessProtocol):
    """A program, once it is started. `end` has to be awaited; `left` names what could not be ended then."""

    def __init__(self, errors: ErrorOutput) -> None:
        self._errors = errors
        self._output = asyncio.StreamReader(limit=MOST_BYTES)
        self._exited, self._closed = asyncio.Event(), asyncio.Event()
        self._transport: asyncio.SubprocessTransport | None = None
        self._report: int | None = None
        self.left = ""
        self._received = 0

    async def start(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start the program in its own session. OSError when it cannot be started."""
        self._report, report = os.pipe() if can_keep() else (None, -1)
        try:
            await asyncio.get_running_loop().subprocess_exec(
                lambda: self,
                *kept(words, _GRACE, report),
                env=dict(environment),
                start_new_session=True,
                pass_fds=() if report < 0 else (report,),
            )
        except BaseException:
            self._forget()
            raise
        finally:
            if report >= 0:
                os.close(report)

    def _forget(self) -> None:
        self._take_report()
        if self._transport is not None:
            _signal(self._process.get_pid(), signal.SIGKILL)
            _groups.discard(self._process.get_pid())

    # -- what the event loop reports -----------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport, pipe = transport, transport.get_pipe_transport(1)
        assert pipe is not None
        self._output.set_transport(pipe)
        _groups.add(transport.get_pid())

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        (self._errors.write if fd == 2 else self._output.feed_data)(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._output.feed_eof()

    def process_exited(self) -> None:
        """Read on for its last output: processes that it started may still hold its pipes."""
        self._exited.set()
        if (pipe := self._process.get_pipe_transport(1)) is not None:
            asyncio.get_running_loop().call_later(_LAST_OUTPUT, pipe.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has exited, and all its pipes are closed."""
        self._closed.set()

    # -- lines -----------------------------------------------------------------------------------------------------------

    def send(self, line: bytes) -> None:
        """Write a line to its input; without effect when it has closed that."""
        pipe = self._process.get_pipe_transport(0)
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write(line)

    def begin_answer(self) -> None:
        """Count the bytes for another answer from here on."""
        self._received = 0

    async def line(self) -> bytes:
        """The next complete line. ProgramFailure when none will come, and for too long an answer."""
        try:
            line = await self._output.readuntil()
        except asyncio.LimitOverrunError:
            raise _flood() from None
        except asyncio.IncompleteReadError:
            raise await self._failure() from None
        self._received += len(line)
        if self._received > MOST_BYTES:
            raise _flood()
        return line[:-1]

    async def _failure(self) -> ProgramFailure:
        await _within(_LAST_OUTPUT, self._exited)
        status = self._process.get_returncode()
        if status is None:
            return ProgramFailure("closed", f"closed its standard output{self._errors.last_words}")
        return ProgramFailure("exited", f"{how_ended(status)}{self._errors.last_words}")

    # -- the end -----------------------------------------------------------------------------------------------------------

    async def end(self, *, at_once: bool = False) -> bool:
        """Close its input and let it exit; end it by force when it does not. Whether it has exited by itself."""
        if (pipe := self._process.get_pipe_transport(0)) is not None:
            pipe.close()
        try:
            await _within(0 if at_once else _GRACE, self._exited)
            return self._exited.is_set()
        finally:
            await self._kill()

    async def _kill(self) -> None:
        """End the process and what it has started: by SIGTERM, then SIGKILL."""
        group = self._process.get_pid()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(_GRACE if self._report is None else 4 * _GRACE):
                    is_there = _signal(group, signal.SIGTERM)
                    while is_there and _signal(group, 0):
                        await asyncio.sleep(_POLL)
        finally:
            _signal(group, signal.SIGKILL)
            _groups.discard(group)
            pipe = self._process.get_pipe_transport(0)  # a process outside the group may still hold it
            if isinstance(pipe, asyncio.WriteTransport) and pipe.get_write_buffer_size():
                pipe.abort()
            self._process.close()
        await _within(_GRACE, self._exited)
        await _within(_GRACE, self._closed)
        self._errors.close()
        self._take_report()

    def _take_report(self) -> None:
        """Read what the keeper could not end."""
        report, self._report = self._report, None
        if report is not None:
            os.set_blocking(report, False)
            with suppress(BlockingIOError):
                self.left = os.read(report, _LONGEST_REPORT).decode("utf-8", "replace")
            os.close(report)

    @property
    def _process(self) -> asyncio.SubprocessTransport:
        assert self._transport is not None
        return self._transport


async def _within(seconds: float, event: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def _flood() -> ProgramFailure:
    return ProgramFailure("flood", f"wrote more than {MOST_BYTES:,} bytes for one answer")


def _signal(group: int, number: int) -> bool:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


@atexit.register
def _kill_all() -> None:
    """Leave no process behind when this one exits in the middle of a match."""
    for group in _groups:
        _signal(group, signal.SIGKILL)


_STARTS = 2
"""How often a program is started in one run of a match."""

Ignore = Callable[[DecisionRequest, bytes], None]
"""Called with a line that is not counted: a reply to an older question, or a blank line."""


class ProgramAgent(Agent):
    """A program, started at its first question. One that exits, hangs or floods is started again once; then the match pauses.

    A program that is started in the middle of a match first gets all events so far. `words` is the command line;
    `errors` is the file for its standard error; `ignore` gets the lines that do not count. `had_to_be_killed`: it did not exit
    at the end of the match.
    """

    def __init__(
        self,
        who: str,
        time_limit: float,
        words: Sequence[str],
        environment: Mapping[str, str],
        name: str,
        rules_text: str,
        errors: Path | None = None,
        ignore: Ignore = lambda ask, line: None,
    ) -> None:
        self._who, self._time_limit, self._words, self._environment = who, time_limit, words, environment
        self._name, self._rules_text = name, rules_text
        self._errors = ErrorOutput(errors)
        self.ignore = ignore
        self.had_to_be_killed = False
        self._process: ProgramProcess | None = None
        self._worlds: int | None = None
        self._has_answered = False
        self._starts = 0
        self._happened: list[Event] = []
        self._told = 0
        self._number = -1

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The program's answer or mistake. PausedError when it gives none although it was started again."""
        while True:
            begun = time.monotonic()
            try:
                reply = await self._answer(ask)
                reply.facts["latency"] = _seconds_since(begun)
                return reply
            except ProgramFailure as failure:
                facts = {"what": failure.kind, "why": f"the program {failure}", "latency": _seconds_since(begun)}
                await self._kill()
                await report({"try": self._starts, "outcome": "infrastructure", **facts})
                if self._starts >= _STARTS:
                    raise PausedError(f"the program {quoted(self._who)} {failure}.") from None

    async def _answer(self, ask: DecisionRequest) -> AgentReply:
        limit = self._time_limit
        self._note(ask)
        process = self._process = self._process or await self._started(ask)
        try:
            async with asyncio.timeout(limit):
                process.begin_answer()
                self._tell(process)
                process.send(line_of(asked(ask, limit, self._worlds)))
                while True:
                    line = await process.line()
                    found = read_reply(line, ask.number, takes_wish=not self._has_answered)
                    if isinstance(found, Ignored):
                        self.ignore(ask, line)
                        continue
                    self._has_answered = True
                    if not isinstance(found, Wish):
                        return found
                    self._worlds = found.worlds
                    process.send(line_of(asked(ask, limit, self._worlds)))
        except TimeoutError:
            raise ProgramFailure("timeout", f"gave no answer within {limit:g} s") from None

    async def _started(self, ask: DecisionRequest) -> ProgramProcess:
        """A process, which has been told of the match."""
        self._starts += 1
        process = ProgramProcess(self._errors)
        try:
            await process.start(self._words, self._environment)
        except OSError as error:
            raise PausedError(f"the program {quoted(self._who)} cannot be started: {error.strerror}.") from error
        process.send(line_of(hello(ask, self._name or f"P-{ask.seat}", self._rules_text)))
        self._told, self._worlds, self._has_answered = 0, None, False
        return process

    def _note(self, ask: DecisionRequest) -> None:
        """Keep the events that come with a question, once."""
        if ask.number != self._number:
            self._number = ask.number
            self._happened += ask.told

    def _tell(self, process: ProgramProcess) -> None:
        if events := self._happened[self._told :]:
            process.send(line_of(told(events)))
            self._told = len(self._happened)

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.end(at_once=True)
            self._note_left(process)

    def remember(self, ask: DecisionRequest, attempt: JsonRecord) -> None:
        """Keep what happened, for the program that is started at the first question that the log does not answer."""
        self._note(ask)

    async def end(self, told: Sequence[Event], result: JsonRecord | None) -> None:
        """Tell the program the rest and the result, and have it exit."""
        process, self._process = self._process, None
        if process is not None:
            self._happened += told
            self._tell(process)
            process.send(line_of(ended(result)))
            self.had_to_be_killed = not await process.end()
            self._note_left(process)

    def _note_left(self, process: ProgramProcess) -> None:
        """Say what the program has started that could not be ended."""
        left, process.left = process.left, ""
        if left:
            with suppress(OSError):
                sys.stderr.write(f"Note: {quoted(self._who)} has left what cannot be ended: {left!a}.\n")


def _seconds_since(begun: float) -> float:
    return round(time.monotonic() - begun, 3)
