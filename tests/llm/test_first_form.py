"""The form of answers that a model is first asked for."""

from __future__ import annotations

import pytest

from runner.llm.negotiation import first_form
from runner.llm.request import OPENROUTER, AnswerForm, Model

ALL = frozenset({"structured_outputs", "tools", "response_format"})


@pytest.mark.parametrize(
    ("name", "url", "supported", "form"),
    [
        ("openai/gpt-5-mini", OPENROUTER, ALL, AnswerForm.JSON_OBJECT),
        ("anthropic/claude-sonnet-4.5", OPENROUTER, ALL - {"response_format"}, AnswerForm.TEXT),
        ("gpt-5-mini", "https://api.openai.com/v1", None, AnswerForm.JSON_OBJECT),
        ("google/gemini-2.5-flash", OPENROUTER, ALL, AnswerForm.STRICT_SCHEMA),
        ("openai/gpt-oss-20b", "http://127.0.0.1:8000/v1", None, AnswerForm.STRICT_SCHEMA),
        ("x/y", OPENROUTER, frozenset({"tools"}), AnswerForm.TOOL),
    ],
)
def test_a_provider_that_reads_the_schema_first_gets_it_in_the_prompt(
    name: str, url: str, supported: frozenset[str] | None, form: AnswerForm
) -> None:
    assert first_form(Model(name, url, "", "none"), supported) is form
