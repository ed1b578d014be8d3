"""Program process: a program that reads and writes lines, in a process group that is bounded and always ended."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress

from runner.agents.error_output import ErrorOutput
from runner.dies_with_parent import bound_to_this

MOST_BYTES = 2**20
"""The bytes that a program may write for one answer."""

_GRACE = 1.0
"""Seconds until a program that was told the end gets SIGTERM, and from there until it gets SIGKILL."""

_LAST_OUTPUT = 0.3
"""Seconds to wait for the last output of a process that has exited, or for the exit of one that has closed its output."""

_POLL = 0.02
_groups: set[int] = set()
"""The process groups that have not been ended."""


class ProgramFailure(Exception):
    """A program gives no answer. `kind` is exited, closed or flood; the text says what it did."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class ProgramProcess(asyncio.SubprocessProtocol):
    """A running program. `start` makes one; `end` or `kill` has to be awaited in the end."""

    def __init__(self, errors: ErrorOutput) -> None:
        self._errors = errors
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._bytes = 0
        self._has_output, self._has_exited, self._is_paused = True, False, False
        self._changed, self._closed = asyncio.Event(), asyncio.Event()
        self._transport: asyncio.SubprocessTransport | None = None

    @classmethod
    async def start(cls, words: Sequence[str], environment: Mapping[str, str], errors: ErrorOutput) -> ProgramProcess:
        """Start a program, in a session of its own. OSError when it cannot be started."""
        loop, process = asyncio.get_running_loop(), cls(errors)
        try:
            await loop.subprocess_exec(lambda: process, *bound_to_this(words), env=dict(environment), start_new_session=True)
        except BaseException:
            process._forget()
            raise
        return process

    def _forget(self) -> None:
        """Leave nothing of a start that was cancelled."""
        if self._transport is not None:
            _signal(self._process.get_pid(), signal.SIGKILL)
            _groups.discard(self._process.get_pid())

    # -- what the event loop reports -----------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process has started."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        _groups.add(transport.get_pid())

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """It wrote to its output, or to its standard error."""
        if fd == 2:
            self._errors.write(data)
            return
        self._bytes += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n") if b"\n" in data else (self._rest + data,)
        self._lines += lines
        if self._bytes > MOST_BYTES:
            self._read(False)
        self._changed.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """It closed a pipe."""
        if fd == 1:
            self._has_output = False
            self._changed.set()

    def process_exited(self) -> None:
        """It exited. Processes that it started may still hold its pipes."""
        self._has_exited = True
        self._changed.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has exited, and all its pipes are closed."""
        self._closed.set()

    def _read(self, is_reading: bool) -> None:
        """Read its output, or let it wait."""
        pipe = self._process.get_pipe_transport(1)
        if isinstance(pipe, asyncio.ReadTransport):
            (pipe.resume_reading if is_reading else pipe.pause_reading)()
            self._is_paused = not is_reading

    # -- lines -----------------------------------------------------------------------------------------------------------

    def send(self, line: bytes) -> None:
        """Write a line to its input; without effect when it has closed that."""
        pipe = self._process.get_pipe_transport(0)
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write(line)

    def begin_answer(self) -> None:
        """Count the bytes for another answer from here on."""
        self._bytes = len(self._rest) + sum(map(len, self._lines))
        if self._is_paused and self._bytes <= MOST_BYTES:
            self._read(True)

    async def line(self) -> bytes:
        """The next complete line. ProgramFailure when none will come."""
        while True:
            if self._bytes > MOST_BYTES:
                raise ProgramFailure("flood", f"wrote more than {MOST_BYTES:,} bytes for one answer")
            if self._lines:
                return self._lines.popleft()
            if self._has_output and not self._has_exited:
                await self._change()
            elif not await self._change_soon():
                raise self._failure()

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _change_soon(self) -> bool:
        """Whether output or the exit still follows the end of the other."""
        if not self._has_output and self._has_exited:
            return False
        try:
            await asyncio.wait_for(self._change(), _LAST_OUTPUT)
        except TimeoutError:
            return False
        return True

    def _failure(self) -> ProgramFailure:
        status = self._process.get_returncode()
        if status is None:
            return ProgramFailure("closed", f"closed its standard output{self._errors.last_words}")
        how = f"exited with status {status}" if status >= 0 else f"was ended by {_signal_name(-status)}"
        return ProgramFailure("exited", f"{how}{self._errors.last_words}")

    # -- the end -----------------------------------------------------------------------------------------------------------

    async def end(self) -> bool:
        """Close its input and let it exit; end it by force when it does not. Whether it has exited by itself."""
        pipe = self._process.get_pipe_transport(0)
        if isinstance(pipe, asyncio.WriteTransport):
            pipe.close()
        try:
            await self._exit_within(_GRACE)
            return self._has_exited
        finally:
            await self.kill()

    async def kill(self) -> None:
        """End the process and all of its group: by SIGTERM, after a second by SIGKILL."""
        group = self._process.get_pid()
        try:
            if _signal(group, signal.SIGTERM):
                await _vanish_within(_GRACE, group)
        finally:
            _signal(group, signal.SIGKILL)
            self._close()
        await self._exit_within(_GRACE)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closed.wait(), _GRACE)
        _groups.discard(group)
        self._errors.close()

    def _close(self) -> None:
        """Drop the pipes, which a process outside the group may still hold."""
        pipe = self._process.get_pipe_transport(0)
        if isinstance(pipe, asyncio.WriteTransport) and pipe.get_write_buffer_size():
            pipe.abort()
        self._process.close()

    async def _exit_within(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self._has_exited:
                    await self._change()

    @property
    def _process(self) -> asyncio.SubprocessTransport:
        assert self._transport is not None
        return self._transport


def _signal(group: int, number: int) -> bool:
    """Send a signal to a process group; whether there is one."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


async def _vanish_within(seconds: float, group: int) -> None:
    """Wait until no process of the group is left."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while _signal(group, 0):
                await asyncio.sleep(_POLL)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@atexit.register
def _kill_all() -> None:
    """Leave no process behind when this one exits in the middle of a match."""
    for group in _groups:
        _signal(group, signal.SIGKILL)
