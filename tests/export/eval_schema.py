"""What Every Eval Ever (schema 0.3.0) demands of a record, in our words: which fields there are, of what type, and which of
them have to be there. Maps of details hold texts alone."""

from __future__ import annotations

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
TEXTS: dict[str, Any] = {"type": "object", "additionalProperties": TEXT}


def record(needed: str, **fields: Any) -> dict[str, Any]:
    """An object with fields of these types, or texts; `needed` have to be there."""
    names = dict.fromkeys(needed.split(), TEXT)
    return {"type": "object", "properties": names | fields, "required": needed.split(), "additionalProperties": False}


def one_of(*words: str) -> dict[str, Any]:
    return {"enum": [*words]}


BOUND = {"anyOf": [NUMBER, one_of("Infinity", "-Infinity")]}
SOURCE = record("dataset_name source_type", source_type=one_of("other"), additional_details=TEXTS)
METRIC = record(
    "lower_is_better score_type min_score max_score metric_id metric_name metric_unit",
    lower_is_better={"type": "boolean"},
    score_type=one_of("continuous"),
    min_score=BOUND,
    max_score=BOUND,
)
INTERVAL = record("lower upper confidence_level method", lower=NUMBER, upper=NUMBER, confidence_level=NUMBER)
SCORE = record(
    "score",
    score=NUMBER,
    uncertainty=record("confidence_interval num_samples", confidence_interval=INTERVAL, num_samples={"type": "integer"}),
)
RESULT = record(
    "evaluation_name source_data metric_config score_details evaluation_result_id generation_config",
    source_data=SOURCE,
    metric_config=METRIC,
    score_details=SCORE,
    generation_config=record("additional_details", additional_details=TEXTS),
)
DETAILS = {
    "type": "object",
    "properties": {
        "deployment_type": one_of("self_deployed", "externally_managed", "unknown"),
        "model_availability": one_of("open_weights", "closed_weights", "unknown"),
    },
    "required": ["deployment_type", "model_availability"],
    "additionalProperties": TEXT,
}
ORIGIN = record(
    "source_type source_organization_name evaluator_relationship source_name",
    source_type=one_of("documentation", "evaluation_run"),
    evaluator_relationship=one_of("first_party", "third_party", "collaborative", "other"),
)
EVALUATION = record(
    "schema_version evaluation_id evaluation_timestamp retrieved_timestamp source_metadata eval_library model_info"
    " evaluation_results",
    schema_version=one_of("0.3.0"),
    retrieved_timestamp={"type": "string", "pattern": "^[0-9]+$"},
    source_metadata=ORIGIN,
    eval_library=record("name version"),
    model_info=record("name id developer additional_details", id={"type": "string", "pattern": "^[^/]+/.+"},
                      additional_details=DETAILS),
    evaluation_results={"type": "array", "items": RESULT, "minItems": 1},
)  # fmt: skip
