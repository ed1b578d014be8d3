"""`tabletop prompts render LOG --at N` and `ask`: the messages of a logged decision with any pack, and other answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Annotated

import games
from games.core import counted
from runner.agents.factory import check_spec
from runner.agents.log_trust import check_logged
from runner.agents.named_spec import resolved, seat_spec
from runner.agents.spec import Spec, is_model
from runner.cli.command_environment import TrustFolder, load_environment, with_trust
from runner.cli.newest_log import named_or_newest
from runner.cli.options import AsJson, LogOrNewest, PackFolder, budget_option, option
from runner.cli.output import print_diff, say, say_json
from runner.digest import canonical
from runner.errors import UsageError
from runner.llm.budget import message_tokens
from runner.llm.request import Message
from runner.prompting.pack import PromptPack
from runner.prompting.vocabulary import named_skin
from runner.record.reader import read_sound_part
from runner.screen.consoles import report_loading, results
from runner.screen.safe_text import block, clean
from runner.workshop.new_pack import unified
from runner.workshop.prompted_decision import PromptedDecision, TrialReplies, ask_again, prompted_decision

At = Annotated[int, option("Number of the decision, as in `replay`.", "N", "--at")]


def render(
    at: At,
    log: LogOrNewest = None,
    pack: PackFolder = None,
    attempt: Annotated[int | None, option("Number of the attempt. [default: the last]", "N")] = None,
    skin: Annotated[
        str | None,
        option("Words: a skin of the pack, or a seed. [default: as the model read them]", "NAME|SEED"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the exact messages of a logged decision with a prompt pack, and their differences from those sent.

    Examples: tabletop prompts render match.jsonl --at 12 · tabletop prompts render match.jsonl --at 12 --pack my-prompts
    """
    decision = prompted_decision(read_sound_part(named_or_newest(log)), at)
    number = max(1, len(decision.attempts)) if attempt is None else attempt
    if not 1 <= number <= max(1, len(decision.attempts)):
        raise UsageError(f"--attempt {number}: decision {at} has {counted(len(decision.attempts), 'attempt')}.")
    used = PromptPack(pack)
    words = decision.skin if skin is None else named_skin(skin, decision.state.game.name, used)
    messages = words.data(decision.messages(used, number))
    sent = words.data(decision.sent(number)) if decision.attempts else []
    lines = list(unified(text_of(sent), text_of(messages), "sent", used.name)) if sent else []
    if as_json:
        facts = {"at": at, "seat": decision.ask.seat, "role": decision.ask.question.role, "attempt": number}
        facts |= {"pack": used.name, "skin": words.name or None}
        say_json({**facts, "messages": messages, "sent": sent or None, "tokens": message_tokens(messages), "diff": lines})
        return
    console = results()
    console.print(f"{_heading(decision)} About {message_tokens(messages)} tokens.", soft_wrap=True)
    for message in messages:
        console.print(f"\n[{message['role']}]", style="bold")
        console.print(block(message["content"]), soft_wrap=True)
    if not sent:
        say(f"\nNo messages were sent: {'the rules' if decision.how == 'forced' else decision.spec.text} decided.")
    elif not lines:
        say("\nThese are exactly the messages that were sent.")
    else:
        say(f"\nDifferences from the messages that were sent (pack {decision.pack}):")
        print_diff(lines)


def text_of(messages: Sequence[Message]) -> str:
    return "\n".join(f"[{message['role']}]\n{message['content']}\n" for message in messages)


def _heading(decision: PromptedDecision) -> str:
    return f"Decision {decision.at}: P-{decision.ask.seat}, {decision.ask.question.role}, {decision.state.phase.name}."


def ask(
    at: At,
    log: LogOrNewest = None,
    model: Annotated[str | None, option("Model to ask. [default: that of the seat]", "SPEC", "--seat")] = None,
    pack: PackFolder = None,
    times: Annotated[int, option("Number of questions.", "K", min=1, max=1000)] = 5,
    budget: Annotated[float | None, budget_option("Maximum cost in USD.")] = None,
    mistakes: Annotated[float, option("Error rate of the offline model.", "RATE", min=0, max=1)] = 0.0,
    trust_folder: TrustFolder = False,
    as_json: AsJson = False,
) -> None:
    """Ask a model K times what it would decide, and compare its answers with the logged one.

    Example: tabletop prompts ask match.jsonl --at 12 --seat openai/gpt-5-mini --times 10 --budget 0.10
    """
    environment = load_environment()
    decision = prompted_decision(read_sound_part(named_or_newest(log)), at)
    spec = resolved(decision.spec, environment) if model is None else seat_spec(model, environment)
    if model is None:
        with_trust(trust_folder, partial(check_logged, {decision.ask.seat: spec}, (), environment, has_number=False))
    check_spec(spec, games.load(decision.state.game.name), environment)
    if not is_model(spec):
        whose = f"Decision {at} was made by {spec}" if model is None else f"--seat {spec} is not a model"
        raise UsageError(f"{whose}; only models get prompts: specify one with --seat.")
    report_loading()
    replies = asyncio.run(ask_again(decision, spec, PromptPack(pack), times, environment, budget, mistakes))
    if as_json:
        facts = {"at": decision.at, "seat": decision.ask.seat, "role": decision.ask.question.role, "model": spec.text}
        logged = {"logged": decision.action, "how": decision.how, "legal": replies.legal}
        found = {"answers": dict(replies.counts.most_common()), "replies": [asdict(reply) for reply in replies.replies]}
        say_json({**facts, **logged, **found})
    else:
        _print_replies(decision, spec, replies)
    if replies.stop is not None:
        raise replies.stop


def _print_replies(decision: PromptedDecision, spec: Spec, found: TrialReplies) -> None:
    replies, total, counts = found.replies, len(found.replies), found.counts
    logged = None if decision.action is None else canonical(decision.action)
    shown = "struck out" if decision.action is None else json.dumps(decision.action, ensure_ascii=False)
    lines = [_heading(decision), f"Logged ({decision.spec}, {decision.how}): {shown}"]
    lines.append(f"{spec} asked {counted(total, 'time')}:")
    for words, count in counts.most_common():
        lines.append(f"  {count:>4}  {count / total:>4.0%}  {words}" + ("  = logged" if words == logged else ""))
    lines += [f"        wrong: {why}" for why in dict.fromkeys(reply.why for reply in replies if reply.wrong)]
    for line in lines:
        say(clean(line))
    prompt = sum(reply.prompt_tokens for reply in replies) / total
    completion = sum(reply.completion_tokens for reply in replies) / total
    agrees = "" if logged is None else f", {counts[logged]} as logged"
    say(f"{found.legal} of {total} legal{agrees}.")
    say(f"{prompt:,.0f} + {completion:,.0f} tokens per reply, ${sum(reply.cost for reply in replies):.4f} in total.")
