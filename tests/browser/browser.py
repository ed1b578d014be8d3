"""A headless Chromium, driven over its debugging pipe."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from base64 import b64decode
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CODES = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38, "ArrowDown": 40, "Home": 36, "End": 35, "Enter": 13}


def installed() -> str | None:
    """The path of a browser, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class _Pipe:
    """The debugging pipe of a browser."""

    def __init__(self, folder: Path) -> None:
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        program = installed()
        assert program is not None
        words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"]

        ours = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out)]

        def connect() -> None:
            os.dup2(ours[0], 3)
            os.dup2(ours[1], 4)

        self._process = subprocess.Popen(
            [program, *words, f"--user-data-dir={folder}"],
            close_fds=False,
            preexec_fn=connect,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (*ours, theirs_in, theirs_out):
            os.close(end)
        self.events: list[dict[str, Any]] = []
        self._number = 0
        self._buffer = b""

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)
        os.close(self._in)
        os.close(self._out)

    def call(self, method: str, parameters: dict[str, Any], session: str | None = None) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return dict(answer["result"])
            self.events.append(answer)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            more = os.read(self._in, 1 << 16)
            assert more, "the browser is gone"
            self._buffer += more
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))


class Browser:
    """One page in a browser. A context manager."""

    def __init__(self, folder: Path, width: int = 1200, height: int = 900) -> None:
        self._folder, self._size = folder, (width, height)

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the browser has told of all its pages."""
        return self._pipe.events

    def __enter__(self) -> Browser:
        self._pipe = _Pipe(self._folder)
        self._attach(*self._size)
        return self

    def __exit__(self, *ending: object) -> None:
        self._pipe.close()

    def somebody_else(self, width: int = 1200, height: int = 900) -> Browser:
        """A page of the same browser that shares nothing with this one."""
        other = Browser(self._folder, width, height)
        other._pipe = self._pipe
        other._attach(width, height, self._pipe.call("Target.createBrowserContext", {})["browserContextId"])
        return other

    def another_tab(self) -> Browser:
        """A page of the same person."""
        other = Browser(self._folder, *self._size)
        other._pipe = self._pipe
        other._attach(*self._size)
        return other

    def _attach(self, width: int, height: int, context: str | None = None) -> None:
        where = {} if context is None else {"browserContextId": context}
        self._target = self._pipe.call("Target.createTarget", {"url": "about:blank", **where})["targetId"]
        attached = self._pipe.call("Target.attachToTarget", {"targetId": self._target, "flatten": True})
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.do(f"{domain}.enable")
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def leave(self) -> None:
        """Close the page."""
        self._pipe.call("Target.closeTarget", {"targetId": self._target})

    def do(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the page's debugging protocol."""
        return self._pipe.call(method, parameters, self.session)

    def open(self, path: Path | str) -> None:
        """Load a file or an address and wait for it."""
        self.do("Page.navigate", url=path if isinstance(path, str) else path.as_uri())
        while self.run("document.readyState") != "complete":
            pass

    def run(self, script: str) -> Any:
        """The value of an expression in the page; of a promise, what it is kept with."""
        found = self.do("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press and release a key."""
        facts: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": CODES.get(key, ord(key[0]))}
        if len(key) == 1 or key == "Enter":
            facts["text"] = "\r" if key == "Enter" else key
        self.do("Input.dispatchKeyEvent", type="keyDown", **facts)
        self.do("Input.dispatchKeyEvent", type="keyUp", **facts)

    def picture(self, path: Path) -> None:
        """Save what the page looks like."""
        path.write_bytes(b64decode(self.do("Page.captureScreenshot", format="png")["data"]))
