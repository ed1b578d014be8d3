"""Exchange: a request that was sent, the response to it, its tokens and its cost, by one rule of what can be; and rated play,
which checks settings before a match and replies during it: exactly the model asked for, by a pinned provider.

Endpoints count in different ways. Reasoning is part of `completion_tokens` (OpenAI), beside it (xAI), or in `total_tokens`
alone (Gemini); cached tokens are part of `prompt_tokens` or beside it. The highest count that can be is charged.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from runner.digest import JsonObject
from runner.llm.budget import Prices, estimated_tokens, most_prompt_tokens
from runner.llm.outcome import IMPLAUSIBLE, MISSING, ModelReply, Usage
from runner.llm.request import Model
from runner.llm.strict_json import mapping, number

FORM_FIELDS = ("tool_choice", "tools", "response_format")
TOKEN_FIELDS = ("max_tokens", "max_completion_tokens")
PINNED = {"provider", "plugins", "models", "route", "transforms", "store"}
"""Fields that pin providers or say how data may be used."""

KEPT = {"model", "messages", "stream", *PINNED, *FORM_FIELDS, *TOKEN_FIELDS}
"""Never left out: the question itself, and what is pinned."""


def form_field(asked: JsonObject, wanted: str | None = None) -> str | None:
    """The field of this request that carries the form of the answer: the wanted one if it was sent; None for plain text."""
    sent = [name for name in FORM_FIELDS if name in asked]
    return wanted if wanted in sent else (sent[-1] if sent else None)


def optional_fields(asked: JsonObject) -> list[str]:
    return [name for name in asked if name not in KEPT]


def has_system(asked: JsonObject) -> bool:
    return not roles(asked).isdisjoint({"system", "developer"})


def roles(asked: JsonObject) -> set[str]:
    messages = asked.get("messages")
    return {str(message.get("role")) for message in messages} if isinstance(messages, list) else set()


def bound_sent(asked: JsonObject) -> int | None:
    return next((sent for name in TOKEN_FIELDS if isinstance(sent := asked.get(name), int)), None)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request (latency in seconds, the time now in epoch seconds) with the headers and the body of its response.
    `canonical_name` is the endpoint's own name for the model, from its list."""

    model: Model
    body: JsonObject
    prompt_characters: int
    latency: float
    now: float
    prices: Prices | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: str = ""
    raw_length: int = 0
    canonical_name: str | None = None

    @property
    def blank_reply(self) -> ModelReply:
        return ModelReply(raw=self.raw, raw_length=self.raw_length, latency=self.latency)

    @property
    def bound(self) -> int | None:
        return bound_sent(self.body)


def most_tokens_of_prompt(body: Mapping[str, Any]) -> int:
    """The tokens that a prompt can have at most, by the bytes of its messages and of the form of the answer."""
    form = json.dumps([body[name] for name in FORM_FIELDS if name in body])
    return most_prompt_tokens(body.get("messages", ()), len(form))


_SMALLEST_CONTEXT = 256
"""Lower counts of a prompt are made up by a stand-in server, and not the size of a truncated prompt."""

_LONGEST_TOKEN = 32
"""Letters of a token at most, on average over a reply."""

_MOST_BOUNDS = 2
"""Times the bound that a reply may have; a higher count cannot be."""

_HIGHEST = 10**9
"""The highest count that is read; a higher one counts as this, which cannot be either."""

_TICKS_A_USD = 1e10


def amounts(document: JsonObject, exchange: Exchange, texts: Iterable[str]) -> tuple[Usage, float | None, str | None]:
    """Tokens, USD if known, and where that is from if not `usage.cost`, of a reply with these texts, reasoning included."""
    letters = sum(len(text) - text.count(" ") - text.count("\n") for text in texts)
    usage = _usage(_said(mapping(document.get("usage"))), exchange, letters)
    cost, source = stated_cost(document, exchange.headers)
    prices = exchange.prices or exchange.model.prices
    if cost is None and prices is not None:
        return usage, prices.cost(usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens), "prices"
    return usage, cost, source


