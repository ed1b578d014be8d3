"""`tabletop prompts ask LOG --at N`: asks a model to make a logged decision again."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated

import typer

import games
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.cli.prompts.common import JsonFlag, PackOption
from runner.cli.prompts.render import At, LogName
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.agents.spec import Spec
    from runner.workshop.ask_again import TrialReplies
    from runner.workshop.prompted_decision import PromptedDecision

app = new_app()


@app.command()
def ask(
    log: LogName,
    at: At,
    model: Annotated[
        str | None,
        typer.Option("--model", help="Model to ask, a SPEC as for --seat. [default: that of the seat]", metavar="SPEC"),
    ] = None,
    pack: PackOption = None,
    times: Annotated[int, typer.Option("--times", help="Number of questions.", metavar="K", min=1, max=1000)] = 5,
    budget: Annotated[float | None, typer.Option("--budget", help="Maximum cost in USD.", metavar="USD")] = None,
    mistakes: Annotated[
        float, typer.Option("--mistakes", help="Error rate of the offline model.", metavar="RATE", min=0, max=1)
    ] = 0.0,
    as_json: JsonFlag = False,
) -> None:
    """Ask a model K times what it would decide, and compare its answers with the logged one.

    Example: tabletop prompts ask match.jsonl --at 12 --model openai/gpt-5-mini --times 10 --budget 0.10
    """
    from runner.agents.factory import check_spec
    from runner.agents.log_trust import check_logged
    from runner.agents.named_spec import resolved, seat_spec
    from runner.agents.spec import is_model
    from runner.cli.config_files import load_settings
    from runner.prompting.pack import PromptPack
    from runner.record.reader import read_sound_part
    from runner.screen.loading import report_loading
    from runner.workshop.ask_again import ask_again
    from runner.workshop.prompted_decision import prompted_decision

    settings = load_settings()
    decision = prompted_decision(read_sound_part(log), at)
    spec = resolved(decision.spec, settings) if model is None else seat_spec(model, settings)
    if model is None:
        check_logged({decision.seat: spec}, (), settings, "--model")
    check_spec(spec, games.load(decision.state.game.name), settings)
    if not is_model(spec):
        whose = f"Decision {at} was made by {spec}" if model is None else f"--model {spec} is not a model"
        raise UsageError(f"{whose}; only models get prompts: specify one with --model.")
    if budget is not None and budget <= 0:
        raise UsageError(f"--budget {budget}: expected more than 0 USD.")
    report_loading()
    replies = asyncio.run(ask_again(decision, spec, PromptPack(pack), times, settings, budget, mistakes))
    if as_json:
        say_json(_facts(decision, spec, replies))
    else:
        _print(decision, spec, replies)
    if replies.stop is not None:
        raise replies.stop


def _facts(decision: PromptedDecision, spec: Spec, replies: TrialReplies) -> dict[str, object]:
    from dataclasses import asdict

    return {
        "at": decision.at,
        "seat": decision.seat,
        "role": decision.question.role,
        "model": spec.text,
        "logged": decision.action,
        "how": decision.how,
        "legal": replies.legal,
        "answers": dict(replies.counts()),
        "replies": [asdict(reply) for reply in replies.replies],
    }


def _print(decision: PromptedDecision, spec: Spec, replies: TrialReplies) -> None:
    from runner.digest import canonical
    from runner.screen.safe_text import clean
    from runner.workshop.ask_again import same

    logged = "struck out" if decision.action is None else json.dumps(decision.action, ensure_ascii=False)
    say(clean(f"Decision {decision.at}: P-{decision.seat}, {decision.question.role}, {decision.state.phase.name}."))
    say(clean(f"Logged ({decision.spec}, {decision.how}): {logged}"))
    total = len(replies.replies)
    say(clean(f"{spec} asked {total} time{'' if total == 1 else 's'}:"))
    for words, count in replies.counts():
        mark = "  = logged" if decision.action is not None and words == canonical(decision.action) else ""
        say(clean(f"  {count:>4}  {count / total:>4.0%}  {words}{mark}"))
    for why in dict.fromkeys(reply.why for reply in replies.replies if reply.wrong):
        say(clean(f"        wrong: {why}"))
    prompt = sum(reply.prompt_tokens for reply in replies.replies) / total
    completion = sum(reply.completion_tokens for reply in replies.replies) / total
    cost = sum(reply.cost for reply in replies.replies)
    agrees = f", {same(decision.action, replies.replies)} as logged" if decision.action is not None else ""
    say(f"{replies.legal} of {total} legal{agrees}.")
    say(f"{prompt:,.0f} + {completion:,.0f} tokens per reply, ${cost:.4f} in total.")
