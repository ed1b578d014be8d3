"""Own fields: a question as a model is asked it, with a drawn order of choices, and a reason, beliefs, a line of talk and notes
beside the fields of the game; and what a reply says in them, the same when it arrives and when its log is read.

The policy of a model, the probability of each legal answer, is that of letters that stand for the answers: the model is sent
the question once more, with a letter for each answer, and asked for `{"letter": "A"}`, by the schema where the endpoint takes
one. A letter is one token with most tokenizers, so the likely tokens in its place have the probabilities of all answers,
however many tokens those have. The tokens of the answer itself would not do: an endpoint gives those of the one answer that it
sampled, and the others begin alike. Letters are given out in a drawn order, so that no answer gains by its letter in many
questions. The model has no room for a reason before the letter. Where it writes one before its own answer, the policy is that
of a model that answers at once. It is exactly the policy that played where the answer was drawn from it.
"""

import json
import math
import re
import string
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import games
from games.core import Answer, Choices, Question, Rng, Schema, Setup, answer_schema, free_text, quoted
from runner.agents.protocol import LONGEST_LINE, DecisionRequest, clean_line
from runner.agents.settings import Help, SeatSettings
from runner.digest import JsonObject
from runner.llm.outcome import Token
from runner.llm.parse_answer import extract
from runner.llm.request import field_names, without_values
from runner.llm.strict_json import Unreadable

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


def with_dependencies(fields: Mapping[str, Schema], choices: Choices) -> dict[str, Schema]:
    """The fields; the description of each that depends on the first one says which values go with which."""
    closed = [name for name, field in fields.items() if "enum" in field]
    if len(closed) < 2:
        return dict(fields)
    first, *others = closed
    found = dict(fields)
    for name in others:
        if said := _dependency(first, name, [choice.answer for choice in choices]):
            found[name] = {**fields[name], "description": f"{fields[name]['description']}; {said}"}
    return found


def _dependency(first: str, name: str, answers: Sequence[Mapping[str, Any]]) -> str:
    """The values of a field with each value of the first one; "" if they are always the same."""
    fitting: dict[Any, dict[Any, None]] = {}
    for answer in answers:
        fitting.setdefault(answer[first], {})[answer[name]] = None
    alike: dict[tuple[Any, ...], list[Any]] = {}
    for value, values in fitting.items():
        alike.setdefault(tuple(values), []).append(value)
    if len(alike) < 2:
        return ""
    return "; ".join(f"with {first} {_listed(heads)}: {_listed(values)}" for values, heads in alike.items())


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)


REASON = "reason"
BELIEF = "belief"
SAY = "say"
NOTES = "notes"

LONGEST_NOTES = 1000
"""Characters of private notes that are kept."""

_BEFORE = {REASON: "think here first: why you decide as you do, in about 60 words; no other player sees it"}
_AFTER = {
    SAY: f"what you say aloud to the whole table, at most {LONGEST_LINE} characters; an empty string to stay silent",
    NOTES: f"your private notes for your later decisions, at most {LONGEST_NOTES} characters; nobody else sees them",
}


def with_own_fields(fields: Mapping[str, Schema], names: Collection[str]) -> dict[str, Schema]:
    """The game's fields with these own ones: a reason before them, talk and notes after them. The game's own names win."""
    wanted = set(names) - fields.keys()
    first, last = ({name: free_text(told[name]) for name in told if name in wanted} for told in (_BEFORE, _AFTER))
    return {**first, **fields, **last}


def belief_field(propositions: Sequence[str]) -> Schema:
    """The field in which a model states how likely it finds each proposition. Percentages in a plain array, because every
    endpoint takes that in a strict schema."""
    listed = "; ".join(f"({number}) {text}" for number, text in enumerate(propositions, 1))
    told = (
        "before you decide, how likely you find each of these statements, as whole percentages from 0 to 100 in this order;"
        f" no other player sees it: {listed}"
    )
    return {"type": "array", "items": {"type": "integer"}, "description": told}


def taken_off(data: Mapping[str, object], names: Collection[str]) -> tuple[dict[str, object], dict[str, object]]:
    """The answer without own fields, also those inside one wrapping object, and those fields."""
    taken = {name: value for name, value in data.items() if name in names}
    rest = {name: value for name, value in data.items() if name not in names}
    if len(rest) == 1 and isinstance(inner := next(iter(rest.values())), dict):
        bare, wrapped = taken_off(inner, names)
        return dict.fromkeys(rest, bare), {**wrapped, **taken}
    return rest, taken


def in_words(reason: object) -> str:
    """A reason as text; another value as JSON, nothing for none."""
    return reason if isinstance(reason, str) else "" if reason is None else json.dumps(reason, ensure_ascii=False)


def asked_question(
    question: Question,
    settings: SeatSettings,
    asks_reason: bool = False,
    can_talk: bool = False,
    propositions: Sequence[str] = (),
) -> Question:
    """A question as a model with these settings is asked it, with the fields beside the game's."""
    return complete(bare_question(question, settings.help), settings, asks_reason, can_talk, propositions)


def complete(
    bare: Question, settings: SeatSettings, asks_reason: bool, can_talk: bool, propositions: Sequence[str] = ()
) -> Question:
    """A bare question with the fields beside the game's: a belief, if there are propositions to believe."""
    asked = {REASON: asks_reason, SAY: can_talk, NOTES: settings.memory == "notes"}
    own = {BELIEF: belief_field(propositions)} if propositions and BELIEF not in bare.schema["properties"] else {}
    names = {name for name, is_asked in asked.items() if is_asked}
    shown = with_own_fields({**own, **bare.schema["properties"]}, names)
    return bare._replace(schema=answer_schema(**shown))


