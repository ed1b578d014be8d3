"""Policy: the probability of each legal answer, from the log-probabilities of letters that stand for the answers.

The model is sent the question once more, with a letter for each legal answer, and asked for `{"letter": "A"}`, by the schema
where the endpoint takes one. A letter is one token with most tokenizers, so the likely tokens in its place have the
probabilities of all answers, however many tokens those have. The tokens of the answer itself would not do: an endpoint gives
those of the one answer that it sampled, and the others begin alike. Letters are given out in a drawn order, so that no answer
gains by its letter in many questions.

The model has no room for a reason before the letter. Where it writes one before its own answer, the policy is that of a model
that answers at once. It is exactly the policy that played where the answer was drawn from it.
"""

import json
import math
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import games
from games.core import Answer, Rng, Schema, answer_schema
from runner.agents.protocol import DecisionRequest
from runner.llm.outcome import Token

POLICY = "policy"
"""The field of an attempt."""

LABELS = string.ascii_uppercase + string.ascii_lowercase
_LABEL = re.compile(r""":\s*"([A-Za-z])(?![^\W_])|^\W*([A-Za-z])(?=[.,:)"'`*\n]|\s*$)""")
"""The label in a reply: the value of an object, or a letter alone."""

_DIGITS = 9


def policy_rng(ask: DecisionRequest) -> Rng:
    """The random numbers of a question's policy: first the order of its labels, then the draw."""
    return replace(ask, mistakes=()).rng(POLICY)


def labelled_answers(ask: DecisionRequest, rng: Rng) -> list[Answer]:
    """The legal answers in the order of their labels; none for free text, a single answer, or more answers than labels."""
    free = games.load(ask.view["game"]).free_text
    if any(name in free for name in ask.question.schema["properties"]):
        return []
    answers = ask.answers()
    return list(rng.shuffled(answers)) if 1 < len(answers) <= len(LABELS) else []


def label_question(answers: Sequence[Answer]) -> str:
    """What is asked below the question: the label of an answer."""
    said = (json.dumps(answer, ensure_ascii=False) for answer in answers)
    listed = "\n".join(f"{label}: {answer}" for label, answer in zip(LABELS, said, strict=False))
    wanted = 'This time, reply with the letter of your answer alone, at once and without a reason, as in {"letter": "?"}.'
    return f"Your legal answers, each with a letter:\n\n{listed}\n\n{wanted}"


def label_schema(answers: Sequence[Answer]) -> Schema:
    """The schema of the reply to that."""
    return answer_schema(letter={"type": "string", "enum": list(LABELS[: len(answers)]), "description": "your answer"})


def policy_of(answers: Sequence[Answer], tokens: Sequence[Token]) -> dict[str, Any] | None:
    """The policy as a log has it: for each answer the probability of its label, as a part of that of all labels; None for a
    label that is not among the likely tokens. `mass` is the probability of all listed labels, `unlisted` that of tokens that
    were not listed. None for a reply without a label."""
    if (place := _place_of_label(tokens)) is None:
        return None
    before, likely = place
    found, labels = dict[str, float](), LABELS[: len(answers)]
    for text, logprob in likely:
        rest = text.lstrip() if not before.strip() else text[len(before) :] if text.startswith(before) else ""
        if rest and rest[0] in labels and not rest[1:2].isalnum():
            found[rest[0]] = found.get(rest[0], 0.0) + math.exp(logprob)
    mass, listed = sum(found.values()), sum(math.exp(logprob) for _, logprob in likely)
    chances = [round(found[label] / mass, _DIGITS) if found.get(label) else None for label in labels]
    return {
        "answers": [{"answer": answer, "chance": chance} for answer, chance in zip(answers, chances, strict=True)],
        "mass": round(min(1.0, mass), _DIGITS),
        "unlisted": round(max(0.0, 1 - listed), _DIGITS),
    }


def _place_of_label(tokens: Sequence[Token]) -> tuple[str, Sequence[tuple[str, float]]] | None:
    """What the token with the label has before it, and the likely tokens in its place."""
    found = _LABEL.search("".join(token.text for token in tokens))
    at = -1 if found is None or found.lastindex is None else found.start(found.lastindex)
    for token in tokens:
        if 0 <= at < len(token.text):
            return token.text[:at], token.likely
        at -= len(token.text)
    return None


def drawn_answer(policy: Mapping[str, Any], draw: float) -> Answer | None:
    """The answer at a number from 0 to 1 in the sum of the probabilities; None for a policy without any."""
    answers = [one for one in policy["answers"] if one["chance"]]
    left = draw * sum(one["chance"] for one in answers)
    for one in answers:
        left -= one["chance"]
        if left < 0:
            break
    return one["answer"] if answers else None


def undrawn(attempt: Mapping[str, Any]) -> bool:
    """Whether the answer of a logged attempt says that it was drawn from its policy, and was not."""
    policy = attempt.get(POLICY, {})
    return "draw" in policy and drawn_answer(policy, policy["draw"]) != attempt.get("answer")
