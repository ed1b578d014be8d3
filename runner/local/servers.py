"""Local servers: llama.cpp's server for each model file in use, shared by all seats and matches of a command.

A server is a process of its own on a loopback port, with a random key. It ends with the process that started it: its input is a
pipe that closes then, and Linux kills it.
"""

import asyncio
import atexit
import json
import re
import secrets
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from tempfile import TemporaryFile
from typing import IO
from weakref import WeakKeyDictionary

from runner import local
from runner.child_processes import how_ended, own_variables
from runner.errors import AccountError, PausedError, UsageError
from runner.llm.request import ServerAccess
from runner.local import server_process
from runner.local.local_model import LocalModel, ServerPlan, server_plan
from runner.process_keeper import bound_to_this

PLAIN_TEMPLATE = files("runner.local").joinpath("plain_template.txt").read_text("utf-8")
PLAIN_STOP = "```"
"""The text that ends an answer in the plain template."""


_REASON = re.compile(r"error loading model: (.+)|ggml\w*: (.*(?:fail|alloc).*)")
"""The lines of llama.cpp's log that say why a model is not loaded."""


_PASSED_ON = ("context", "slots", "threads", "gpu_layers", "waiting_mib", "keeps_all", "needs_gpu")
"""Parts of a plan that the server process is told as they are."""


class _Server:
    """A server process, from its start on; `access` is known once the model is loaded."""

    access: ServerAccess

    def __init__(self, plan: ServerPlan) -> None:
        self.plan, self._key = plan, secrets.token_urlsafe(24)
        self._log: IO[bytes] = TemporaryFile()  # noqa: SIM115 -- open as long as the process
        self._process = subprocess.Popen(
            bound_to_this([sys.executable, "-P", server_process.__file__]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=own_variables(has_gpu=True),
            start_new_session=True,
        )

    async def load(self) -> str:
        """Wait until the model is loaded; a note on how the server runs, "" for none. AccountError when that fails."""
        plan, file = self.plan, self.plan.file
        settings = {"path": str(file.path), "name": file.name, **{name: getattr(plan, name) for name in _PASSED_ON}}
        settings |= {"template": "" if file.header.has_template else PLAIN_TEMPLATE, "key": self._key}
        pipes = self._process.stdin, self._process.stdout
        assert pipes[0] is not None
        assert pipes[1] is not None
        with suppress(BrokenPipeError):
            pipes[0].write(f"{json.dumps(settings)}\n".encode())
            pipes[0].flush()
        try:
            line = await asyncio.to_thread(pipes[1].readline)
        except BaseException:
            self.end()
            raise
        answer = json.loads(line or b"{}")
        if "address" in answer:
            self.access = ServerAccess(answer["address"], self._key)
            return str(answer["note"])
        why = self._reason(str(answer.get("error", "")) or self._end_in_words())
        self.end()
        raise AccountError(f"llama.cpp cannot load {file.path}: {why}.")

    @property
    def fault(self) -> str | None:
        """How the process ended; None while it runs."""
        return None if self._process.poll() is None else self._end_in_words()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._log):
            if file is not None:
                file.close()

    def _reason(self, otherwise: str) -> str:
        self._log.seek(0)
        found = _REASON.search(self._log.read().decode("utf-8", "replace"))
        return (found[1] or found[2]).strip().rstrip(".") if found else otherwise.rstrip(".")

    def _end_in_words(self) -> str:
        return f"its process {how_ended(self._process.wait())}"


_running: dict[str, _Server] = {}
"""The servers of this process, by the base URL of their model."""

_loading: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


@atexit.register
def end_servers() -> None:
    while _running:
        _running.popitem()[1].end()


@dataclass(frozen=True, slots=True)
class FileConnector:
    """The server of a model file, which all models of this file share."""

    model: LocalModel

    @property
    def is_running(self) -> bool:
        server = _running.get(self.model.base_url)
        return server is not None and server.fault is None

    async def start(self, prompt_tokens: int, reply_tokens: int, at_once: int) -> None:
        """Start the server, unless it runs. AccountError when the model cannot be loaded, UsageError without llama.cpp."""
        if self.is_running:
            return
        plan = server_plan(self.model, prompt_tokens, reply_tokens, at_once)
        async with _loading.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            if self.is_running:
                return
            if find_spec("xllamacpp") is None:
                raise UsageError(f"{plan.file.path} needs the extra local: pip install 'tabletop-runner[local]'.")
            with local.show(plan) as notes:
                server = _Server(plan)
                notes += filter(None, [await server.load()])
            _running[self.model.base_url] = server

    def address(self) -> ServerAccess:
        """The access to the server. PausedError when it has ended or was never started."""
        server = _running.get(self.model.base_url)
        how = "it was not started" if server is None else server.fault
        if server is None or how is not None:
            raise PausedError(f"The llama.cpp server of this model has ended: {how}.")
        return server.access

    def close(self) -> None:
        if (server := _running.pop(self.model.base_url, None)) is not None:
            server.end()
