"""Cases of blame: replies of every shape × convention of counting × place, each with who is at fault.

A case says the status and the body of a response to one request, and what has to follow: `blame` is D for an answer that
counts, M for a mistake of the model, I for infrastructure and C for configuration, `kind` the kind of outcome where only one is
right. An answer that counts has to be read as ANSWER.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

ANSWER = {"card": "owl"}
SAID = json.dumps(ANSWER)
HALF = '{"card": "ow'
PROMPT, BOUND = 300, 4096
MISSING = object()


@dataclass(frozen=True)
class Case:
    name: str
    body: Any
    blame: str
    kind: str = ""
    status: int = 200
    form: str = "strict"

    def __str__(self) -> str:
        return self.name


def usage(completion: int, reasoning: int = 0, convention: str = "inside") -> dict[str, Any]:
    """The counts of a reply with `completion` tokens of output, some of them reasoning, in one of the conventions."""
    seen, whole = completion - reasoning, PROMPT + completion
    details = {"completion_tokens_details": {"reasoning_tokens": reasoning}}
    match convention:
        case "inside":
            return {"prompt_tokens": PROMPT, "completion_tokens": completion, "total_tokens": whole, **details}
        case "beside":
            return {"prompt_tokens": PROMPT, "completion_tokens": seen, "total_tokens": whole, **details}
        case "total alone":
            return {"prompt_tokens": PROMPT, "completion_tokens": seen, "total_tokens": whole}
        case "no total":
            return {"prompt_tokens": PROMPT, "completion_tokens": completion}
    return {"input_tokens": PROMPT, "output_tokens": completion, "total_tokens": whole}


CONVENTIONS = ("inside", "beside", "total alone", "no total", "other names")


def reply(choices: Any, counts: Any = MISSING, **more: Any) -> dict[str, Any]:
    found = usage(12) if counts is MISSING else counts
    return {"id": "gen-1", "object": "chat.completion", "model": "vendor/model", "choices": choices, "usage": found, **more}


def choice(reason: Any = "stop", **parts: Any) -> dict[str, Any]:
    return {"index": 0, **({} if reason is MISSING else {"finish_reason": reason}), **parts}


def message(content: Any = None, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **more}


def called(**call: Any) -> dict[str, Any]:
    return message(tool_calls=[{"id": "c1", "type": "function", "function": {"name": "answer", "arguments": SAID, **call}}])


PLACES: dict[str, list[dict[str, Any]]] = {
    "message": [{"message": message(SAID)}],
    "delta": [{"delta": message(SAID)}],
    "messages": [{"messages": [{"role": "user", "content": "?"}, message(SAID)]}],
    "message that is a list": [{"message": [message(SAID)]}],
    "message that is text": [{"message": SAID}],
    "text": [{"text": SAID}],
    "content of the choice": [{"content": SAID}],
    "second choice": [{"message": message(None)}, {"index": 1, "message": message(SAID)}],
    "second choice, empty text": [{"message": message("")}, {"index": 1, "message": message(SAID)}],
    "text first, the call second": [{"message": message("Well,")}, {"index": 1, "message": called()}],
    "content that is the object": [{"message": message(ANSWER)}],
    "parts": [{"message": message([{"type": "text", "text": SAID[:5]}, {"type": "text", "text": SAID[5:]}])}],
    "parts of output text": [{"message": message([{"type": "output_text", "text": SAID}])}],
    "one part": [{"message": message({"type": "text", "text": SAID})}],
    "parts that are texts": [{"message": message([SAID[:4], SAID[4:]])}],
    "part with a value": [{"message": message([{"type": "text", "text": {"value": SAID, "annotations": []}}])}],
    "part of JSON": [{"message": message([{"type": "json", "json": ANSWER}])}],
    "part of JSON as value": [{"message": message([{"type": "output_json", "value": ANSWER}])}],
    "part behind a thought": [{"message": message([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": SAID}])}],
    "parsed": [{"message": message(None, parsed=ANSWER)}],
    "call": [{"message": called()}],
    "call, arguments as object": [{"message": called(arguments=ANSWER)}],
    "call, a name with a space": [{"message": called(name="functions.answer")}],
    "one call": [{"message": message(tool_calls={"function": {"name": "answer", "arguments": SAID}})}],
    "flat call": [{"message": message(tool_calls=[{"name": "answer", "arguments": SAID}])}],
    "flat call with input": [{"message": message(tool_calls=[{"name": "answer", "input": ANSWER}])}],
    "custom call": [{"message": message(tool_calls=[{"type": "custom", "custom": {"name": "answer", "input": SAID}}])}],
    "function_call": [{"message": message(function_call={"name": "answer", "arguments": SAID})}],
    "functionCall": [{"message": message(functionCall={"name": "answer", "args": ANSWER})}],
    "call as a part": [{"message": message([{"type": "tool_use", "name": "answer", "input": ANSWER}])}],
    "calls of the choice": [{"tool_calls": [{"function": {"name": "answer", "arguments": SAID}}]}],
    "reasoning beside": [
        {"message": message(SAID, reasoning="Hm.", reasoning_details=[{"type": "reasoning.text", "text": "Hm."}])}
    ],
}
"""Where endpoints put an answer."""

ENDS = ("stop", "tool_calls", "end_turn", "eos_token", None, MISSING, "insufficient_system_resource")


def answers() -> Iterator[Case]:
    """An answer that is there counts, wherever it is, whatever it ends with, however it is counted."""
    for (place, parts), reason, convention in product(PLACES.items(), ENDS, CONVENTIONS):
        index = list(PLACES).index(place) + ENDS.index(reason) + CONVENTIONS.index(convention)
        if index % 3 == 0:
            choices = [{**choice(reason), **part} for part in parts]
            yield Case(f"{place}, {reason!r:.12}, {convention}", reply(choices, usage(212, 200, convention)), "D", form="tool")
    for place, parts in PLACES.items():
        choices = [choice(**part) for part in parts]
        yield from [Case(f"{place}, alone", reply(*choices), "D", form="tool")] if len(choices) == 1 else ()
        yield Case(f"{place}, nested", {"code": 0, "data": reply(choices)}, "D", form="tool")
        yield Case(
            f"{place}, backwards", reply([{**one, "index": at} for at, one in enumerate(choices)][::-1]), "D", form="tool"
        )


SILENT_ERRORS: tuple[Any, ...] = (
    {"code": None, "message": None, "type": None}, {"code": 0, "message": ""}, {"code": 200, "message": "ok"},
    {"code": "success"}, {"message": "ok"}, {}, [], "", False, {"code": "0", "msg": "success"},
)  # fmt: skip


def errors_beside() -> Iterator[Case]:
    """An error that says nothing throws no answer away; one with a code does."""
    for error, (place, parts) in product(SILENT_ERRORS, list(PLACES.items())[:3]):
        choices = [choice(**part) for part in parts]
        yield Case(f"{error!r} beside {place}", reply(choices, error=error), "D")
        yield Case(f"{error!r} inside {place}", reply([{**one, "error": error} for one in choices]), "D")
    for code, kind in ((502, "bad_gateway"), ("503", "overloaded"), (429, "throttled"), (504, "upstream_timeout")):
        for text in (SAID, HALF):
            failed = {"message": message(text)}
            yield Case(f"{code!r} beside {text}", reply([choice(**failed)], error={"code": code}), "I", kind)
            yield Case(f"{code!r} inside {text}", reply([choice("error", **failed, error={"code": code})]), "I", kind)


NOTHING: dict[str, dict[str, Any]] = {
    "null": message(None), "blank": message(""), "no content": {"role": "assistant"}, "no parts": message([]),
    "blank part": message([{"type": "text", "text": ""}]), "empty calls": message(None, tool_calls=[]),
    "reasoning": message("", reasoning="Perhaps the owl, or the key."),
}  # fmt: skip
LIMITS = ("length", "max_tokens", "MAX_TOKENS", "max_length", "token_limit", "maxTokens", "length_limit", "max_output")
WORDS = ("stop", "network_error", None, MISSING)


def thoughts() -> Iterator[Case]:
    """A thought that took the whole limit is the model's mistake, whatever word or count shows it."""
    for (name, said), convention in product(NOTHING.items(), CONVENTIONS):
        for place, reason in enumerate({"length": 0, LIMITS[len(name + convention) % len(LIMITS)]: 1} | dict.fromkeys(WORDS)):
            taken = BOUND - 6 * (place % 2)
            counts = usage(taken, taken if convention in ("beside", "total alone") else 0, convention)
            full = reply([choice(reason, message=said)], counts)
            yield Case(f"{name}, {reason!r:.12}, {taken} {convention}", full, "M", "reasoning_exhausted")


