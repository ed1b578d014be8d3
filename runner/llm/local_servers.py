"""Local servers: llama.cpp's server for each model file in use, shared by all seats and matches of a command.

A server is a process of its own on a loopback port, with a random key. It ends with the process that started it: its input is a
pipe that closes then, and Linux kills it. Workers of a tournament are given access to the tournament's servers.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from tempfile import TemporaryFile
from typing import IO
from weakref import WeakKeyDictionary

from runner.dies_with_parent import bound_to_this
from runner.errors import AccountError, PausedError, UsageError
from runner.llm import local_server_process
from runner.llm.local_model import LocalModel, ServerPlan
from runner.llm.plain_template import PLAIN_TEMPLATE

_REASON = re.compile(r"error loading model: (.+)|ggml\w*: (.*(?:fail|alloc).*)")
"""The lines of llama.cpp's log that say why a model is not loaded."""


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """Where a running server listens, and the key that it asks for."""

    address: str
    key: str = field(repr=False)


class _Server:
    """A server process, from its start on."""

    def __init__(self, plan: ServerPlan) -> None:
        self.plan, self.note, self._key = plan, "", secrets.token_urlsafe(24)
        self._log: IO[bytes] = TemporaryFile()  # noqa: SIM115 -- open as long as the process
        self._process = subprocess.Popen(
            bound_to_this([sys.executable, "-P", local_server_process.__file__]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
        )

    async def load(self) -> ServerAccess:
        """Wait until the model is loaded. AccountError when that fails."""
        settings = {
            "path": str(self.plan.file.path),
            "name": self.plan.file.name,
            "context": self.plan.context,
            "slots": self.plan.slots,
            "threads": self.plan.threads,
            "gpu_layers": self.plan.gpu_layers,
            "waiting_mib": self.plan.waiting_mib,
            "keeps_all": self.plan.keeps_all,
            "needs_gpu": self.plan.needs_gpu,
            "template": "" if self.plan.file.header.has_template else PLAIN_TEMPLATE,
            "key": self._key,
        }
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
            self.note = str(answer["note"])
            return ServerAccess(answer["address"], self._key)
        why = self._reason(str(answer.get("error", "")) or self._end_in_words())
        self.end()
        raise AccountError(f"llama.cpp cannot load {self.plan.file.path}: {why}.")

    @property
    def fault(self) -> str | None:
        """How the process ended; None while it runs."""
        return None if self._process.poll() is None else self._end_in_words()

    def end(self) -> None:
        """Kill the process."""
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
        status = self._process.wait()
        if status >= 0:
            return f"its process exited with status {status}"
        with suppress(ValueError):
            return f"its process was ended by {signal.Signals(-status).name}"
        return f"its process was ended by signal {-status}"


Show = Callable[[ServerPlan], AbstractContextManager[list[str]]]


class LocalServers:
    """The servers of this process, by model. `show` is entered while a model is loaded, to show that. Notes on how the server
    runs are added to its list."""

    def __init__(self) -> None:
        self.show: Show = lambda plan: nullcontext([])
        self._running: dict[str, _Server] = {}
        self._access: dict[str, ServerAccess] = {}
        self._loading: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    def has(self, model: LocalModel) -> bool:
        """Whether a server with this model runs."""
        server = self._running.get(model.base_url)
        return model.base_url in self._access and (server is None or server.fault is None)

    async def start(self, plan: ServerPlan) -> None:
        """Start the server of a model, unless it runs. AccountError when the model cannot be loaded, UsageError without
        llama.cpp."""
        model = LocalModel(plan.file)
        async with self._loading.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            if self.has(model):
                return
            if find_spec("xllamacpp") is None:
                raise UsageError(f"{plan.file.path} needs the extra local: pip install 'tabletop-runner[local]'.")
            with self.show(plan) as notes:
                server = _Server(plan)
                access = await server.load()
                notes += filter(None, [server.note])
            self._running[model.base_url], self._access[model.base_url] = server, access

    def access(self, base_url: str) -> ServerAccess:
        """The access to the server of a model. PausedError when it has ended or was never started."""
        server, access = self._running.get(base_url), self._access.get(base_url)
        if access is None or (server is not None and server.fault is not None):
            how = server.fault if server is not None else "it was not started"
            raise PausedError(f"The llama.cpp server of this model has ended: {how}.")
        return access

    @property
    def all_access(self) -> Mapping[str, ServerAccess]:
        """The access to every server, for a worker process."""
        return dict(self._access)

    def use(self, access: Mapping[str, ServerAccess]) -> None:
        """Use the servers of the process that started this one."""
        self._access.update(access)

    def end(self) -> None:
        """End every server that this process started."""
        running, self._running = self._running, {}
        for base_url, server in running.items():
            self._access.pop(base_url, None)
            server.end()


servers = LocalServers()
atexit.register(servers.end)