def stated_cost(document: JsonObject, headers: Mapping[str, str]) -> tuple[float | None, str | None]:
    """The cost in USD that a reply states, with the upstream's share for the user's own provider key, and where it does so
    other than as `usage.cost`: in ticks (xAI), or in a header (LiteLLM, where 0 stands for a price that is not known)."""
    usage = mapping(document.get("usage"))
    given = usage.get("cost")
    if (cost := _amount(mapping(given).get("total_cost", given))) is not None:
        upstream = _amount(mapping(usage.get("cost_details")).get("upstream_inference_cost"))
        return cost + (upstream or 0.0) if usage.get("is_byok") is True else cost, None
    if (cost := _amount((number(usage.get("cost_in_usd_ticks")) or -1) / _TICKS_A_USD)) is not None:
        return cost, "ticks"
    cost = _amount(headers.get("x-litellm-response-cost"))
    return (cost, "header") if cost else (None, None)


def _amount(value: object) -> float | None:
    found = number(value)
    return found if found is not None and 0 <= found < 1e6 else None


_FIELDS = {
    **dict.fromkeys(("prompt_tokens", "input_tokens"), "prompt"),
    **dict.fromkeys(("completion_tokens", "output_tokens"), "completion"),
    **dict.fromkeys(("cached_tokens", "cache_read_input_tokens", "prompt_cache_hit_tokens"), "cached"),
    **dict.fromkeys(("cache_write_tokens", "cache_creation_input_tokens"), "written"),
    "reasoning_tokens": "reasoning",
    "total_tokens": "total",
}
"""The counts by the names that endpoints have for them, in `usage` or in the details below it."""


def _said(usage: JsonObject) -> Counter[str]:
    """The counts in a reply; 0 for what is missing or no count."""
    found = Counter[str]()
    for name, value in usage.items():
        for inner, count in value.items() if isinstance(value, dict) else ((name, value),):
            if (field := _FIELDS.get(inner)) is not None:
                found[field] = max(found[field], int(min(max(number(count) or 0, 0), _HIGHEST)))
    return found


def _usage(said: Counter[str], exchange: Exchange, letters: int) -> Usage:
    bound, stated = exchange.bound, said["completion"]
    most = _MOST_BOUNDS * bound if bound else _HIGHEST
    prompt = _prompt(said, exchange)
    completion, source = _completion(said, prompt, most, letters)
    if prompt is None or completion is None or stated > most:
        is_bogus = stated > most or (said["prompt"] if prompt is None else stated or said["total"])
        source = IMPLAUSIBLE if is_bogus else MISSING
    if prompt is None or completion is None:
        estimate = max(estimated_tokens(letters), said["reasoning"])
        completion = max(completion or 0, min(estimate, bound or estimate))
    hidden = completion - stated if source == "total" and (stated or not letters) else 0
    return Usage(
        prompt_tokens=estimated_tokens(exchange.prompt_characters) if prompt is None else prompt,
        completion_tokens=completion,
        reasoning_tokens=min(max(said["reasoning"], hidden), completion),
        cached_tokens=said["cached"],
        cache_write_tokens=said["written"],
        estimated=source in (MISSING, IMPLAUSIBLE),
        source=source,
        said=said["prompt"],
        said_reply=stated,
    )


def _prompt(said: Counter[str], exchange: Exchange) -> int | None:
    """The tokens of the prompt; None without a count that can be."""
    beside = said["cached"] + said["written"]
    counts = [said["prompt"] or said["total"] - said["completion"]]
    counts[:0] = [said["prompt"] + beside] if 0 < said["prompt"] < beside else []
    characters = exchange.prompt_characters
    least = max(1, min(_SMALLEST_CONTEXT, estimated_tokens(characters) / 2))
    possible = (
        count for count in counts if least <= count and (count <= characters or count <= most_tokens_of_prompt(exchange.body))
    )
    return next(possible, None)


