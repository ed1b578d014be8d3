"""SPEC: the text that says who plays a seat, parsed once into one of the kinds of seat; NAME=SPEC names the player."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeGuard

from runner.agents.bot_seats import BOT, Bot
from runner.agents.function_agent import FUNCTION, Function
from runner.agents.model_seats import OFFLINE, Endpoint, Local, ModelSpec, Named, Offline
from runner.agents.program_seat import PROGRAM, Program, command_fault
from runner.agents.seat_kind import PACK, Spec
from runner.agents.waiting_agents import HUMAN, MCP, Human, Mcp
from runner.local import LOCAL

__all__ = ["BOT", "FUNCTION", "HUMAN", "KINDS", "LOCAL", "MCP", "OFFLINE", "PACK", "PROGRAM"]
__all__ += ["Bot", "Endpoint", "Function", "Human", "Local", "Mcp", "ModelSpec", "Named", "Offline", "Program", "Spec"]
__all__ += [
    "command_fault",
    "forms",
    "is_model",
    "length_fault",
    "model_flaw",
    "needs_client",
    "parse_spec",
    "with_pack",
]

KINDS: tuple[type[Spec], ...] = (Bot, Human, Mcp, Offline, Local, Program, Function, Endpoint, Named)
"""Every kind of seat. A text is of the first that takes it for its own; the last one takes every text."""

_ROUTED = re.compile(r"openrouter/(?=[^@/]+/[^@]*$)")
"""`openrouter/VENDOR/MODEL`, as LiteLLM and others write VENDOR/MODEL. `openrouter/auto` is a model of OpenRouter's own."""
_NAMED = re.compile(r"\s*([^=:/@+\s][^=:/@+]*)=(.*)", re.DOTALL)
"""NAME=SPEC. A name has no mark of a SPEC, so that the `=` of an address or a folder begins none."""


LONGEST_SPEC, LONGEST_MODEL = 4096, 200
"""Characters of a SPEC in a new match, and of the name of a model in it."""


def parse_spec(text: str) -> Spec:
    """The SPEC in a text. `check_spec` tells whether the bot, agent or address exists and whether the name is one."""
    named = _NAMED.fullmatch(text)
    return replace(_typed(named[2].lstrip()), player=named[1].rstrip()) if named else _typed(text)


def _typed(text: str) -> Spec:
    if routed := _ROUTED.match(text):
        text = text[routed.end() :]
    who, mark, folder = text.partition(PACK)
    pack = Path(folder) if mark else None
    found = (kind.parse(text, who, pack) for kind in KINDS)
    return next(spec for spec in found if spec is not None)


def forms() -> Iterator[str]:
    """How people write the kinds of seat, one form after the other."""
    return (form for kind in KINDS for form in kind.forms)


def with_pack(spec: Spec, folder: Path | None) -> Spec:
    """The same player with another prompt pack."""
    return spec if folder is None else parse_spec(f"{spec.named_text}{PACK}{folder}")


def length_fault(spec: Spec) -> str | None:
    """What is too long of a SPEC for a new match; None when nothing is."""
    if len(spec.named_text) > LONGEST_SPEC:
        return f"a SPEC has at most {LONGEST_SPEC:,} characters"
    model = spec.name if isinstance(spec, Named) else spec.model if isinstance(spec, Endpoint | Offline) else ""
    return f"the name of a model has at most {LONGEST_MODEL} characters" if len(model) > LONGEST_MODEL else None


def model_flaw(text: str) -> str | None:
    """Why a SPEC is none of a model in a new match; None for one that is."""
    spec = parse_spec(text)
    return length_fault(spec) if is_model(spec) else f"that is no model; seat it with --seat {text}"


def is_model(spec: Spec) -> TypeGuard[ModelSpec]:
    """Whether a model plays the seat."""
    return isinstance(spec, ModelSpec)


def needs_client(specs: Iterable[Spec]) -> bool:
    return any(map(is_model, specs))
