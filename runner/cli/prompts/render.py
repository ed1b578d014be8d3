"""`tabletop prompts render LOG --at N`: the messages of a logged decision with any pack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from runner.cli.completion import complete_logs
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.cli.prompts.common import JsonFlag, PackOption, print_diff
from runner.llm.request import Message
from runner.llm.tokens import message_tokens
from runner.prompting.pack import PromptPack
from runner.record.reader import read_sound_part
from runner.workshop.new_pack import unified
from runner.workshop.prompted_decision import PromptedDecision, check_attempt, prompted_decision

app = new_app()
LogName = Annotated[Path, typer.Argument(help="Log of a match.", metavar="LOG", autocompletion=complete_logs)]
At = Annotated[int, typer.Option("--at", help="Number of the decision, as in `replay`.", metavar="N")]


@app.command()
def render(
    log: LogName,
    at: At,
    pack: PackOption = None,
    attempt: Annotated[
        int | None, typer.Option("--attempt", help="Number of the attempt. [default: the last]", metavar="N")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the exact messages of a logged decision with a prompt pack, and their differences from those sent.

    Examples: tabletop prompts render match.jsonl --at 12 · tabletop prompts render match.jsonl --at 12 --pack my-prompts
    """
    decision = prompted_decision(read_sound_part(log), at)
    number = max(1, len(decision.attempts)) if attempt is None else attempt
    check_attempt(decision, number)
    used = PromptPack(pack)
    messages = decision.messages(used, number)
    sent = decision.sent(number) if decision.attempts else []
    lines = list(unified(text_of(sent), text_of(messages), "sent", used.name)) if sent else []
    if as_json:
        facts = {"at": at, "seat": decision.seat, "role": decision.question.role, "attempt": number, "pack": used.name}
        say_json({**facts, "messages": messages, "sent": sent or None, "tokens": message_tokens(messages), "diff": lines})
        return
    _print(decision, messages)
    _print_difference(decision, bool(sent), lines)


def text_of(messages: Sequence[Message]) -> str:
    """Messages as one text."""
    return "\n".join(f"[{message['role']}]\n{message['content']}\n" for message in messages)


def _print(decision: PromptedDecision, messages: Sequence[Message]) -> None:
    from runner.screen.consoles import results
    from runner.screen.safe_text import block

    console = results()
    header = f"Decision {decision.at}: P-{decision.seat}, {decision.question.role}, {decision.state.phase.name}."
    console.print(f"{header} About {message_tokens(messages)} tokens.", soft_wrap=True)
    for message in messages:
        console.print(f"\n[{message['role']}]", style="bold")
        console.print(block(message["content"]), soft_wrap=True)


def _print_difference(decision: PromptedDecision, was_sent: bool, lines: list[str]) -> None:
    if not was_sent:
        say(f"\nNo messages were sent: {_who(decision)} decided.")
    elif not lines:
        say("\nThese are exactly the messages that were sent.")
    else:
        say(f"\nDifferences from the messages that were sent (pack {decision.played_with.get('pack', 'unknown')}):")
        print_diff(lines)


def _who(decision: PromptedDecision) -> str:
    return "the rules" if decision.how == "forced" else decision.spec.text
