"""Background loop: runs a coroutine to its end for a caller that cannot await, whether or not an event loop is running."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine. In a running event loop, such as that of a notebook, it runs in a thread meanwhile."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    return _Background(coroutine).result()


class _Background(Generic[Result]):
    """A coroutine in an event loop of its own, in a thread."""

    def __init__(self, coroutine: Coroutine[Any, Any, Result]) -> None:
        self._coroutine = coroutine
        self._outcome: Callable[[], Result] | None = None
        self._cancel: Callable[[], object] = coroutine.close
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tabletop-match", daemon=True)
        self._thread.start()

    def result(self) -> Result:
        """Wait for the result. KeyboardInterrupt cancels the coroutine, and waits until it has ended."""
        self._started.wait()
        try:
            self._thread.join()
        except BaseException:
            self._cancel()
            self._thread.join()
            raise
        assert self._outcome is not None
        return self._outcome()

    def _run(self) -> None:
        try:
            result = asyncio.run(self._run_task())
            self._outcome = lambda: result
        except BaseException as error:
            self._outcome = _raising(error)

    async def _run_task(self) -> Result:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(self._coroutine)
        self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        self._started.set()
        return await task


def _raising(error: BaseException) -> Callable[[], Any]:
    def outcome() -> Any:
        raise error

    return outcome