def bare_question(question: Question, help: Help) -> Question:
    """The question with the fields of the game alone. `help`: "legal" lists the legal answers, in words and in the schema's
    enums; "shape" and "kaggle" give only the fields and their types, "none" too, for a prompt that describes them in words."""
    if help == "legal":
        return question._replace(schema=answer_schema(**with_dependencies(question.schema["properties"], question.choices)))
    shown = without_values(question.schema)["properties"]
    return question._replace(consequences="", choices=Choices(), schema=answer_schema(**shown))


def prompt_options(setup: Setup) -> dict[str, object]:
    """The options a prompt may state: all that are plain numbers and text."""
    return {name: value for name, value in setup.options.to_json().items() if not isinstance(value, (list, dict))}


_LINE = re.compile(r'^- "([^"\n]*)"[^\n]*(?:\n  [^\n]*)*', re.MULTILINE)
"""A value of a field with what it does, in the text of consequences, and the lines below that belong to it."""


def shuffled(ask: DecisionRequest) -> DecisionRequest:
    """The request with the values of each closed field, the choices and the lines about them in a drawn order. It is the same
    when the question is asked again."""
    rng, question = replace(ask, mistakes=()).rng("choices"), ask.question
    drawn = {
        name: {**field, "enum": list(rng.shuffled(field["enum"]))} if "enum" in field else field
        for name, field in question.schema["properties"].items()
    }
    order = order_of(drawn)

    def places(answer: Mapping[str, Any]) -> list[int]:
        return [values.index(answer[name]) if answer.get(name) in values else 0 for name, values in order.items()]

    choices = tuple(sorted(question.choices, key=lambda choice: places(choice.answer))) if order else question.choices
    told = _in_order(question.consequences, [str(value) for values in order.values() for value in values])
    whole = question._replace(schema=answer_schema(**drawn), choices=Choices(lambda: tuple(choices)), consequences=told)
    return replace(ask, question=whole)


def ordered(ask: DecisionRequest, settings: SeatSettings) -> DecisionRequest:
    """The request with its choices in the order that a model with these settings is shown."""
    return shuffled(ask) if settings.choices == "shuffled" else ask


def order_of(fields: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The values of each closed field with several, in the order in which they are shown."""
    return {name: list(field["enum"]) for name, field in fields.items() if len(field.get("enum", ())) > 1}


def _in_order(text: str, values: Sequence[str]) -> str:
    """A text whose lines about values are in the order of these; other lines keep their places."""
    lines = [line for line in _LINE.finditer(text) if line[1] in values]
    ordered = iter(sorted(lines, key=lambda line: values.index(line[1])))
    ends = [0, *(line.end() for line in lines)]
    parts = [text[end : line.start()] + next(ordered)[0] for end, line in zip(ends, lines, strict=False)]
    return "".join(parts) + text[ends[-1] :]


class ReplyAnswer(NamedTuple):
    """What a reply says: the answer's data, the reason, the line of talk, the notes and the belief as they were sent."""

    data: dict[str, object]
    reason: str
    say: str
    notes: object
    belief: object
    is_repaired: bool


def read_reply(text: str, schema: JsonObject | None, own: Collection[str], is_complete: bool = True) -> ReplyAnswer:
    """The answer in a text, which fits `schema` if there are several objects, without the fields `own`. Raises Unreadable. What
    can be read of a text that may be cut off is read just so from a complete one."""
    read = extract(text, schema, is_complete=is_complete)
    data, said = taken_off(read.data, own)
    say = clean_line(said.get(SAY))
    return ReplyAnswer(data, in_words(said.get(REASON)), say, said.get(NOTES), said.get(BELIEF), read.is_repaired)


def stated_chances(belief: object, propositions: Sequence[str]) -> list[dict[str, object]]:
    """The probability that a model states for each proposition, as the log has it; None where it states none."""
    found = belief if isinstance(belief, list) else []
    chances = [_chance(found[place]) if place < len(found) else None for place in range(len(propositions))]
    return [{"text": text, "chance": chance} for text, chance in zip(propositions, chances, strict=True)]


def _chance(stated: object) -> float | None:
    is_percentage = isinstance(stated, int | float) and not isinstance(stated, bool) and 0 <= stated <= 100
    return round(float(str(stated)) / 100, 4) if is_percentage else None


def unread(attempt: Mapping[str, Any], schema: JsonObject, seat: Mapping[str, Any], can_talk: bool) -> str | None:
    """Why the answer of a logged attempt to a question of this schema is not that of its reply, in words; None when it is, or
    when no model answered. `seat` is the model's seat in the header."""
    reply = attempt.get("reply")
    if not reply or "form" not in attempt:
        return None
    if POLICY in attempt:
        return f"seat {attempt['seat']} answers what its policy does not give by the draw" if undrawn(attempt) else None
    bare = bare_question(Question("", dict(schema), ""), SeatSettings.of_record(seat).help).schema
    own = {name for name in (REASON, NOTES, BELIEF) if name in attempt} | ({SAY} if can_talk else set())
    said = (attempt["answer"], attempt.get("reason", ""), attempt.get("say", ""))
    for known in (bare, None):  # earlier versions read without the schema
        try:
            found = read_reply(reply.get("text", ""), known, own - field_names(bare))
        except Unreadable:
            continue
        if (found.data, found.reason, found.say if can_talk else "") == said:
            return None
    return f"seat {attempt['seat']} answers {quoted(attempt['answer'])} by the log, and its reply says something else"
