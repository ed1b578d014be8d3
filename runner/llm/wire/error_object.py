"""Error object: what an error says, wherever its body says it.

Shapes: OpenRouter {"error": {code, message, metadata{error_type, raw, ...}, availability{...}}}, where `raw` is the provider's
own error as JSON text; OpenAI {"error": {code: "string", type, message, param}}; Ollama {"error": "text"}; vLLM {"object":
"error", message, code}; FastAPI {"detail": [{loc, msg}]}; Google [{"error": {details: [{fieldViolations}]}}]; MiniMax
{"base_resp": {status_code, status_msg}}; Cloudflare {"errors": [{code, message}]}; SiliconFlow {code, message}.
"""

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from importlib.resources import files

from runner.digest import JsonObject
from runner.files import read_toml
from runner.llm.strict_json import mapping, number

_YEAR = 366 * 86_400.0
_MILLISECONDS = 1e11
"""An epoch larger than this counts milliseconds."""


_VALUE = re.compile(r"[A-Za-z]+, *\d{1,2}[ -][A-Za-z]+[^,]*|[^,]+")
"""One of the values of a header. A date has a comma of its own."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_TIME = r"(\d{1,9}(?:\.\d{1,9})?) ?(ms|s(?:ec(?:ond)?)?|m(?:in(?:ute)?)?|h(?:our)?|d(?:ay)?)s?(?![a-z])"
_IN_WORDS = re.compile(rf"\b(?:retry|try again|wait)\b(?: \w+){{0,3}}? ((?:{_TIME},? ?)+)", re.IGNORECASE)
"""A wait such as `Please retry in 1m2.5s`."""


def retry_after(headers: Mapping[str, str], now: float, words: str = "") -> float | None:
    """Seconds to wait from `now` (epoch seconds): the longest that Retry-After (RFC 9110), retry-after-ms or words say."""
    named = ((headers.get("retry-after", ""), 1.0), (headers.get("retry-after-ms", ""), 0.001))
    waits = [wait * unit for said, unit in named for value in _VALUE.findall(said) if (wait := _wait(value, now)) is not None]
    for said, *_ in _IN_WORDS.findall(words):
        times = re.findall(_TIME, said.lower())
        waits.append(sum(float(count) * _UNITS[unit if unit == "ms" else unit[0]] for count, unit in times))
    return max(0.0, *waits) if waits else None


def _wait(value: str, now: float) -> float | None:
    try:
        seconds = number(value)
        return parsedate_to_datetime(value).timestamp() - now if seconds is None else seconds
    except (ValueError, TypeError, OverflowError):
        return None


def quota_reset(headers: Mapping[str, str], metadata: JsonObject, now: float) -> float | None:
    """When an exhausted quota resets, in epoch seconds; None unless the quota is exhausted. From X-RateLimit-Remaining and
    -Reset, which OpenRouter repeats in error.metadata.headers."""
    quota = {str(name).lower(): value for name, value in mapping(metadata.get("headers")).items()}
    remaining, reset = (number(headers.get(name, quota.get(name))) for name in ("x-ratelimit-remaining", "x-ratelimit-reset"))
    if remaining != 0 or reset is None:
        return None
    moment = reset / 1000 if reset > _MILLISECONDS else reset
    return soon(moment if moment > now - 86_400 else now + max(reset, 0.0), now)


def soon(moment: float | None, now: float) -> float | None:
    """The moment, None where it is more than a year away: then it says nothing."""
    return moment if moment is not None and moment - now < _YEAR else None


def moment(value: object) -> float | None:
    """A point in time given as ISO 8601 or as epoch (milli)seconds, in epoch seconds."""
    found = number(value)
    if found is not None:
        return found / 1000 if found > _MILLISECONDS else found
    try:
        return datetime.fromisoformat(str(value)).timestamp()
    except ValueError:
        return None


_SHOWN = 500
_DEEPEST, _WIDEST, _LONGEST = 8, 20, 20_000
_NAMES = read_toml(files(__package__).joinpath("errors.toml").read_text("utf-8"))
_TYPES = {name: int(status) for status, names in _NAMES["types"].items() for name in names}
_CODES = {code: int(status) for status, codes in _NAMES["codes"].items() for code in codes}
_OBJECT = re.compile(r"[{\[].*[}\]]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ErrorObject:
    """The parts of an error. `status` is the error's own code, else the response's; `label` is the one that it has, if any.

    `said` holds its sentences, `labels` its machine-readable names, `places` the fields of the request it names, each from the
    whole body, the provider's own error included. `counts` are its numbers. `generation` is what the model wrote.
    """

    status: int
    message: str
    code: str = ""
    metadata: JsonObject = field(default_factory=dict)
    availability: JsonObject = field(default_factory=dict)
    wait: float | None = None
    quota_reset: float | None = None
    said: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()
    places: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    generation: str | None = None
    label: str = ""

    @property
    def names(self) -> set[str]:
        """The machine-readable names that the endpoint itself gives, without the provider's."""
        found = (self.code, self.metadata.get("error_type"), self.metadata.get("limit_source"), self.availability.get("code"))
        return {name for name in found if isinstance(name, str) and name}

    @property
    def words(self) -> str:
        return "\n".join(self.said)

    @property
    def sentence(self) -> str:
        """The error for people: one bounded line."""
        provider = self.metadata.get("provider_name")
        words = " ".join(self.message.split())[:_SHOWN] or "no reason given"
        source = " from ".join(filter(None, (self.label, str(provider or ""))))
        return f"{source}: {words}" if source else words