def cut_off() -> Iterator[Case]:
    """Half an answer is the model's where its limit cut it, and nobody's where something else did."""
    for reason, convention in product((*LIMITS, *WORDS, "weird"), CONVENTIONS):
        full = reply([choice(reason, message=message(HALF))], usage(BOUND, 4000, convention))
        yield Case(f"half, {reason!r:.12}, full {convention}", full, "M", "truncated")
    for reason in LIMITS:
        yield Case(f"half, {reason}, not full", reply([choice(reason, message=message(HALF))]), "M", "truncated")
    for reason in ("network_error", "abort", "weird", None, MISSING, {}, ["x"]):
        yield Case(f"half, {reason!r:.12}, not full", reply([choice(reason, message=message(HALF))]), "I", "unfinished")
        whole = reply([choice(reason, message=message(SAID))], usage(BOUND))
        yield Case(f"whole, {reason!r:.12}, full", whole, "D")


STRANGE: dict[str, Any] = {
    "another field": {"message": {"role": "assistant", "body": SAID}},
    "beside a null": {"message": message(None, custom_output={"card": "owl"})},
    "beside a blank": {"message": message("", candidates=[SAID])},
    "on the choice": {"result": {"card": "owl"}},
    "a list of others": {"message": [{"role": "user", "content": SAID}]},
    "an image": {"message": message([{"type": "image_url", "image_url": {"url": "x"}}])},
}
EMPTY_ENDS = ("stop", None, MISSING, "weird", "network_error")


