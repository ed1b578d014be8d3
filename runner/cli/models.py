"""`tabletop models`: the models of an endpoint."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.errors import AccountError, PausedError
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.llm.model_list import ModelEntry

app = new_app()

_OPENROUTER = "https://openrouter.ai/api/v1"


@app.command()
def models(
    search: Annotated[
        str, typer.Option("--search", help="Only models whose name or title contains TEXT.", metavar="TEXT")
    ] = "",
    at: Annotated[str, typer.Option("--at", help="Base URL of the endpoint, or `offline`.", metavar="BASE_URL")] = _OPENROUTER,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the models of an endpoint: prices in USD per million tokens, context length, answer format.

    Example: tabletop models --search mini
    """
    found = [entry for entry in asyncio.run(_entries(at)) if _has(entry, search)]
    if as_json:
        say_json([_facts(entry) for entry in found])
        return
    for entry in found:
        facts = _facts(entry)
        price = "price unknown" if facts["prompt"] is None else f"${facts['prompt']:g} in, ${facts['completion']:g} out"
        context = "" if facts["context"] is None else f", {facts['context']:,} tokens of context"
        say(f"{clean(entry.name)}: {price}{context}, answer format {facts['form']}")
    if not found:
        print_note(f"No model at {at} matches {search!r}.")


async def _entries(at: str) -> tuple[ModelEntry, ...]:
    """The models of an endpoint. AccountError when it needs another key, PausedError when it lists none."""
    from runner.agents.resolve import endpoint_of
    from runner.cli.config_files import load_settings
    from runner.llm.client import Client

    async with Client() as client:
        model = endpoint_of(at, load_settings())
        found = await client.models(model)
        is_refused = not found and (await client.inspect(model)).accepts_key is False
    if is_refused:
        what = f"the key in {model.key_variable} was refused" if model.key else model.why_no_key
        raise AccountError(f"The endpoint {at}: {what}.")
    if not found:
        raise PausedError(f"The endpoint {at} returned no list of models: it is unreachable or does not support listing.")
    return found


def _has(entry: ModelEntry, text: str) -> bool:
    return text.casefold() in f"{entry.name} {entry.title or ''}".casefold()


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
    }
