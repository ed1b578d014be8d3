"""Every known failure of an endpoint, with its test.

`python -m tests.llm.failure_table` writes the strikes into docs/endpoints.md. A row: what is seen, whose failure
it is, what tabletop does, and where that is tested. A test without a file is a name of those in failures.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parents[2] / "docs/endpoints.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of the table -->\n"


class Row(NamedTuple):
    """A known failure. `who`: I infrastructure, M the model, C configuration or account, - no failure."""

    seen: str
    who: str
    does: str
    test: str


ROWS = (
    Row(
        "Connection refused, unknown host, TLS failure",
        "I",
        "retries, then pauses",
        "test_failures.py::test_name_that_does_not_resolve",
    ),
    Row("Connection reset, body shorter than announced", "I", "retries", "body shorter than announced"),
    Row("No byte before the time limit", "I", "retries", "no bytes"),
    Row("Blanks for ever", "I", "ends the attempt at the time limit, retries", "blanks without end"),
    Row("Empty or blank body", "I", "retries", "blank body"),
    Row("Body that is not complete JSON", "I", "retries", "half an envelope"),
    Row("Web page instead of JSON", "I", "retries", "web page, 502"),
    Row("429 inside a 200", "I", "waits, retries", "429 inside a 200"),
    Row("502, 503, 504, 524 or 529 inside a 200", "I", "retries", "529 inside a 200"),
    Row("`choices` null or empty", "I", "retries", "choices null"),
    Row("Completion nested under `provider`", "-", "reads the inner one", "nested under provider"),
    Row("`error` inside a choice", "I", "discards the partial answer, retries", "error in a choice"),
    Row("Error event in a stream", "I", "retries", "error in a stream"),
    Row("Stream without an end", "I", "retries, reads nothing of it", "stream without an end"),
    Row("429 with Retry-After", "I", "holds all calls to the model that long", "429 with Retry-After"),
    Row("Daily quota used up", "C", "stops the match; resume after the reset", "daily quota"),
    Row("Capacity exhausted", "I", "waits as told, same model", "capacity exhausted"),
    Row("408", "I", "retries", "408"),
    Row("500 again and again", "I", "retries, then pauses", "500 for ever"),
    Row("502, 503, 504, 524, 529", "I", "retries", "503 with Retry-After"),
    Row("401", "C", "stops all calls with the key", "no such key"),
    Row("402 for money in flight", "I", "waits, retries", "money in flight"),
    Row("402 for credit", "C", "stops all calls with the key", "no credit"),
    Row("403 for a spending limit", "C", "stops all calls with the key", "key limit"),
    Row("Prompt refused by moderation", "I", "retries once, then leaves out other players' text", "moderation, twice"),
    Row("Prompt refused by a guardrail", "I", "retries once, then leaves out other players' text", "guardrail"),
    Row("Region or data policy excludes the model", "C", "stops the model", "region"),
    Row("Model not found, deprecated or unavailable", "C", "stops the model", "model gone"),
    Row("No provider fulfils the constraints", "C", "asks in a weaker answer form", "constraints"),
    Row("Answer form or parameter refused", "C", "leaves it out, or asks in a weaker form", "schema, 422"),
    Row("Prompt longer than the context", "C", "sends half of the history", "context"),
    Row("Reply limit refused", "C", "sends the limit that the endpoint names", "too many tokens"),
    Row("Refusal", "M", "strike", "refusal in the message"),
    Row("Answer removed by a content filter", "M", "strike", "content filter"),
    Row("Nothing delivered, no tokens counted", "I", "retries", "nothing, no tokens"),
    Row("Empty answer, tokens counted", "M", "strike", "nothing, but tokens"),
    Row("Reasoning used up the reply limit, also by `total_tokens` alone", "M", "strike; the re-ask says so",
        "thoughts by the total alone"),
    Row("Answer cut off", "M", "strike; never repaired", "cut off"),
    Row("Blanks until the limit", "M", "strike", "blanks until cut off"),
    Row(
        "Fences, preamble, single quotes, trailing comma",
        "-",
        "reads it; the log says `repaired`",
        "test_parse_answer.py::test_readable",
    ),
    Row("Two different answers, or one inside reasoning only", "M", "strike", "test_parse_answer.py::test_unreadable"),
    Row(
        "NaN, wrong types, list around the object",
        "M",
        "unwraps a list of one; else strike",
        "test_failures.py::test_answer_in_an_unusual_shape",
    ),
    Row(
        "Readable but illegal answer",
        "M",
        "strike; the re-ask lists what is legal",
        "../match/test_strikes.py::test_the_third_invalid_answer_in_a_row_strikes_out",
    ),
    Row("Tool call without arguments, unknown tool, several calls", "M", "strike, unless all calls agree", "unknown tool"),
    Row("Tool call written as text", "-", "reads its arguments", "test_failures.py::test_answer_in_an_unusual_shape"),
    Row(
        "Content in parts, reasoning beside it",
        "-",
        "joins the parts, logs the reasoning",
        "test_failures.py::test_reasoning_is_kept_beside_the_answer",
    ),
    Row("Another model or provider answered", "C", "rated play retries once, then stops", "another model, again"),
    Row(
        "Usage missing",
        "-",
        "estimates, and marks the estimate",
        "test_failures.py::test_missing_usage_is_estimated_and_flagged",
    ),
    Row("5,000 nested brackets, 5,000 digits", "M", "strike", "test_parse_answer.py::test_hostile_text_is_read_in_no_time"),
    Row(
        "Ctrl-C with a call in flight",
        "I",
        "logs it, charges its maximum",
        "test_failures.py::test_a_call_stopped_in_flight_is_logged_and_charged",
    ),
    Row("Budget spent", "C", "pauses before the call", "test_budget.py::test_no_call_is_made_when_its_worst_case_does_not_fit"),
    Row(
        "`response_format` unavailable, no parameter named",
        "C",
        "asks in a weaker form",
        "endpoints/test_matches.py::test_match_goes_on_to_its_result",
    ),
    Row(
        "The upstream's refusal inside `metadata.raw`",
        "C",
        "asks in a weaker form",
        "endpoints/test_matches.py::test_match_goes_on_to_its_result",
    ),
    Row(
        "`failed_generation` inside a 400",
        "M",
        "strike",
        "test_negotiation.py::test_words_inside_an_error_are_an_answer_at_the_first_call_and_later",
    ),
    Row(
        "`max_tokens` too large for the model",
        "C",
        "sends the limit that the endpoint names",
        "test_refusals.py::test_words_in_every_shape",
    ),
    Row(
        "Unsupported value of a parameter",
        "C",
        "leaves out that parameter",
        "test_refusals.py::test_exactly_the_parameter_that_a_field_names",
    ),
    Row(
        "Forced tool choice refused",
        "C",
        "leaves the choice to the model",
        "test_forms.py::test_forced_tool_becomes_automatic_before_it_is_given_up",
    ),
    Row(
        "Not a valid model ID",
        "C",
        "stops the model, names the nearest",
        "test_negotiation.py::test_a_model_that_is_not_there_is_named_with_the_nearest",
    ),
    Row("Unknown finish reason, or none", "-", "reads the answer if it is whole", "no reason to end, no answer"),
    Row(
        "Redirect",
        "C",
        "stops the model; no request follows it",
        "test_redirects.py::test_a_redirected_call_ends_where_it_was_sent",
    ),
    Row("Byte order mark or comments before the JSON", "-", "skips them", "comments before the body"),
    Row(
        "Fewer prompt tokens counted than estimated",
        "C",
        "warns once; rated play stops below a quarter",
        "test_failures.py::test_only_rated_play_stops_where_less_than_a_quarter_is_counted",
    ),
    Row(
        "Price that is no price",
        "-",
        "unknown price, and says so",
        "test_odd_replies.py::test_every_list_of_models_and_every_credit_can_be_read",
    ),
    Row(
        "Faulty base URL, password in it",
        "C",
        "one sentence",
        "test_keys_addresses.py::test_a_faulty_address_gets_one_sentence",
    ),
    Row("Key echoed in another spelling", "-", "redacts it", "test_keys_addresses.py::test_a_secret_is_found_in_every_form"),
    Row(
        "429 without Retry-After for minutes",
        "I",
        "retries as often as set, then pauses",
        "../cli/test_stops.py::test_a_rate_limit_without_a_time_pauses_after_the_retries_of_the_agent",
    ),
    Row(
        "Limit with a reset time",
        "I",
        "pauses, says the time",
        "../cli/test_stops.py::test_every_stop_names_the_command_that_resumes",
    ),
    Row("Reply of a megabyte", "M", "strike; logs the first 65,536 characters and the length", "a million letters"),
    Row(
        "Process killed with a call in flight",
        "I",
        "counts its maximum as spent",
        "../cli/test_stops.py::test_a_call_in_flight_at_a_kill_counts_as_spent",
    ),
    Row(
        "Other objects beside the answer",
        "-",
        "reads the one that fits the schema",
        "test_schema_fit.py::test_the_object_that_fits_is_the_answer",
    ),
    Row(
        "No system role",
        "C",
        "puts the system text into the first user message",
        "test_negotiation.py::test_a_model_without_a_system_role_is_asked_in_turns",
    ),
    Row(
        "Several JSON objects, one of which fits",
        "-",
        "reads that one, live and from the log",
        "test_schema_fit.py::test_the_object_that_fits_is_the_answer",
    ),
    Row(
        "Prompt with other players' text refused for no known reason",
        "C",
        "asks once more without that text, and keeps it out of later prompts",
        "../agents/test_fitting.py::test_words_of_others_that_are_refused_for_no_known_reason_stop_no_match",
    ),
    Row("Prompt blocked: no choices, or a filter and no tokens", "I", "retries once, then leaves out other players' text",
        "prompt blocked, no choices"),
    Row("Finish reason that is no known end", "I", "reads a whole answer; retries half of one", "cut by abort"),
    Row("Limit on tokens a minute, for prompt and reply together", "C", "asks for as long a reply as fits",
        "413: tokens a minute, prompt and bound"),
    Row("429 or 403: account empty, suspended or capped", "C", "stops all calls with the key", "no quota, OpenAI"),
    Row('429 that says "day" with a Retry-After below an hour', "I", "waits, retries",
        "429 that says day, and to wait half a minute"),
    Row(
        "Earlier answers refused without their reasoning",
        "C",
        "quotes them in the user message",
        "test_negotiation.py::test_an_earlier_answer_that_needs_its_thoughts_is_quoted",
    ),
    Row("Web page from an address that has answered", "I", "retries, then pauses", "web page, 404 for ever, answered before"),
    Row("405", "C", "stops the model, names the address", "405"),
    Row("Reset time more than a year away", "-", "takes it for none", "reset in 300 years"),
    Row("Reasoning before the answer, between tags of any name", "-", "reads the answer behind it, logs the reasoning",
        "test_parse_answer.py::test_readable"),
    Row(
        "Control tokens of chat templates in other players' text",
        "-",
        "escapes their brackets",
        "../prompting/test_fence.py::test_no_control_token_of_a_chat_template_stands_in_a_fence",
    ),
    Row("Reasoning beside `completion_tokens`, or in `total_tokens` alone", "-", "charges it; the log says which count it took",
        "test_reply_ledger.py::test_charged_is_at_least_the_truth_and_at_most_what_was_reserved"),
    Row("Count that cannot be", "-", "estimates, marks and notes it",
        "test_reply_ledger.py::test_a_count_that_cannot_be_is_estimated_and_marked"),
    Row("Error status that calls itself a filter, whatever its words", "I", "leaves out other players' text first",
        "../agents/test_fitting.py::test_a_filter_on_what_others_wrote_is_no_strike_and_costs_no_ladder"),
    Row("Answer in another choice, `delta`, `messages`, `parsed`, flat or custom calls, parts of JSON", "-", "reads it",
        "answer in the second choice"),
    Row("Reply without a known field for an answer", "I", "retries, names its fields", "unread envelope, again and again"),
    Row("Error that says nothing beside a whole answer", "-", "reads the answer", "error that says nothing beside the answer"),
    Row("Words outside `error`, codes of an empty account", "C", "quotes them; stops all calls with the key",
        "account empty, said outside error"),
    Row("Answer of another API", "C", "stops the model: the path is wrong", "answer of another API"),
    Row("Rate that mentions plans, days or billing", "I", "waits, retries", "rate that mentions plans and days"),
    Row("Calls in XML, reasoning that leaked, full-width punctuation, more than one wrapper", "-", "reads what is unmistakable",
        "test_parse_answer.py::test_unmistakable"),
)  # fmt: skip


def table() -> str:
    """The strikes as a Markdown table, with a row for each thing that tabletop does."""
    strikes = [row for row in ROWS if row.who == "M"]
    seen = {does: [row.seen for row in strikes if row.does == does] for does in dict.fromkeys(row.does for row in strikes)}
    rows = (f"| {' · '.join(names)} | {does} |\n" for does, names in seen.items())
    return f"| seen | tabletop |\n|---|---|\n{''.join(rows)}"


def written(page: str) -> str:
    """The page with the table in its place."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
