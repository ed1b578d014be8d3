"""Refusals in words and shapes of many kinds: errors as endpoints send them, and what each is about."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runner.llm.outcome import Outcome
from runner.llm.wire.exchange import Exchange
from runner.llm.wire.replies import classify
from tests.llm.support import model

Shape = Callable[[dict[str, Any]], Any]

PARAMETERS = {"temperature": 0.7, "top_p": 0.9, "seed": 1, "min_p": 0.1, "reasoning_effort": "low"}
STRICT = {"response_format": {"type": "json_schema"}}
TOOL = {"tools": [{}], "tool_choice": {"type": "function"}}
MESSAGES = [{"role": "system", "content": "s" * 4000}, {"role": "user", "content": "u" * 3200}]
LETTERS = 7200
"""About 1,800 tokens, as several of the sentences say."""


@dataclass(frozen=True)
class Wording:
    """A sentence and the part of a request it is about. `form` is what was sent, `bound` the bound on the reply."""

    says: str
    about: Any
    form: str = "strict"
    bound: int = 4096

    def __str__(self) -> str:
        return self.says[:60]


def body(form: str = "strict", bound: int = 4096, **parameters: Any) -> dict[str, Any]:
    fields = {"strict": STRICT, "tool": TOOL, "object": {"response_format": {"type": "json_object"}}, "text": {}}[form]
    return {"model": "vendor/model", "messages": MESSAGES, "max_tokens": bound, **(parameters or PARAMETERS), **fields}


def outcome(document: Any, asked: dict[str, Any], status: int = 400) -> Outcome:
    text = document if isinstance(document, str) else json.dumps(document)
    return classify(status, {}, text, Exchange(model("http://127.0.0.1:1/v1"), asked, LETTERS, 0.1, 0.0))


def _behind(error: dict[str, Any]) -> dict[str, Any]:
    return {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": json.dumps(error)}}}


SHAPES: dict[str, Shape] = {
    "openai": lambda error: {"error": error},
    "flat": lambda error: {"object": "error", **error},
    "google": lambda error: [{"error": {"code": 400, "status": "INVALID_ARGUMENT", **error}}],
    "text": lambda error: {"error": error["message"], **{name: error[name] for name in error if name != "message"}},
    "behind": lambda error: _behind({"type": "error", "error": error}),
    "behind, as an object": lambda error: {
        "error": {"message": "Upstream", "code": 400, "metadata": {"raw": {"error": error}}}
    },
    "behind twice": lambda error: _behind({"message": json.dumps(error)}),
    "in a sentence": lambda error: {"error": {"message": f"litellm.BadRequestError: {json.dumps({'error': error})}. Group=x"}},
    "as Python prints it": lambda error: {"message": f"Error code: 400 - { ({'error': error})!r}"},
    "a list of sentences": lambda error: {"error": {**error, "message": [error["message"], "see the manual"]}},
    "fault": lambda error: {"fault": {**error, "faultstring": error["message"], "message": None}},
    "detail": lambda error: {"detail": error},
    "details": lambda error: {"detail": [{"type": "value_error", "loc": ["body"], "msg": error["message"], **error}]},
}

WORDINGS = [
    Wording("This deployment cannot do schema constrained decoding.", "response_format"),
    Wording("json_schema: no such variant", "response_format"),
    Wording("JSON mode is switched off here", "response_format", "object"),
    Wording("Structured outputs are in a private preview", "response_format"),
    Wording("output_config.format: Extra inputs are not permitted", "response_format"),
    Wording("The grammar could not be compiled", "response_format"),
    Wording("output_config: Extra inputs are not permitted", "response_format"),
    Wording("Unknown name 'additionalProperties' at 'generation_config.response_schema'.", "response_format"),
    Wording("Failed to compile: xgrammar does not support 'maxLength'", "response_format"),
    Wording("Function calling is not part of this plan", "tools", "tool"),
    Wording("tools.0.custom.strict: Extra inputs are not permitted", "tools", "tool"),
    Wording("Thinking may not be enabled when tool_choice forces tool use.", "tool_choice", "tool"),
    Wording("Extended thinking cannot be combined with forced tool calls", "tool_choice", "tool"),
    Wording("tool_choice 'specified' is incompatible with thinking enabled", "tool_choice", "tool"),
    Wording("reasoning models do not force functions", "tool_choice", "tool"),
    Wording("Sampling with min_p needs another plan", "min_p"),
    Wording("invalid temperature: only 1 is allowed for this model", "temperature"),
    Wording("This one only runs at its default temperature of 1.", "temperature"),
    Wording("`top_p` has to stay at its default", "top_p"),
    Wording('Unknown name "seed": Cannot find field.', "seed"),
    Wording("Model vendor/model does not support parameter reasoningEffort.", "reasoning_effort"),
    Wording("reasoning.effort: Input should be 'high'", "reasoning_effort"),
    Wording("This model has no thinking mode", "reasoning_effort"),
    Wording("Developer instruction is not enabled for models/gemma-3-27b-it", "system"),
    Wording("System role not supported", "system"),
    Wording("Conversation roles must alternate user/assistant/user/assistant/...", "system"),
    Wording("This template has no place for a system prompt", "system"),
    Wording("Only user and assistant roles are known here", "system"),
    Wording("Unexpected message: 'system'", "system"),
    Wording("max_tokens: 4096 > 2048, which is the maximum allowed number of output tokens for this model", 2048),
    Wording("max_tokens is too large: 9000. This model supports at most 4096 completion tokens, not 9000.", 4096, bound=9000),
    Wording("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8192, bound=9000),
    Wording("The maximum tokens you requested exceeds the model limit of 2,048.", 2048),
    Wording("`max_tokens` has to be less than or equal to `1024`", 1024),
    Wording("Expected a value >= 16 for max_tokens: below the minimum", 16, bound=8),
    Wording("'max_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 1800"
            " input tokens (4096 > 4096 - 1800).", 2296),
    Wording("This model's maximum context length is 4096 tokens. However, you requested 5896 tokens (1800 in the messages, 4096"
            " in the completion).", 2296),
    Wording("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 1800 `inputs` tokens and 4096 `max_new_tokens`", 2296),
    Wording("input length and `max_tokens` exceed context limit: 1800 + 4096 > 4500, decrease input length", 2700),
    Wording("The prompt (1,800 tokens) and the 4,096 output tokens do not fit the context of 5,000", 3200),
]  # fmt: skip
