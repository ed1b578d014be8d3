"""A long text in any field of a log, a spec, a plan or agents.toml is read in a time that grows as its length does."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from pydantic import ValidationError

from games.core import OptionError
from runner.agents import config_files
from runner.agents.config_files import AgentEntry, FunctionEntry, ProgramEntry, ProviderEntry, ReasoningEntry, parse_agents
from runner.agents.environment import Environment
from runner.arena.plan import GameEntry, PlanEntry, plan_of, seated
from runner.errors import TabletopError
from runner.files import read_toml
from runner.film.perspective import Perspective
from runner.llm.address import without_password
from runner.record.log_summary import summarise
from runner.record.reader import read_sound_part
from runner.screen.narrator import Narrator
from runner.screen.safe_text import clean
from runner.screen.transcript import transcript
from runner.session.match_spec import MatchSpec, ready, ready_to_continue
from tests.cli.command import tabletop
from tests.record.reseal import Field, fields, resealed, with_pauses
from tests.record.verbs import VERBS, run_on

LONG = "TABLETOP_CAMPAIGN" in os.environ
SIZE = 2**19
RATIO, ENOUGH = 8, 0.25
"""Four times the length takes about four times as long, and its square sixteen times. A quarter of a second of the processor
is no matter: with each kind of text below, a square takes many seconds."""

PUMPS = (
    *("://", "?key", "@", "&a=", "openrouter/", "<", "<think>", "`", "[", "{", '"', "\\", " ", "\n", "a", "1", "=", ":", "-"),
    *("e\u0301\u0327", "｛", "\u202e", "P-1 ", "you ", "sk-", "${", "'s ", ". ", "|", "/"),
)
"""What patterns begin with, look for, or count."""


def text_of(size: int) -> str:
    """Many of each, a line for each kind, so that none brings what another one looks for."""
    return "\n".join([*(pump * (size // len(PUMPS) // len(pump)) for pump in PUMPS), "@"])


SHORT_TEXT, LONG_TEXT = text_of(SIZE // 4), text_of(SIZE)


def check_slope(what: object, read: Callable[[str], object]) -> None:
    """The processor's seconds for a long text against those for a quarter of it."""
    if (long := seconds(read, LONG_TEXT)) > ENOUGH:
        short = seconds(read, SHORT_TEXT)
        assert long < RATIO * short, f"{what}: {short:.2f} s for a quarter, {long:.2f} s for the whole"