def unread() -> Iterator[Case]:
    """Without a word of the model that was found nobody is punished."""
    for (name, parts), reason, tokens in product(STRANGE.items(), EMPTY_ENDS, (0, 9)):
        yield Case(f"{name}, {reason!r:.12}, {tokens}", reply([choice(reason, **parts)], usage(tokens)), "I")
    for (name, said), reason, tokens in product(NOTHING.items(), ("weird", "network_error", None, MISSING), (0, 7)):
        if name != "reasoning":
            yield Case(f"{name}, {reason!r:.12}, {tokens}", reply([choice(reason, message=said)], usage(tokens)), "I")
    for name, choices in (("none", []), ("null", None), ("blank", [{}]), ("null in a list", [None]), ("a number", 7)):
        yield Case(f"choices: {name}", reply(choices), "I", "no_choices")
    for reason in ("stop", "end_turn", "eos"):
        yield Case(f"empty, {reason}", reply([choice(reason, message=message(""))], usage(9)), "M", "empty")
    parts = [{"type": "refusal", "refusal": "I won't."}]
    for refusal, reason in product((message(None, refusal="I won't."), message(parts)), ("stop", "length", None)):
        yield Case(f"{refusal}, {reason}", reply([choice(reason, message=refusal)]), "M", "refused")
    for tokens in (0, 7):
        yield Case(
            f"refused by its end, {tokens}", reply([choice("refusal", message=message(""))], usage(tokens)), "M", "refused"
        )


FILTER_WORDS = (
    "filtered", "", "Anfrage abgelehnt", "Contenu refusé par la politique", "内容违规", "blocked", "The request was rejected.",
    "invalid content", "not allowed here", "Forbidden words", "Policy", "code 17", "请求被拒绝",
)  # fmt: skip


def filters() -> Iterator[Case]:
    """An error status holds no word of the model, whatever it calls the filter that refused the prompt."""
    verdict = {"content_filter_result": {"jailbreak": {"filtered": True}}}
    for words, status in product(FILTER_WORDS, (400, 403, 422, 451)):
        for name, error in {
            "code": {"code": "content_filter", "message": words, "param": "prompt", "innererror": verdict},
            "type": {"type": "content_filter", "message": words},
            "no name": {"message": words, "param": None, "type": "invalid_request_error"},
        }.items():
            yield Case(
                f"{status} {name}: {words}",
                {"error": error},
                "I" if name != "no name" and status != 403 else "IC",
                status=status,
            )
    for words in FILTER_WORDS[:5]:
        policy = {"error": {"message": words, "code": 400, "metadata": {"error_type": "content_policy_violation"}}}
        yield Case(f"policy: {words!r}", policy, "I", "input_moderated", status=400)
    shown = {"error": {"message": "did not fit", "code": "json_validate_failed", "failed_generation": SAID}}
    yield Case("words of the model in an error", shown, "D", status=400)
    for refusal in ({"code": "refusal", "message": "no"}, {"message": "no", "metadata": {"error_type": "refusal"}}):
        yield Case(f"refusal in an error: {refusal}", {"error": refusal}, "M", "refused", status=400)
    for words in ("the output was blocked", "The generated text was filtered."):
        output = {"error": {"message": words, "code": "content_filter"}}
        yield Case(words, output, "M", "filtered", status=400)


