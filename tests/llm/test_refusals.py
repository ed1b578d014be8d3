"""What an error is about, whatever its sentence and shape: structured fields first, then words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.llm.outcome import UNEXPLAINED, Configuration, Delivered, Infrastructure, Refused
from tests.llm.refusals import PARAMETERS, SHAPES, WORDINGS, Wording, body, outcome

_KEYS = st.sampled_from(["error", "message", "param", "code", "type", "detail", "metadata", "raw", "loc", "failed_generation"])
SENTENCES = st.sampled_from(["no", "Bad Request", "Ungültige Anfrage", "参数错误", "", "We could not process this."])
FILLERS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["invalid_request_error", "BadRequestError", None]),
        "code": st.sampled_from([None, 400, "400", "invalid_value"]),
        "request_id": st.text(max_size=8),
        "details": st.sampled_from([None, [], {}, [None]]),
    },
)


def refused(document: Any, asked: dict[str, Any], status: int = 400) -> Refused:
    found = outcome(document, asked, status)
    assert isinstance(found, Configuration), found
    assert found.refused is not None, found
    return found.refused


def about(found: Refused) -> Any:
    room = found.room.bound if found.room else None
    return room or (found.system and "system") or found.form or next(iter(found.parameters), None)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wording", WORDINGS, ids=str)
def test_words_in_every_shape(wording: Wording, shape: str) -> None:
    error = {"message": wording.says, "type": "invalid_request_error", "param": None, "code": None}
    assert about(refused(SHAPES[shape](error), body(wording.form, wording.bound))) == wording.about


@given(
    st.sampled_from(sorted(PARAMETERS)),
    st.sampled_from(["{}", "body.{}", "{}.value", "parameters.{}"]),
    st.sampled_from(["param", "parameter", "field", "loc", "path"]),
    st.sampled_from(sorted(SHAPES)),
    SENTENCES,
    FILLERS,
)
def test_exactly_the_parameter_that_a_field_names(
    name: str, place: str, key: str, shape: str, sentence: str, more: dict[str, Any]
) -> None:
    place = place.format(name)
    error = {"message": sentence, **more, key: place.split(".") if key in ("loc", "path") else place}
    assert refused(SHAPES[shape](error), body()).parameters == {name}


@given(st.sampled_from(["messages[0].role", "messages.0.role", "systemInstruction", "system"]), st.sampled_from(sorted(SHAPES)))
def test_a_field_that_names_the_system_message(place: str, shape: str) -> None:
    assert refused(SHAPES[shape]({"message": "no", "param": place}), body()).system


@pytest.mark.parametrize("place", ["response_format", "response_format.type", "generationConfig.responseSchema", "guided_json"])
def test_a_field_that_names_the_form(place: str) -> None:
    assert refused({"error": {"message": "no", "param": place}}, body()).form == "response_format"


def test_all_fields_of_a_validation_error() -> None:
    places = (["body", "response_format", "type"], ["body", "temperature"], ["body", "min_p"])
    found = refused({"detail": [{"loc": place, "msg": "x", "input": {"seed": 1}} for place in places]}, body(), 422)
    assert found == Refused(form="response_format", parameters=frozenset({"temperature", "min_p"}))


@pytest.mark.parametrize("name", ["temperature", "reasoning_effort"])
@pytest.mark.parametrize("sentence", ["tools are great", "max_tokens", "the system role", "response_format", "model not found"])
def test_a_field_counts_before_any_sentence(name: str, sentence: str) -> None:
    error = {"message": sentence, "param": name, "code": "unsupported_value"}
    assert refused({"error": error}, body()).parameters == {name}


NOTHING_SAID: list[Any] = [
    {"error": "Bad Request"},
    {"message": "Bad Request"},
    {"detail": "Bad Request"},
    {"detail": [{"loc": ["body"], "msg": "x"}]},
    {"error": {"message": "", "param": None}},
    {"error": {"message": "The request was refused", "param": "temperature_curve"}},
    {"error": None},
    {},
    [],
    "bad request",
    "",
    "<html><title>400</title></html>",
    7,
    None,
]


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize("document", NOTHING_SAID, ids=str)
def test_nothing_said_is_unexplained(document: Any, status: int) -> None:
    assert refused(document, body(), status) == UNEXPLAINED


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=30),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS | st.text(max_size=6), inner, max_size=5),
        max_leaves=12,
    ),
    st.sampled_from([200, 400, 422, 500, 501]),
)
def test_any_body_has_an_outcome(document: Any, status: int) -> None:
    outcome({"error": document} if status == 200 else document, body(), status)


@pytest.mark.parametrize(
    "error",
    [
        {"message": "The model `vendor/model` has been taken down", "code": "model_decommissioned"},
        {"message": "vendor/model is not a valid model ID", "code": 400},
        {"message": "vendor/model has been deprecated: the model is gone", "type": "invalid_request_error"},
        {"message": "no", "type": "invalid_model"},
        {"message": "no", "code": "DeploymentNotFound"},
        {"message": "model: vendor/model", "type": "not_found_error"},
        {"message": "Model vendor/model is no longer available"},
    ],
)
@pytest.mark.parametrize("shape", ["openai", "flat", "behind", "detail"])
def test_a_model_that_is_not_there(error: dict[str, Any], shape: str) -> None:
    found = outcome(SHAPES[shape](error), body())
    assert isinstance(found, Configuration)
    assert found.kind == "no_such_model"


@pytest.mark.parametrize("shape", sorted(SHAPES))
@pytest.mark.parametrize("code", ["json_validate_failed", "tool_use_failed", None])
def test_words_of_the_model_inside_an_error_are_its_answer(shape: str, code: str | None) -> None:
    error = {"message": "Failed to validate", "code": code, "failed_generation": '{"card": "owl'}
    document = SHAPES[shape](error)
    found = outcome(document, body())
    assert isinstance(found, Delivered)
    assert found.reply.text == '{"card": "owl'
    assert not found.reply.is_complete
    assert found.reply.usage.total > 0


@pytest.mark.parametrize("words", ["", "   ", None])
def test_an_error_without_words_of_the_model_is_no_answer(words: str | None) -> None:
    error = {"message": "Failed to generate JSON", "code": "json_validate_failed", "failed_generation": words}
    assert refused({"error": error}, body()).form == "response_format"


@pytest.mark.parametrize(
    ("words", "is_refusal"),
    [
        ("literal_error: json_schema must be json_object", True),
        ("temperature: unknown", True),
        ("failed to parse grammar", True),
        ("Error rendering prompt with template: a system role", True),
        ("worker died", False),
    ],
)
def test_a_500_refuses_where_it_says_so(words: str, is_refusal: bool) -> None:
    found = outcome({"error": {"message": words}}, body(), 500)
    assert isinstance(found, Configuration if is_refusal else Infrastructure)


ACCOUNT = [
    ({"message": "Your credit balance is too low to access the API. Please purchase credits."}, "no_credit"),
    ({"message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}, "key_refused"),
    ({"message": "no", "details": [{"reason": "API_KEY_INVALID"}]}, "key_refused"),
    ({"message": "User location is not supported for the API use."}, "region_restricted"),
]


@pytest.mark.parametrize(("error", "kind"), ACCOUNT)
def test_an_account_refused_by_words_alone(error: dict[str, Any], kind: str) -> None:
    found = outcome({"error": {"code": 400, **error}}, body())
    assert isinstance(found, Configuration)
    assert (found.kind, found.refused) == (kind, None)


def test_a_model_that_is_gone() -> None:
    found = outcome({"error": {"message": "end of life"}}, body(), 410)
    assert isinstance(found, Configuration)
    assert found.kind == "no_such_model"


def test_what_is_not_implemented_is_unexplained() -> None:
    assert refused({"error": {"message": "no"}}, body(), 501) == UNEXPLAINED


def test_a_403_with_a_field_refuses_that_part() -> None:
    assert refused({"error": {"message": "Not on your plan", "param": "temperature"}}, body(), 403).parameters == {
        "temperature"
    }


def test_a_500_with_a_field_refuses() -> None:
    assert refused({"detail": [{"loc": ["body", "min_p"], "msg": "?"}]}, body(), 500).parameters == {"min_p"}


def test_a_prompt_that_leaves_no_room_is_too_long() -> None:
    words = "This model's maximum context length is 1024 tokens, your request has 1800 input tokens"
    found = outcome({"error": {"message": words, "code": "context_length_exceeded"}}, body())
    assert isinstance(found, Configuration)
    assert found.kind == "context_length"
