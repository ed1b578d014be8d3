"""Every kind of seat says how it is written, what it is and what it may reach; one that does not say is not trusted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest

import games
from runner.agents.config_files import parse_agents
from runner.agents.environment import Environment
from runner.agents.log_trust import check_logged
from runner.agents.protocol import Agent
from runner.agents.seat_kind import AgentContext, Spec
from runner.agents.settings import SeatSettings
from runner.agents.spec import KINDS, Endpoint, Human, Mcp, Seat, check_spec, describe_seat, forms, is_model, parse_spec
from runner.cli.options import complete_seats
from runner.errors import AccountError, UsageError
from runner.match.header import SeatRecord
from runner.serve.match_host import SeatPolicy
from runner.session.match_spec import MatchSpec, setting_of
from tests.cli.command import ROOT

AGENTS = parse_agents('[ada]\nmodel = "openai/gpt-5-mini"\n[eve]\nmodel = "m"\nbase_url = "http://127.0.0.1:1/v1"\n').agents
SETTINGS = Environment({"OPENROUTER_API_KEY": "k"}, AGENTS)

TEXTS = {
    "Bot": {"bot:steady": None, "bot:search:20000": "time"},
    "Human": {"human": None},
    "Mcp": {"mcp": None},
    "Offline": {"offline": None, "offline/illegal": None},
    "Local": {"gguf:models/small.gguf": "path"},
    "Program": {"cmd:python bot.py": "program"},
    "Function": {"py:mybots:careful": "program"},
    "Endpoint": {"openai/gpt-5-mini": None, "small@http://127.0.0.1:1/v1": "host"},
    "Named": {"ada": None, "eve": "host"},
}
"""Texts of every kind, and what each has this machine do."""

each_text = pytest.mark.parametrize(
    ("kind", "text", "reaches"),
    [(kind.__name__, text, reaches) for kind in KINDS for text, reaches in TEXTS[kind.__name__].items()],
)


@each_text
def test_a_text_is_of_one_kind(kind: str, text: str, reaches: str | None) -> None:
    found = parse_spec(f"{text}+pack:DIR")
    assert (type(found).__name__, found.who, found.pack) == (kind, text, Path("DIR"))
    named = parse_spec(f"bob = {text}")
    assert (type(named).__name__, named.text, named.player) == (kind, text, "bob")


@each_text
def test_a_log_may_seat_what_reaches_nothing_and_no_more(kind: str, text: str, reaches: str | None) -> None:
    spec = parse_spec(text)
    reach = spec.reach(SETTINGS)
    assert (reach and reach.what) == reaches
    outside = Environment(SETTINGS.variables)
    if kind == "Named":
        return  # what agents.toml names is what the settings name
    if reach is None:
        check_logged({0: spec}, [], outside)
        return
    with pytest.raises(AccountError, match="only the log names") as refusal:
        check_logged({0: spec}, [], outside)
    assert refusal.value.sentence.count(reach.words) == 1
    check_logged({0: spec}, [spec], outside)


@each_text
def test_only_models_have_settings(kind: str, text: str, reaches: str | None) -> None:
    spec = parse_spec(text)
    if kind == "Local":
        return  # tests/local describes files
    seat = describe_seat(spec, SETTINGS, SeatSettings(reason="never"))
    assert (seat.settings.reason == "never") is is_model(spec)
    assert Seat.logged(seat.to_json()).to_json() == seat.to_json()
    assert seat.kind in (SeatRecord.__doc__ or "") + (ROOT / "docs" / "log.schema.json").read_text(encoding="utf-8")


def test_people_read_of_every_kind() -> None:
    listed = setting_of(MatchSpec, "seats").help
    with pytest.raises(UsageError) as refusal:
        check_spec(parse_spec("nobody"), games.load("coup"), Environment())
    page = (ROOT / "docs" / "seats.md").read_text(encoding="utf-8")
    for form in forms():
        assert form in listed
        assert form in str(refusal.value)
        assert form.removeprefix("a model such as ").partition(":")[0].partition("@")[0].lower() in page.lower()
    assert [kind for kind in KINDS if not kind.forms] == [Mcp, KINDS[-1]]


def test_the_shell_completes_every_kind_that_has_words() -> None:
    class Context:
        info_name = "coup"

    found = complete_seats(Context(), "")  # type: ignore[arg-type]  # the one field of it that is read
    for kind in KINDS:
        assert {*kind.completions([games.load("coup")])} <= {*found}
    assert {"bot:steady", "human", "offline", "gguf:", "cmd:", "py:"} <= {*found}


@dataclass(frozen=True, slots=True)
class Oracle(Spec):
    """A kind that says no more than it has to, and is in no list."""

    kind = "oracle"

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self:
        return cls(text, pack)

    async def make(self, settings: SeatSettings, seat: int, context: AgentContext) -> Agent:
        raise AssertionError


def test_an_unlisted_kind_is_no_model_and_is_not_trusted() -> None:
    oracle = Oracle("oracle:delphi", None)
    assert not is_model(oracle)
    with pytest.raises(AccountError, match='only the log names "oracle:delphi": nothing was done'):
        check_logged({0: oracle}, [], SETTINGS)
    with pytest.raises(UsageError, match="P-0 cannot be"):
        SeatPolicy(asked=Human, needs_client=False, has_budget=True).check([oracle], SETTINGS)
    assert describe_seat(oracle, SETTINGS, SeatSettings(belief=True)).settings.belief is False


def kinds(found: type[Spec] = Spec) -> Iterable[type[Spec]]:
    for kind in found.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_kind_of_the_package_is_listed() -> None:
    own = {kind.__name__ for kind in kinds() if kind.__module__.startswith("runner.") and not kind.__abstractmethods__}
    assert own == {kind.__name__ for kind in KINDS} == {*TEXTS}
    assert isinstance(parse_spec("openrouter/openai/gpt-5-mini"), Endpoint)