def parse_error(document: object, status: int, headers: Mapping[str, str], now: float) -> ErrorObject:
    """The error in a body of any shape. `now` is in epoch seconds."""
    error = _error_object(document)
    metadata = {**mapping(error.get("metadata"))}
    metadata.setdefault("error_type", error.get("error_type") or error.get("type"))
    availability = mapping(error.get("availability") or metadata.get("availability"))
    nodes = tuple(_nodes(document, _DEEPEST))
    delays = (delay for node in nodes if isinstance(delay := node.get("retryDelay"), str))  # Google's, such as 37s
    said = dict.fromkeys(text for node in nodes for text in _sentences(node))
    if not said and isinstance(document, str) and document.strip():
        said = {document: None}
    waits = (retry_after(headers, now, "\n".join(said)), number(availability.get("retry_after")),
             number(metadata.get("retry_after_seconds")), *(number(delay.removesuffix("s")) for delay in delays))  # fmt: skip
    code = _number_of(error)
    return ErrorObject(
        status=_standard(code) or (status if status >= 400 else stated_status(document) or 500),
        message="; ".join(said),
        code=name if isinstance(name := error.get("code"), str) else "",
        metadata=metadata,
        availability=availability,
        wait=max((wait for wait in waits if wait is not None), default=None),
        quota_reset=quota_reset(headers, metadata, now),
        said=tuple(said),
        labels=frozenset(
            label
            for node in nodes
            for name in _NAMES["named"]
            if isinstance(label := node.get(name), str) and 0 < len(label) <= 80
        ),
        places=tuple(dict.fromkeys(place for node in nodes for place in _places(node))),
        counts=tuple(
            count
            for node in nodes
            for name, count in node.items()
            if name not in _NAMES["named"] and isinstance(count, int) and not isinstance(count, bool) and 0 < count < 10**8
        ),
        generation=next((text for node in nodes if (text := _generation(node)) is not None), None),
        label=str(code or (status if status >= 400 else next(filter(None, map(_number_of, nodes)), ""))),
    )


def says_error(document: object) -> bool:
    """Whether a body without an answer says what is wrong, in words or by a code."""
    return stated_status(document) is not None or any(any(_sentences(node)) for node in _nodes(document, _DEEPEST))


def _error_object(document: object) -> JsonObject:
    if isinstance(document, list) and document:
        document = document[0]
    if not isinstance(document, Mapping):
        return {}
    error = document.get("error", document)
    return document if isinstance(error, str) else mapping(error)


def stated_status(document: object) -> int | None:
    """The status that an error states by a code, else by the name of its type, its own before its provider's; None without."""
    nodes = list(_nodes(document, _DEEPEST))
    names = (node.get(name) for node in nodes for name in ("error_type", "code", "type", "status"))
    found = (*(_standard(_number_of(node)) for node in nodes), *(_TYPES.get(str(name).lower()) for name in names))
    return next(filter(None, found), None)


def _number_of(node: JsonObject) -> int | None:
    """The code of an error, if it is a number."""
    code = number(node.get("code") or node.get("http_status") or node.get("status_code"))
    return None if code is None else int(code)


def _standard(code: int | None) -> int | None:
    """The status that a code is or stands for, None for one that says nothing."""
    return code if code is not None and 400 <= code < 600 else _CODES.get(code or 0)


def _nodes(value: object, depth: int) -> Iterator[JsonObject]:
    """Every object in an error, outermost first, also those inside text that is JSON."""
    if depth == 0:
        return
    if isinstance(value, str):
        yield from _nodes(_unquoted(value), depth - 1)
    elif isinstance(value, Mapping):
        yield value
        for name, inner in list(value.items())[:_WIDEST]:
            if name not in _NAMES["echoes"]:
                yield from _nodes(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value[:_WIDEST]:
            yield from _nodes(inner, depth - 1)


def _unquoted(text: str) -> object:
    """The object within a text, as JSON or as Python prints it; None without one."""
    found = _OBJECT.search(text) if len(text) <= _LONGEST else None
    if found is None:
        return None
    with suppress(ValueError, RecursionError):
        return json.loads(found[0])
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError, TypeError), warnings.catch_warnings(action="ignore"):
        return ast.literal_eval(found[0])
    return None


def _sentences(node: JsonObject) -> Iterator[str]:
    """The sentences of one object, those of a validation error with the field they are about."""
    place = next(_places(node), "")
    for name in _NAMES["said"]:
        said = node.get(name)
        for text in said[:_WIDEST] if isinstance(said, list) else (said,):
            if isinstance(text, str) and text.strip() and not (text.lstrip()[0] in "{[" and _unquoted(text) is not None):
                yield f"{place}: {text}" if name == "msg" and place else text


def _places(node: JsonObject) -> Iterator[str]:
    for name in _NAMES["where"]:
        place = node.get(name)
        if isinstance(place, str) and place:
            yield place
        elif isinstance(place, list) and place:
            yield ".".join(str(part) for part in place)


def _generation(node: JsonObject) -> str | None:
    """What the model wrote, for an endpoint that checks answers itself (console.groq.com/docs/errors), or that it refused."""
    text = node.get("failed_generation") or node.get("refusal")
    if isinstance(text, (dict, list)):
        return json.dumps(text, ensure_ascii=False)
    return text if isinstance(text, str) and text.strip() else None
