"""Model files: the header, the digest, the room in memory, and one sentence for what is no model."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from runner.agents.environment import Environment
from runner.agents.model_agent import LlmAgent
from runner.agents.model_seats import Local
from runner.agents.protocol import DecisionRequest
from runner.errors import AccountError
from runner.llm.client import Client
from runner.llm.request import AnswerForm
from runner.local import local_model
from runner.local.local_model import GgufError, GgufHeader, LocalModel, ModelFile, read_header, server_plan
from runner.prompting.pack import PromptPack
from tests.local.support import new_model, without_template
from tools.conformance.tiny_gguf import CONTEXT

LLAMA_8B = {
    "general.architecture": "llama",
    "llama.context_length": 8192,
    "llama.block_count": 32,
    "llama.embedding_length": 4096,
    "llama.attention.head_count": 32,
    "llama.attention.head_count_kv": 8,
}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_model(tmp_path_factory.mktemp("model"))


def of_size(size: int, **facts: int) -> ModelFile:
    known = {**LLAMA_8B, **{f"llama.{name}": value for name, value in facts.items()}}
    return ModelFile(Path("llama.gguf"), size, "0" * 64, GgufHeader(known))


def test_the_header_of_a_model(tiny: Path) -> None:
    header = read_header(tiny)
    assert (header.context, header.has_template) == (CONTEXT, True)
    assert header.cache_bytes == 1 * 4 * (8 + 8) * 2
    assert "tokenizer.ggml.model" in header.facts


def test_a_cache_takes_the_bytes_of_all_key_value_heads() -> None:
    assert GgufHeader(LLAMA_8B).cache_bytes == 32 * 8 * (128 + 128) * 2
    by_layer = {**LLAMA_8B, "llama.attention.head_count_kv": (8, 0, 0, 8)}
    assert GgufHeader(by_layer).cache_bytes == 16 * 256 * 2


@settings(max_examples=20)
@given(st.data())
def test_a_file_that_ends_early_is_no_model(tiny: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    whole = tiny.read_bytes()
    cut = tmp_path_factory.getbasetemp() / "cut.gguf"
    cut.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 20_000))])
    with pytest.raises(GgufError, match=r"cut off|no GGUF file"):
        read_header(cut)


@given(st.binary(max_size=200))
def test_no_header_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "junk.gguf"
    path.write_bytes(b"GGUF" + junk)
    with pytest.raises(GgufError):
        read_header(path)


def test_parts_of_a_model_are_one_file(tmp_path: Path) -> None:
    first = new_model(tmp_path, "big-00001-of-00002.gguf")
    with pytest.raises(GgufError, match=r"part big-00002-of-00002\.gguf does not exist"):
        local_model.model_file(first)
    new_model(tmp_path, "big-00002-of-00002.gguf", seed=2)
    whole = local_model.model_file(first)
    assert whole.size == 2 * first.stat().st_size
    new_model(tmp_path, "big-00002-of-00002.gguf", seed=3)
    assert local_model.model_file(first).sha256 != whole.sha256


def test_the_digest_of_a_large_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = new_model(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(local_model, "_LARGE", 1000)
    known = local_model.model_file(path).sha256
    cache = tmp_path / "cache" / "tabletop" / "digests.json"
    assert json.loads(cache.read_text())[str(path)][-1] == known
    local_model._model_file.cache_clear()
    monkeypatch.setattr(local_model, "file_digest", None)
    assert local_model.model_file(path).sha256 == known
    monkeypatch.undo()
    new_model(tmp_path, seed=2)
    assert local_model.model_file(path).sha256 != known


def test_an_unreadable_cache_is_as_good_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(local_model, "_LARGE", 1000)
    (tmp_path / "tabletop").mkdir()
    for text in ("[]", "{", '{"x": 3}'):
        (tmp_path / "tabletop" / "digests.json").write_text(text)
        local_model._model_file.cache_clear()
        assert len(local_model.model_file(new_model(tmp_path)).sha256) == 64


def test_slots_for_all_seats_as_far_as_memory_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    model = LocalModel(of_size(5 * 10**9))
    slots = []
    for free in (6.5, 7.5, 20):
        monkeypatch.setattr(local_model, "free_memory", lambda free=free: int(free * 1e9))
        slots.append(server_plan(model, 4000, 1024, 6).slots)
    assert slots == [1, 3, 4]
    assert server_plan(model, 4000, 1024, 6).context == 5120


def test_layers_with_a_sliding_window_keep_all_tokens_where_memory_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model, kept = LocalModel(of_size(10**9, **{"attention.sliding_window": 1024})), []
    for free in (1.7, 4):
        monkeypatch.setattr(local_model, "free_memory", lambda free=free: int(free * 1e9))
        kept.append(server_plan(model, 4000, 1024, 4))
    assert [(plan.slots, plan.keeps_all) for plan in kept] == [(4, False), (4, True)]
    assert not server_plan(LocalModel(model.file, gpu_layers=99), 4000, 1024, 4).keeps_all


def test_a_base_model_is_shown_how_an_answer_looks(tmp_path: Path) -> None:
    model = Local("gguf:", None, without_template(new_model(tmp_path))).as_model(Environment())
    state = games.load("coup").begin(players=2, seed=1)
    ask = DecisionRequest.of(state, state.pending[0])
    agent = LlmAgent(Client(), model, AnswerForm.TEXT, PromptPack())
    told = agent.messages(ask, agent.question(ask))[-1]["content"]
    assert told.endswith(
        '"action": "foreign aid", "target": "P-1"}\n```\n```json\n{"reason": "…", "action": "tax", "target": "none"}\n```'
    )
    assert 'that each field can have:\n```json\n{"reason": "…", "action": "income"' in told
    assert '"properties"' not in told
    assert model.parameters == {"stop": ["```"]}


def test_too_little_memory_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_model, "free_memory", lambda: 4 * 10**9)
    with pytest.raises(AccountError, match=r"llama\.gguf needs 5\.9 GB of memory with 5,120 tokens of context, and 4\.0 GB is"):
        server_plan(LocalModel(of_size(5 * 10**9)), 4000, 1024, 1)
    assert server_plan(LocalModel(of_size(5 * 10**9), gpu_layers=99), 4000, 1024, 1).gpu_layers == 99


def test_a_context_that_prompts_do_not_fit_is_a_sentence() -> None:
    with pytest.raises(AccountError, match="has a context of 2,048 tokens, and prompts of this match may have 4,000"):
        server_plan(LocalModel(of_size(10**6, context_length=2048)), 4000, 1024, 1)


def test_settings_of_agents_win() -> None:
    plan = server_plan(LocalModel(of_size(10**6), context=3000, threads=3, parallel=7), 9000, 1024, 1)
    assert (plan.context, plan.slots, plan.threads) == (3000, 7, 3)


def test_memory_of_a_container_is_what_its_group_leaves(tmp_path: Path) -> None:
    for name, text in {"max": "1000", "current": "800", "stat": "anon 500\nfile 300\nfile_mapped 7\n"}.items():
        (tmp_path / f"memory.{name}").write_text(text)
    assert local_model._left_in_group(tmp_path) == 500
    (tmp_path / "memory.max").write_text("max\n")
    assert local_model._left_in_group(tmp_path) is None


def test_this_machine_has_memory() -> None:
    free = local_model.free_memory()
    assert free is None or 0 < free < os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
