"""A stand-in on loopback whose model has a known policy: it gives the log-probabilities of the letters of legal answers."""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from runner.llm.offline import OfflineModel

Body = dict[str, Any]
_LISTED = re.compile(r"^([A-Za-z]): (\{.*\})$", re.MULTILINE)
OTHER, ONE_PART_MORE = "none", 0.1
"""A token that is no letter, and its probability."""


def weight(answer: object) -> int:
    """How likely an answer is, compared with others."""
    return 1 + zlib.crc32(json.dumps(answer).encode()) % 7


def policy(answers: list[Any]) -> list[float]:
    """The probability of each of these answers, by the model."""
    total = sum(map(weight, answers))
    return [weight(answer) / total for answer in answers]


def top_logprobs(asked: Body, most: int = 20) -> list[Body]:
    """The likeliest tokens: a letter now and then with a quotation mark, which makes two tokens of it, and another one."""
    listed = [(label, json.loads(answer)) for label, answer in _LISTED.findall(asked["messages"][-1]["content"])]
    found = [(OTHER, ONE_PART_MORE)]
    for (label, _), chance in zip(listed, policy([answer for _, answer in listed]), strict=True):
        own = chance * (1 - ONE_PART_MORE)
        found += [(label, own * 0.75), (f'{label}"', own * 0.25)] if len(listed) < 9 else [(label, own)]
    found.sort(key=lambda one: -one[1])
    return [{"token": token, "logprob": math.log(chance), "bytes": None} for token, chance in found[:most]]


def token(text: str, likely: list[Body] | None = None) -> Body:
    """A token of a reply."""
    own = {"token": text, "logprob": -0.0, "bytes": None}
    return {**own, "top_logprobs": likely or [own]}


Answer = Callable[[Body], tuple[int, Body]]


def knowing(asked: Body) -> tuple[int, Body]:
    """The reply to a request: by its schema, and to one for a letter by the policy."""
    found = json.loads(OfflineModel(1).handle("POST", "/chat/completions", {}, json.dumps(asked).encode()).body)
    found |= {"model": asked["model"], "provider": None}
    if asked.get("logprobs"):
        likely = top_logprobs(asked)
        label = next(one["token"] for one in likely if one["token"].isalpha())
        tokens = [token('{"'), token("letter"), token('": "'), token(label, likely), token('"}')]
        if "response_format" not in asked:
            tokens = [token(label, likely)]
        text = "".join(one["token"] for one in tokens)
        choice = {"finish_reason": "stop", "logprobs": {"content": tokens}}
        found["choices"][0] |= choice | {"message": {"role": "assistant", "content": text}}
    return 200, found


@contextmanager
def endpoint(answer: Answer = knowing) -> Iterator[tuple[str, list[Body]]]:
    """The address of a server that answers so, and the bodies that it was sent."""
    bodies: list[Body] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(404)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            bodies.append(body)
            status, found = answer(body)
            data = json.dumps(found).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            return

    class Server(ThreadingHTTPServer):
        request_queue_size = 256

    with Server(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1", bodies
        server.shutdown()


def write_agents(folder: Path, url: str, use: str = "true", **more: str) -> None:
    """The agent `knowing` of agents.toml."""
    lines = "".join(f"{name} = {value}\n" for name, value in more.items())
    text = f'[knowing]\nmodel = "known"\nbase_url = "{url}"\nkey = "KNOWN_KEY"\npolicy = {use}\n{lines}'
    (folder / "agents.toml").write_text(text, encoding="utf-8")