ACCOUNT, WAIT = ("C", "no_credit"), ("I", "throttled")
OUTSIDE = (
    (1008, "insufficient balance", ACCOUNT), (1113, "余额不足", ACCOUNT), (7, "账户余额不足,请充值", ACCOUNT),
    (1002, "rate limit", WAIT), (9, "Too many requests, please slow down", WAIT), (1004, "login fail", ("C", "key_refused")),
    (1027, "output new_sensitive", ("I", "")), (1026, "input new_sensitive", ("I", "input_moderated")),
    (50505, "Model service overloaded. Please try again later.", ("I", "overloaded")), (5, "something else", ("I", "")),
)  # fmt: skip


def words_outside() -> Iterator[Case]:
    """What a provider says outside `error` counts as if it stood there."""
    for (code, words, (blame, kind)), choices in product(OUTSIDE, ([], None)):
        for name, body in {
            "base_resp": {"id": "x", "choices": choices, "base_resp": {"status_code": code, "status_msg": words}},
            "code, message": {"code": code, "message": words, "data": None, "choices": choices},
            "errors": {"success": False, "errors": [{"code": code, "message": words}], "result": None},
            "code, msg": {"code": str(code), "msg": words, "success": False},
            "error": {"error": {"code": code, "message": words}, "choices": choices},
        }.items():
            yield Case(f"{name}: {code} {words}, {choices}", body, blame, kind)


RATES = (
    "20 requests per minute. (Plans: 20 per minute, 1000 per day.)",
    "You exceeded your current quota, please check your plan and billing details. Please retry in 2.1s.",
    "Rate limit reached: 60 RPM. Upgrade your plan or recharge to get 10,000 requests per day.",
    "Quota exceeded for quota metric 'Generate Content API requests per minute' and limit 'per minute'",
    "Too many requests: 3 / min on the free plan, 200 daily",
    "Limit of 5 requests per second reached; billing tiers are at example.com",
    "tokens per minute (TPM): your account balance is fine",
)
DAYS = ("free-models-per-day", "You have used your daily quota.", "1000 requests per day reached")
BUSY = ("The request queue is full.", "The server is busy, please wait", "Model is overloaded", "We are at capacity")


def limits() -> Iterator[Case]:
    """A rate waits, whatever it mentions; a day pauses; an empty account stops; a server without room is retried."""
    for words, status in product(RATES, (429, 403, 400, 500)):
        for name, error in {
            "openai": {"error": {"message": words, "type": "requests", "code": None}},
            "google": [{"error": {"code": status, "message": words, "status": "RESOURCE_EXHAUSTED"}}],
            "flat": {"message": words},
        }.items():
            yield Case(f"{status} {name}: {words}", error, "I", "throttled", status)
    for words in DAYS:
        yield Case(f"429: {words}", {"error": {"message": words}}, "C", "daily_quota", 429)
    for code, words in (("1113", "您的账户已欠费,请充值后重试。"), (1113, "余额不足"), ("1113", "Insufficient balance")):
        yield Case(f"429 {code!r}: {words}", {"error": {"code": code, "message": words}}, "C", "no_credit", 429)
    for words, status in product(BUSY, (400, 403, 422, 500, 503)):
        yield Case(f"{status}: {words}", {"error": {"message": words}}, "I", "overloaded", status)


NATIVE: dict[str, dict[str, Any]] = {
    "Anthropic": {"id": "msg_1", "type": "message", "role": "assistant", "content": [{"type": "text", "text": SAID}],
                  "stop_reason": "end_turn", "usage": {"input_tokens": PROMPT, "output_tokens": 12}},
    "Ollama chat": {"model": "m", "created_at": "2026", "message": {"role": "assistant", "content": SAID}, "done": True},
    "Ollama generate": {"model": "m", "created_at": "2026", "response": SAID, "done": True, "done_reason": "stop"},
    "Gemini": {"candidates": [{"content": {"parts": [{"text": SAID}]}, "finishReason": "STOP"}], "usageMetadata": {}},
    "Responses": {"id": "resp_1", "object": "response", "status": "completed", "error": None,
                  "output": [{"type": "message", "content": [{"type": "output_text", "text": SAID}]}]},
}  # fmt: skip


def natives() -> Iterator[Case]:
    """The answer of another API of the right host: the path is wrong."""
    for name, body in NATIVE.items():
        yield Case(name, body, "C", "not_an_endpoint")
        yield Case(f"{name}, more", {**body, "system_fingerprint": "f"}, "C", "not_an_endpoint")


CASES = (
    *answers(), *errors_beside(), *thoughts(), *cut_off(), *unread(), *filters(), *words_outside(), *limits(), *natives(),
)  # fmt: skip
