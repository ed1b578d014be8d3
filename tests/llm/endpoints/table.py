"""The endpoints, as docs/endpoints.md describes them: what each takes, and how it says what it does not take."""

from __future__ import annotations

import json
from typing import Any

from tests.llm.endpoints.standin import Endpoint

SAMPLING = frozenset({"temperature", "top_p", "seed", "frequency_penalty", "presence_penalty", "stop"})
FORMATS = {
    "schema": frozenset({"json_schema", "text"}),
    "object": frozenset({"json_object", "text"}),
    "text": frozenset({"text"}),
}
LISTED = {"supported_parameters": ["structured_outputs", "tools", "tool_choice", "reasoning", "temperature", "top_p"]}
"""What OpenRouter lists for a model, whichever of its providers answers."""


def openai(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    """OpenAI and Azure: the field is named."""
    kind = {"token_field": "unsupported_parameter", "refused": "unsupported_parameter", "value": "unsupported_value"}
    return 400, {"error": {"message": words, "type": "invalid_request_error", "param": place, "code": kind.get(str(code))}}


def unnamed(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    """The same object, which names no field."""
    return 400, {"error": {"message": words, "type": "invalid_request_error", "param": None, "code": "invalid_request_error"}}


def behind_openrouter(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    """A provider's own error as text inside OpenRouter's."""
    raw = json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": words}})
    metadata = {"raw": raw, "provider_name": "Anthropic"}
    return 400, {"error": {"message": "Provider returned error", "code": 400, "metadata": metadata}}


def bedrock(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    """Bedrock's error inside OpenRouter's."""
    raw = json.dumps({"message": f"The model returned the following errors: {words}"})
    metadata = {"raw": raw, "provider_name": "Amazon Bedrock"}
    return 400, {"error": {"message": "Provider returned error", "code": 400, "metadata": metadata}}


def google(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    """Google: a list, with the violations as details."""
    details = [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"description": words}]}]
    return 400, [{"error": {"code": 400, "message": words, "status": "INVALID_ARGUMENT", "details": details}}]


def old_vllm(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    return 400, {"object": "error", "message": words, "type": "BadRequestError", "param": None, "code": 400}


def new_vllm(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    return 400, {"error": {"message": words, "type": "BadRequestError", "param": None, "code": 400}}


def llama_cpp(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    return 500, {"error": {"code": 500, "message": words, "type": "server_error"}}


def plain_text(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    return 400, {"error": words}


def pydantic(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    """Mistral: the validation errors of its web framework."""
    detail = [{"type": "extra_forbidden", "loc": ["body", place], "msg": words, "input": 1}]
    return 422, {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error", "param": None, "code": None}


def xai(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    return 400, {"code": "Client specified an invalid argument", "error": words}


def cohere(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    return 422, {"id": "a1", "message": words}


def bare(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    """Nothing is said."""
    return 400, {"error": "Bad Request"}


def page(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    """A proxy's page."""
    return 400, "<html><head><title>400 Bad Request</title></head><body>Bad Request</body></html>"


def nothing(words: str, place: str | None, code: str | None) -> tuple[int, Any]:
    return 422, ""


ENDPOINTS = (
    Endpoint("OpenAI", openai, {"token_field": "Not supported with this model.", "value": "Only the default is supported.",
                                "refused": "Not supported with this model."}, (1, 4),
             token_field="max_completion_tokens", only={"temperature": 1, "top_p": 1}, refuses=frozenset({"seed"})),
    Endpoint("Azure", openai, {"token_field": "Unsupported parameter: '{field}'. Use 'max_completion_tokens' instead.",
                               "refused": "Unsupported parameter: '{field}'."}, (1, 4),
             token_field="max_completion_tokens", refuses=frozenset({"temperature", "top_p", "frequency_penalty"})),
    Endpoint("DeepSeek", unnamed, {"format": "This response_format type is unavailable now",
                                   "choice": "Thinking mode does not support this tool_choice"}, (1, 2),
             formats=FORMATS["object"], forced_beside_reasoning=False),
    Endpoint("Claude behind OpenRouter", behind_openrouter,
             {"format": "output_format: Extra inputs are not permitted",
              "choice": "Thinking may not be enabled when tool_choice forces tool use.",
              "both": "`temperature` and `top_p` cannot both be specified for this model. Please use only one."}, (1, 3),
             formats=FORMATS["text"], forced_beside_reasoning=False, not_both=("temperature", "top_p"), lists=LISTED,
             openrouter=True),
    Endpoint("Claude behind Bedrock", bedrock,
             {"format": "output_config.format: Extra inputs are not permitted", "choice": "tool_choice: not with thinking",
              "both": "`temperature` and `top_p` cannot both be specified for this model.",
              "bound": "max_tokens: {value} > {bound}, which is the maximum for this model"}, (2, 4),
             formats=FORMATS["text"], forced_beside_reasoning=False, not_both=("temperature", "top_p"), lists=LISTED,
             max_reply=2048, openrouter=True),
    Endpoint("Gemini", google, {"unknown": 'Invalid JSON payload received. Unknown name "{field}": Cannot find field.'}, (0, 2),
             knows=frozenset({"temperature", "top_p", "stop", "reasoning_effort", "presence_penalty"})),
    Endpoint("Gemma at Google", google, {"system": "Developer instruction is not enabled for models/gemma-3-27b-it",
                                         "format": "JSON mode is not enabled for models/gemma-3-27b-it",
                                         "tools": "Function calling is not enabled for models/gemma-3-27b-it",
                                         "refused": "Penalty is not enabled for this model"}, (4, 5),
             formats=FORMATS["text"], tools="none", system="refused", refuses=frozenset({"frequency_penalty"})),
    Endpoint("Groq", openai, {"format": "This model does not support response format `{value}`.",
                              "refused": "property '{field}' is unsupported",
                              "bound": "`max_tokens` must be less than or equal to `{bound}`"}, (2, 3),
             formats=FORMATS["object"], refuses=frozenset({"reasoning_effort"}), max_reply=3000),
    Endpoint("vLLM 0.4", old_vllm,
             {"format": "response_format: value is not a valid enumeration member", "tools": "tools: not permitted",
              "context": "This model's maximum context length is {bound} tokens. However, you requested more"
                         " ({prompt} in the messages, {value} in the completion)."}, (4, 4),
             formats=FORMATS["object"], tools="none", context=5000, system="taken"),
    Endpoint("vLLM", new_vllm,
             {"context": "'max_tokens' or 'max_completion_tokens' is too large: {value}. This model's maximum context length is"
                         " {bound} tokens and your request has {prompt} input tokens."}, (1, 1), context=5000),
    Endpoint("Gemma on vLLM", new_vllm, {"system": "System role not supported"}, (1, 1), system="refused"),
    Endpoint("llama.cpp", llama_cpp, {"format": "response_format.type: literal_error, should be json_object",
                                      "tools": "tools param requires --jinja flag: not supported"}, (2, 2),
             formats=FORMATS["object"], tools="none"),
    Endpoint("LM Studio", plain_text, {"choice": "Invalid tool_choice type: 'object'. Supported string values: none, auto"},
             (0, 0), formats=FORMATS["schema"], tools="auto"),
    Endpoint("Ollama", unnamed, {"refused": "\"vendor/model\" does not support thinking"}, (0, 1),
             refuses=frozenset({"reasoning_effort"})),
    Endpoint("Mistral", pydantic, {"unknown": "Extra inputs are not permitted"}, (0, 2),
             knows=frozenset({"temperature", "top_p", "random_seed", "stop", "frequency_penalty", "presence_penalty"})),
    Endpoint("xAI", xai, {"refused": "Model vendor/model does not support parameter reasoningEffort."}, (0, 1),
             refuses=frozenset({"reasoning_effort"})),
    Endpoint("Together", unnamed,
             {"format": "Structured output is turned off for this model.", "tools": "This model takes no tools.",
              "context": "`inputs` tokens + `max_new_tokens` must be <= {bound}. Given: {prompt} `inputs` tokens and {value}"
                         " `max_new_tokens`"}, (4, 4), formats=FORMATS["text"], tools="none", context=5000),
    Endpoint("Cohere", cohere, {"unknown": "unknown parameter: {field}", "choice": "tool_choice takes only required or none",
                                "format": "json_schema is not valid"}, (2, 3),
             formats=FORMATS["object"], tools="auto", knows=SAMPLING),
    Endpoint("Moonshot", unnamed, {"value": "invalid {field}: only one value is allowed for this model",
                                   "choice": "tool_choice 'specified' is incompatible with thinking enabled",
                                   "format": "json_schema: unknown type"}, (1, 4),
             formats=FORMATS["object"], only={"temperature": 1, "top_p": 0.95}, forced_beside_reasoning=False),
    Endpoint("Qwen at Model Studio", unnamed,
             {"stream": "This model only support stream mode, please enable the stream parameter to access the model. "},
             (1, 1), only_streams=True),
    Endpoint("one that says nothing and takes text", bare, {}, (3, 4), formats=FORMATS["text"], tools="none"),
    Endpoint("one that says nothing of parameters", page, {}, (0, 4), knows=frozenset()),
    Endpoint("one that says nothing of either", nothing, {}, (2, 6), knows=frozenset(), formats=FORMATS["object"],
             tools="none"),
    Endpoint("one that says nothing of the bound", bare, {}, (4, 8), max_reply=2500),
    Endpoint("one that says nothing of roles", bare, {}, (6, 10), system="refused"),
    Endpoint("one that drops the system message", bare, {}, (0, 0), system="dropped"),
)  # fmt: skip
