"""Rated play: what it refuses beforehand, and which names are the same model's. test_failures.py has its checks of replies."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.llm.client import Client
from runner.llm.outcome import Delivered
from runner.llm.request import AnswerForm
from runner.llm.wire.exchange import is_other, is_same_model, objections
from tests.llm.odd_server import OddServer, completion, reply
from tests.llm.support import ask_with, model, request

OPENROUTER = "https://openrouter.ai/api/v1"

NAME = "vendor/model-4"
OTHERS = (
    "-1",
    "-4-1",
    "-mini",
    "-20260105-mini",
    "-2026",
    "-12345",
    "-1234567",
    "-2026-01",
    "-2026-01-05-06",
    ".1",
    "1",
    "-",
    " x",
)
SUFFIXES = ("free", "nitro", "floor", "exacto", "online", "extended", "beta", "new")
ROUTERS = ("openrouter/auto", "openrouter/free", "openrouter/auto-beta", "switchpoint/router", "auto", "azure/model-router")
FIELDS = ("models", "route", "fallbacks", "preset", "transforms", "plugins", "web_search_options")


def in_any_case(words: tuple[str, ...]) -> st.SearchStrategy[str]:
    """One of the words, each letter in either case."""
    return st.tuples(st.sampled_from(words), st.integers(0, 2**30)).map(
        lambda drawn: "".join(c.upper() if drawn[1] >> place % 30 & 1 else c for place, c in enumerate(drawn[0]))
    )


@given(in_any_case(SUFFIXES))
def test_no_suffix_chooses_the_route(suffix: str) -> None:
    (objection,) = objections(model(OPENROUTER, name=f"{NAME}:{suffix}"))
    assert f":{suffix.lower()}" in objection
    assert not is_same_model(NAME, f"{NAME}:{suffix}")


@given(in_any_case((*ROUTERS, "~vendor/model-latest", "~vendor/model", "vendor/model-latest", "vendor/model-latest:thinking")))
def test_no_router_and_no_alias_is_a_model(name: str) -> None:
    assert any("name the model itself" in objection for objection in objections(model(OPENROUTER, name=name)))


@pytest.mark.parametrize("name", ["@preset/mine", "vendor/model@preset/mine", "vendor/model@Preset/mine"])
def test_presets_are_refused(name: str) -> None:
    assert [*objections(model(OPENROUTER, name=name))]


@given(in_any_case(FIELDS), st.sampled_from((OPENROUTER, "http://127.0.0.1:8000/v1")))
def test_fields_that_change_the_game_are_refused(field: str, base_url: str) -> None:
    (objection,) = objections(model(base_url, parameters={field: ["x"]}))
    assert f'"{field}"' in objection


def test_fallbacks_are_refused() -> None:
    (objection,) = objections(model(OPENROUTER, parameters={"provider": {"allow_fallbacks": True}}))
    assert "allow_fallbacks" in objection


@pytest.mark.parametrize(
    ("base_url", "changes"),
    [
        (OPENROUTER, {}),
        (OPENROUTER, {"parameters": {"provider": {"only": ["acme/fp8"], "quantizations": ["fp8"]}, "seed": 1}}),
        (OPENROUTER, {"name": "vendor/model:thinking"}),
        ("http://127.0.0.1:11434/v1", {"name": "qwen3:14b"}),
        ("http://127.0.0.1:11434/v1", {"name": "qwen3:latest"}),
    ],
)
def test_can_be_rated(base_url: str, changes: dict[str, Any]) -> None:
    assert [*objections(model(base_url, **changes))] == []


@given(st.sampled_from(("", "-260105", "-20260105", "-2026-01-05")), in_any_case((NAME,)))
def test_a_date_behind_the_name_is_the_same_model(date: str, name: str) -> None:
    assert is_same_model(NAME, name + date)
    assert is_same_model(NAME, (name + date).rpartition("/")[2])
    assert is_same_model(f"{NAME}:thinking", name + date)


@given(in_any_case(OTHERS), st.sampled_from(("", "-20260105")))
def test_a_version_behind_the_name_is_another_model(more: str, date: str) -> None:
    assert not is_same_model(NAME, NAME + more)
    assert not is_same_model(NAME, NAME + more + date)
    assert not is_same_model(NAME + more, NAME)


@pytest.mark.parametrize(
    ("asked", "answered"), [("qwen3:14b", "qwen3"), ("qwen3:14b", "qwen3:8b"), (NAME, "x/model-4"), (NAME, "")]
)
def test_a_tag_or_a_vendor_is_part_of_the_name(asked: str, answered: str) -> None:
    assert not is_same_model(asked, answered)


def test_the_canonical_name_of_the_list_is_taken() -> None:
    rated = model(OPENROUTER, name="vendor/model-4", rated=True)
    assert is_other(rated, "vendor/model-4-exp-0105", "Acme")
    assert not is_other(rated, "vendor/model-4-exp-0105", "Acme", "vendor/model-4-exp-0105")
    assert is_other(rated, "vendor/model-4-exp-0106", "Acme", "vendor/model-4-exp-0105")


async def test_the_list_of_the_endpoint_names_it() -> None:
    listed = {"data": [{"id": "vendor/model", "canonical_slug": "vendor/model-exp-0105"}]}
    played = reply(completion(model="vendor/model-exp-0105"))
    async with OddServer([played], pages={"/models": listed}) as server, Client() as client:
        rated = model(server.base_url, rated=True)
        await client.choose_form(rated)
        assert isinstance((await ask_with(client, request(rated, AnswerForm.JSON_OBJECT))).end, Delivered)
