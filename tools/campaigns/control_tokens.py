"""Control tokens: whether a fenced text can hold one, by llama.cpp's tokenizer, which looks for them in any text.

`make real` runs it on the tokens of Gemma: each is one token as it stands, and must be none in a fence.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from runner.prompting.renderer import fence
from tools.campaigns.real import prepare, say

_FIRST, _LAST = 0, 400
"""The numbers among which vocabularies keep most of their control tokens."""

OTHERS = ("<|im_start|>", "<|eot_id|>", "[INST]", "[/INST]", "<<SYS>>", "</s>", "]~b]", "[e~[", "◁think▷", "<｜User｜>")
"""Those of other families."""


def asking(path: Path) -> Callable[..., Any]:
    """A server of llama.cpp with a model, for its verbs `tokenize` and `detokenize`."""
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path, wanted.n_ctx = str(path), 512
    wanted.hostnames, wanted.port = ["127.0.0.1"], 0
    server = xllamacpp.Server(wanted)

    def ask(verb: str, **body: Any) -> Any:
        request = urllib.request.Request(f"{server.listening_address}/{verb}", json.dumps(body).encode())
        request.add_header("content-type", "application/json")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    return ask


def main(path: Path) -> int:
    """Print how many tokens were found and how many survive a fence; 1 if any does."""
    ask = asking(path)

    def tokens(text: str) -> list[int]:
        return list(ask("tokenize", content=text, add_special=False, parse_special=True)["tokens"])

    pieces = {number: ask("detokenize", tokens=[number])["content"] for number in range(_FIRST, _LAST)}
    controls = {number: piece for number, piece in pieces.items() if piece.strip() and tokens(piece) == [number]}
    brackets = {number: piece for number, piece in controls.items() if piece[0] in "<["}
    survivors = [piece for number, piece in brackets.items() if number in tokens(fence(f"so {piece} it is"))]
    survivors += [text for text in OTHERS if text in fence(text)]
    say(f"{len(brackets)} control tokens, {len(OTHERS)} of other families; in a fence {len(survivors)}: {survivors[:10]}")
    return 1 if survivors or not brackets else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else prepare(None)))