def seconds(read: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    try:
        read(text)
    except (TabletopError, OptionError, ValidationError) as refusal:
        clean(without_password(str(refusal)), 2000)  # as it is told
    return time.process_time() - began


# -- a log ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """A short log in which every kind of record stands."""
    folder = tmp_path_factory.mktemp("log")
    words = (
        "--seed",
        "1",
        "--mistakes",
        "0.5",
        "--strikes",
        "2",
        "--max-turns",
        "1",
        "--talk",
        "--belief",
        "--reason",
        "always",
    )
    seats = ("--seat", "offline", "--seat", "ada=bot:steady")
    done = tabletop(folder, "play", "coup", *seats, *words, "-q", "--log", "log.jsonl")
    assert done.returncode == 0, done.stderr
    return with_pauses((folder / "log.jsonl").read_bytes())


TEMPLATES = ("coup/system.j2", "shared/system.j2")
"""Two of the texts of a pack, which are read alike."""


def texts(records: list[dict[str, Any]]) -> Iterator[Field]:
    """The fields of a log that hold text."""
    for kind, place, path in fields(records):
        value: Any = records[place]
        for step in path:
            value = value[step]
        is_like_others = "templates" in path and path[-1] not in TEMPLATES
        if isinstance(value, str) and path != ("kind",) and not is_like_others:
            yield kind, place, path


def with_text(records: list[dict[str, Any]], field: Field, text: str) -> bytes:
    """The log with a text in a field."""
    _, place, path = field
    found = deepcopy(records)
    holder: Any = found[place]
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = f"m@http{text}" if path[-1] == "spec" else text
    return resealed(found)


KINDS = ("header", "shared", "question", "attempt", "decision", "phase", "pause", "resumed", "result")


@pytest.mark.parametrize("kind", KINDS)
def test_a_log_is_read_as_fast_whatever_its_texts(kind: str, records: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"

    def read(field: Field, text: str) -> None:
        path.write_bytes(with_text(records, field, text))
        summarise(path)
        log = read_sound_part(path)
        with suppress(TabletopError):
            ready_to_continue(log.latest_header, {}, lambda name, value: f"{name} {value}", Environment(), called={})
        for _ in transcript(log, Narrator(Perspective.of("all", 2), has_thoughts=True)):  # it verifies, too
            pass

    found = [field for field in texts(records) if field[0] == kind]
    assert found
    for field in found:
        check_slope(field, lambda text, field=field: read(field, text))


@pytest.mark.skipif(not LONG, reason="each verb on each field takes long: make campaign")
def test_every_verb_is_as_fast_whatever_the_texts_of_a_log(records: list[dict[str, Any]], tmp_path: Path) -> None:
    for field in texts(records):
        for verb in VERBS:
            run = partial(run_on, tmp_path / "case", verb, game="coup")
            long = run(raw=with_text(records, field, LONG_TEXT)).seconds
            short = run(raw=with_text(records, field, SHORT_TEXT)).seconds
            assert long < RATIO * short, (verb, field, short, long)


# -- a spec, a plan, agents.toml -----------------------------------------------------------------------------------------


def test_a_spec_is_read_as_fast_whatever_its_texts() -> None:
    known = {"game": "coup", "players": 2, "seats": ["bot:steady", "bot:random"], "prompts": None}
    seats = ("{}", "cmd:{}", "py:{}", "gguf:{}", "v/{}", "m@http://{}", "m@http{}", "bot:{}", "{}=bot:steady", "offline/{}")
    changes: list[Callable[[str], dict[str, Any]]] = [
        *(lambda text, seat=seat: {"seats": [seat.format(text), "bot:random"]} for seat in seats),
        *(lambda text, seat=seat: {"seats": [f"{seat}+pack:{text}", "bot:random"]} for seat in ("offline", "bot:steady")),
        *(lambda text, name=name: {name: text} for name in MatchSpec.model_fields if name not in ("seats", "options")),
        lambda text: {"options": {text: 1}},
        lambda text: {"options": {"max_turns": text}},
    ]
    for change in changes:

        def read(text: str, change: Callable[[str], dict[str, Any]] = change) -> None:
            ready(MatchSpec.of({**known, **change(text)}, lambda name, value: f"{name} {value}"), Environment())

        check_slope(change("…"), read)


def test_a_plan_is_read_as_fast_whatever_its_texts() -> None:
    known = {"games": ["coup"], "agents": ["bot:steady", "bot:random"], "deals": 1}
    changes: list[Callable[[str], dict[str, Any]]] = [
        *(lambda text, name=name: {name: text} for name in PlanEntry.model_fields),
        *(lambda text, name=name: {"games": [{"name": "coup", name: text}]} for name in GameEntry.model_fields),
        lambda text: {"agents": [text, "bot:steady"]},
        lambda text: {"agents": [f"{text}=bot:random", "bot:steady"]},
        lambda text: {"agents": {text: "bot:random", "b": "bot:steady"}},
        lambda text: {"agents": {"a": text, "b": "bot:steady"}},
        lambda text: {text: 1},
    ]
    for change in changes:
        check_slope(change("…"), lambda text, change=change: seated(plan_of({**known, **change(text)}), Environment()))


def takes_text(annotation: Any) -> bool:
    return annotation in (str, Path) or any(map(takes_text, get_args(annotation)))


def tables(text: str) -> Iterator[tuple[str, dict[str, object]]]:
    """What agents.toml may hold: a text in each field that takes one, also in a list and in a table."""
    kinds = {AgentEntry: {"model": "offline"}, ProgramEntry: {"program": "./bot"}, FunctionEntry: {"function": "a:b"}}
    for kind, first in kinds.items():
        for name, annotation in get_type_hints(kind, include_extras=True).items():
            if name != "model_config" and takes_text(annotation):
                for value in (text, [text], {text: text}):
                    yield f"{kind.__name__}.{name}", {"calm": {**first, name: value}}
    for holder, inner in (("reasoning", ReasoningEntry), ("provider", ProviderEntry)):
        for name in inner.model_fields:
            yield f"{holder}.{name}", {"calm": {"model": "offline", holder: {name: text}}}
    yield "a name", {text: {"model": "offline"}}
    yield "an unknown field", {"calm": {"model": "offline", text: 1}}
    yield "a default", {"defaults": {"view": text}}
    yield "an address", {"calm": {"model": "x", "base_url": f"http://{text}"}}


def test_agents_are_read_as_fast_whatever_their_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(place: int, text: str) -> None:
        _, found = [*tables(text)][place]
        monkeypatch.setattr(config_files, "read_toml", lambda text: found)
        agents = parse_agents("")
        for entry in agents.agents.values():
            json.dumps([entry.shown, entry.parameters])
        for fault in agents.faults.values():
            clean(without_password(fault), 2000)

    for place, (what, _) in enumerate(tables("")):
        check_slope(what, partial(read, place))


@pytest.mark.parametrize("quote", ['"', "'", '"""'])
def test_toml_is_read_as_fast_whatever_its_texts(quote: str) -> None:
    def read(text: str) -> None:
        kept = json.dumps(text)[1:-1] if '"' in quote else text.replace("'", "").replace("\n", "")
        assert read_toml(f"a = {quote}{kept}{quote}\n")["a"]

    check_slope(quote, read)
