"""`tabletop prompts render LOG --at N`: the messages of a logged decision with any pack."""

from collections.abc import Sequence

from games.core import counted
from games.scenes import Heading
from runner.cli.options import LogOrNewest, PackFolder, named_or_newest
from runner.cli.output import print_diff, say, say_json
from runner.errors import UsageError
from runner.llm.budget import message_tokens
from runner.llm.request import Message
from runner.prompting.pack import PromptPack
from runner.prompting.vocabulary import named_skin
from runner.record.reader import read_sound_part
from runner.screen.consoles import results
from runner.screen.safe_text import block
from runner.workshop.new_pack import unified
from runner.workshop.prompted_decision import PromptedDecision, prompted_decision


def render(
    at: int,
    log: LogOrNewest = None,
    pack: PackFolder = None,
    attempt: int | None = None,
    skin: str | None = None,
    as_json: bool = False,
) -> None:
    """Show the exact messages of a logged decision with a prompt pack, and their differences from those sent."""
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
    console.print(f"{heading(decision)} · about {message_tokens(messages)} tokens", soft_wrap=True)
    for message in messages:
        console.print(f"\n[{message['role']}]", style="bold")
        console.print(block(message["content"]), soft_wrap=True)
    if not sent:
        say(f"\nNo messages were sent: {'the rules' if decision.how == 'forced' else decision.spec.text} decided.")
    elif not lines:
        say("\nThese are exactly the messages that were sent.")
    else:
        say(f"\nDifferences from the messages that were sent (pack {decision.prompts.get('pack', 'unknown')}):")
        print_diff(lines)


def text_of(messages: Sequence[Message]) -> str:
    return "\n".join(f"[{message['role']}]\n{message['content']}\n" for message in messages)


def heading(decision: PromptedDecision) -> str:
    return f"Decision {decision.at}: P-{decision.ask.seat}, {decision.ask.question.role} · {Heading.of(decision.state).phase}"
