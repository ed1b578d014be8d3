"""`tabletop agents` and `tabletop models`: the players that `.env` and `agents.toml` define, and the models of an endpoint."""

import asyncio
import json

import typer

from games.core import quoted
from runner.agents.model_seats import endpoint_of, has_key
from runner.agents.spec import fill_seats, installed
from runner.cli.command_environment import load_environment
from runner.cli.output import say, say_json
from runner.errors import AccountError, Exit, PausedError
from runner.llm.address import without_password
from runner.llm.model_list import ModelEntry
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean
from runner.session.match_defaults import faults_of

_OPENROUTER = "https://openrouter.ai/api/v1"
_MOST_SEATS = 8
_LONGEST = 4000
_Facts = dict[str, object]
"""What is known of an agent or of the defaults, by name."""


def agents(as_json: bool = False) -> None:
    """List the agents of agents.toml and of installed packages, the players of free seats, and the defaults of `play`."""
    environment = load_environment()
    free = [without_password(spec.named_text) for spec in fill_seats([], _MOST_SEATS, environment).specs]
    keys = {name: has_key(name, environment) for name in environment.agents}
    entries = {**environment.agents, **environment.programs}
    named: list[_Facts] = [{"agent": name, "has_key": keys.get(name, True), **one.shown} for name, one in entries.items()]
    functions = {name: f"{found.module}:{found.name}" for name, found in installed().items()}
    wrong = faults_of(environment)
    defaults = environment.defaults if isinstance(environment.defaults, dict) else {}
    if as_json:
        say_json({"agents": named, "installed": functions, "free_seats": free, "defaults": defaults, "wrong": wrong})
    else:
        _print(named, functions, free, defaults, wrong)
    if wrong:
        raise typer.Exit(Exit.ACCOUNT)


def _print(named: list[_Facts], installed: dict[str, str], free: list[str], defaults: _Facts, wrong: list[str]) -> None:
    lines = []
    for agent in named:
        facts = _shown({name: value for name, value in agent.items() if name not in ("agent", "has_key")})
        lines.append(f"{agent['agent']}: {facts}{'' if agent['has_key'] else '; its key is not set'}")
    lines += [f"{name}: installed function {function}" for name, function in installed.items()]
    if not named:
        lines.append("No agents: agents.toml is missing or empty." if not wrong else "No agents.")
    for spec in dict.fromkeys(free):
        seats = ", ".join(f"P-{seat}" for seat, filler in enumerate(free) if filler == spec)
        lines.append(f"free seats {seats}: {spec}")
    lines += [f"defaults of play: {_shown(defaults)}"] if defaults else []
    for line in (*lines, *(f"WRONG {fault}" for fault in wrong)):
        say(clean(line, _LONGEST))


def _shown(facts: _Facts) -> str:
    words = {name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for name, value in facts.items()}
    return ", ".join(f"{name} {word}" for name, word in words.items())


def models(search: str = "", endpoint: str = _OPENROUTER, as_json: bool = False) -> None:
    """List the models of an endpoint: prices in USD per million tokens, context length, answer format."""
    wanted = search.casefold()
    found = [one for one in asyncio.run(_entries(endpoint)) if wanted in f"{one.name} {one.title or ''}".casefold()]
    if as_json:
        say_json([_facts(entry) for entry in found])
        return
    for entry in found:
        facts = _facts(entry)
        price = "price unknown" if facts["prompt"] is None else f"${facts['prompt']:g} in, ${facts['completion']:g} out"
        context = "" if facts["context"] is None else f", {facts['context']:,} tokens of context"
        goes = "" if entry.expires is None else f", until {clean(entry.expires)}"
        say(f"{clean(entry.name)}: {price}{context}, answer format {facts['form']}{goes}")
    if not found:
        print_note(f"No model at {endpoint} matches {quoted(search)}.")


async def _entries(at: str) -> tuple[ModelEntry, ...]:
    """The models of an endpoint. AccountError when it needs another key, PausedError when it lists none."""
    from runner.llm.client import Client

    async with Client() as client:
        model = endpoint_of(at, load_environment())
        found = await client.models(model)
        is_refused = not found and (await client.inspect(model)).accepts_key is False
    if is_refused:
        what = f"the key in {model.key_variable} was refused" if model.key else model.why_no_key
        raise AccountError(f"The endpoint {at}: {what}.")
    if not found:
        raise PausedError(f"The endpoint {at} returned no list of models: it is unreachable or does not support listing.")
    return found


def _facts(entry: ModelEntry) -> dict[str, object]:
    from runner.llm.negotiation import best_form
    from runner.llm.request import AnswerForm

    form = AnswerForm.STRICT_SCHEMA if entry.supported is None else best_form(entry.supported)
    return {
        "name": entry.name,
        "title": entry.title,
        "context": entry.context_length,
        "most_reply_tokens": entry.max_reply_tokens,
        "prompt": None if entry.prices is None else entry.prices.prompt * 1e6,
        "completion": None if entry.prices is None else entry.prices.completion * 1e6,
        "parameters": None if entry.supported is None else sorted(entry.supported),
        "form": form.value,
        "expires": entry.expires,
        "efforts": list(entry.efforts),
    }
