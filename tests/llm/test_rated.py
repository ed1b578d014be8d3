"""Rated play: what it refuses beforehand. test_failures.py has its checks of replies."""

from __future__ import annotations

from typing import Any

import pytest

from runner.llm.rated import objections
from tests.llm.support import model

OPENROUTER = "https://openrouter.ai/api/v1"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "~vendor/model-latest"}, "itself"),
        ({"name": "openrouter/auto"}, "itself"),
        ({"name": "vendor/model:floor"}, ":floor"),
        ({"parameters": {"models": ["vendor/other"]}}, "models"),
        ({"parameters": {"provider": {"allow_fallbacks": True}}}, "allow_fallbacks"),
        ({"parameters": {"plugins": [{"id": "response-healing"}]}}, "response-healing"),
    ],
)
def test_refused(changes: dict[str, Any], words: str) -> None:
    (objection,) = objections(model(OPENROUTER, **changes))
    assert words in objection


@pytest.mark.parametrize(
    ("base_url", "changes"),
    [
        (OPENROUTER, {}),
        (OPENROUTER, {"parameters": {"provider": {"only": ["acme/fp8"], "quantizations": ["fp8"]}, "seed": 1}}),
        (OPENROUTER, {"name": "vendor/model:thinking"}),
        ("http://127.0.0.1:11434/v1", {"name": "qwen3:14b"}),
    ],
)
def test_can_be_rated(base_url: str, changes: dict[str, Any]) -> None:
    assert objections(model(base_url, **changes)) == ()