def _completion(said: Counter[str], prompt: int | None, most: int, letters: int) -> tuple[int | None, str]:
    """The tokens of the reply, and which count they are if not `completion_tokens`; None without one that can be."""
    stated, beside = said["completion"], said["completion"] + said["reasoning"]
    counts = {"": stated}
    if said["reasoning"] > stated or (prompt is not None and said["total"] >= prompt + beside):
        counts["reasoning"] = beside
    if prompt is not None and said["total"] > prompt:
        counts["total"] = said["total"] - prompt
    possible = {source: count for source, count in counts.items() if letters <= count * _LONGEST_TOKEN and count <= most}
    source = max(possible, key=possible.__getitem__, default="")
    return possible.get(source), source


RULES = "Rated: exactly the models named and the providers pinned, no fallbacks, no healing; replies by others are refused."

_UNCHANGED_BY = {"thinking"}
"""Suffixes that name a way to use the same model by the same provider. Every other one chooses a route or changes prompts."""

_ROUTERS = re.compile(r"openrouter/|(?:.*[/-])?(?:auto|router)\Z")
_CHANGES = {
    **dict.fromkeys(("models", "route", "fallbacks"), "lets other models answer"),
    **dict.fromkeys(("preset", "transforms", "plugins", "web_search_options"), "changes questions or answers"),
}
"""Fields of a request that end rated play, and what they do."""

_CACHE = {"x-openrouter-cache", "x-openrouter-cache-ttl"}
_DATED = re.compile(r"(?:-(?:\d{6}|\d{8}|\d{4}-\d\d-\d\d))?")
"""What may stand behind the name of a model: nothing, or a date."""


def objections(model: Model) -> Iterator[str]:
    """The settings of a model that rated play refuses, in sentences; none if it can be rated."""
    name = model.name.strip().lower()
    base, *suffixes = name.split(":")
    if name.startswith(("~", "@")) or base.endswith("-latest") or _ROUTERS.match(base):
        yield f"{model.name} stands for a different model from one day to the next: name the model itself"
    other = next((f":{suffix}" for suffix in suffixes if model.is_openrouter and suffix not in _UNCHANGED_BY), None)
    if other is not None or "@preset" in name:
        yield f"the suffix {other or '@preset'} lets the router choose among providers, or changes the request: leave it out"
    given = {name.lower(): name for name in model.parameters}
    yield from (f'"{given[name]}" {does}: leave it out' for name, does in _CHANGES.items() if name in given)
    provider = model.parameters.get("provider")
    if isinstance(provider, Mapping) and provider.get("allow_fallbacks") is True:
        yield '"allow_fallbacks" lets other providers answer: leave it out'
    if _CACHE & {name.lower() for name in model.headers}:
        yield "the header X-OpenRouter-Cache lets old answers be given again: leave it out"


def is_other(model: Model, answered: str | None, provider: str | None, canonical: str | None = None) -> bool:
    """Whether, in rated play, another model or a provider that was not pinned answered. `canonical` is the endpoint's own name
    for the model, from its list. OpenRouter always names model and provider, so a reply without them counts as another one;
    other servers may leave them out."""
    if not model.rated:
        return False
    if answered is None:
        return model.is_openrouter or not _is_pinned(model, provider)
    names = (model.name, canonical) if canonical else (model.name,)
    return not any(is_same_model(name, answered) for name in names) or not _is_pinned(model, provider)


def is_same_model(asked: str, answered: str) -> bool:
    """Whether both names are the same model's: equal, or one date is added (`vendor/model-2026-01-05`), or no vendor named."""
    asked, answered = asked.strip().lower(), answered.strip().lower()
    base, _, suffix = asked.rpartition(":")
    names = {asked, base if suffix in _UNCHANGED_BY else asked}
    names |= {name.rpartition("/")[2] for name in names}
    return any(answered.startswith(name) and _DATED.fullmatch(answered[len(name) :]) for name in names)


def _is_pinned(model: Model, provider: str | None) -> bool:
    routing = model.parameters.get("provider")
    pinned = routing.get("only") or routing.get("order") if isinstance(routing, Mapping) else None
    if not isinstance(pinned, (list, tuple)):
        return True
    if provider is None:
        return not model.is_openrouter
    return _letters(provider) in {_letters(str(slug).partition("/")[0]) for slug in pinned}


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
