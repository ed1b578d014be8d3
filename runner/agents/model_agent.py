"""Model agent: a seat that a language model plays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from games.core import Question, Schema
from runner.agents.conversation import LEFT_OUT, Conversation, filtered_view, written_texts
from runner.agents.own_fields import (
    BELIEF,
    NOTES,
    POLICY,
    REASON,
    asked_question,
    bare_question,
    complete,
    drawn_answer,
    label_question,
    label_schema,
    labelled_answers,
    order_of,
    ordered,
    policy_of,
    policy_rng,
    prompt_options,
    read_reply,
    stated_chances,
)
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, JsonRecord, Mistake, Report
from runner.agents.settings import DEFAULT_SETTINGS, PLAY, SeatSettings
from runner.llm.call import Attempt
from runner.llm.negotiation import has_reasoned, is_set_to_reason, learnt_from_json, learnt_to_json
from runner.llm.negotiation import in_words as learnt_in_words
from runner.llm.outcome import (
    AccountProblem,
    Configuration,
    Delivered,
    Infrastructure,
    InputRefused,
    ModelMistake,
    NoLogprobs,
    Outage,
    PromptTooLong,
)
from runner.llm.request import AnswerForm, Message, Model, Request, field_names, reply_limit, unsent_parameters
from runner.llm.skin import PLAIN, Skin
from runner.llm.strict_json import Unreadable
from runner.prompting.pack import PromptPack, prompt_context

if TYPE_CHECKING:
    from runner.llm.client import Client

_MOST_REPEATED = 2000
_LEARNT, _AT = "learnt", "at"
ORDER = "order"
"""The field of an attempt with the drawn order of choices."""

_ROOM_FOR_REASON = 300
"""Tokens of a reply that hold a reason of 60 words and any answer."""
_OWN_KINDS = {"refused", "empty"}
"""Kinds of unreadable answers that keep their own kind in the log."""


class LlmAgent(Agent):
    """A model at an endpoint, asked with the templates of a prompt pack, in one `form` of answer and the words of a `skin`.
    `most_reply_tokens` bounds a reply."""

    def __init__(
        self,
        client: Client,
        model: Model,
        form: AnswerForm,
        pack: PromptPack,
        settings: SeatSettings = DEFAULT_SETTINGS,
        skin: Skin = PLAIN,
    ) -> None:
        self._client, self._skin = client, skin
        self._model, self.name = model, model.name
        self.form = AnswerForm.TEXT if settings.help == "none" else form
        self._pack = pack
        self._settings = settings
        self.most_reply_tokens = reply_limit(model)
        self.past = Conversation(settings, self.most_reply_tokens)
        self._session = token_hex(16)

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The model's answer, parsed. PausedError for an outage or a spent budget, AccountError for a permanent refusal. A
        prompt that exceeds the context is sent again with half of the seat's past, repeatedly. A prompt that a content filter
        refuses, or that is refused for no known reason, is sent again once, without the past and other players' text. What was
        left out stays out of all later prompts. Where that is refused too, the request's form is to blame, and changes."""
        ask = ordered(ask, self._settings)
        if self._settings.policy and not ask.mistakes and (drawn := await self._by_policy(ask, report)) is not None:
            return drawn
        is_filtered, keeps_form, bare = False, True, bare_question(ask.question, self._settings.help)
        question = complete(bare, self._settings, self.asks_reason, ask.can_talk, self._propositions(ask))
        while True:
            messages = self.messages(ask, question, is_filtered)
            request = self.request(ask, question, messages, is_filtered)
            request = replace(request, keeps_form=keeps_form and (is_filtered or request.quotes_others))
            try:
                outcome, facts = await self._completed(request, is_filtered, report)
                self.past.add(ask, messages[_place_of_question(messages, ask)], outcome.reply.text, is_filtered)
                if self._settings.choices == "shuffled" and (order := order_of(bare.schema["properties"])):
                    facts[ORDER] = order
                return self._read(ask, field_names(question.schema), bare.schema, outcome, facts)
            except InputRefused as refused:
                if request.quotes_others:
                    is_filtered = True
                elif request.keeps_form and refused.of_form:  # what others wrote is not to blame
                    is_filtered = keeps_form = False
                else:
                    raise
            except PromptTooLong:
                if not self.past.shrink(ask.number):
                    raise

    async def _by_policy(self, ask: DecisionRequest, report: Report) -> AgentReply | None:
        """Ask for the policy at a question: the answer drawn from it, where the model plays it. Otherwise it is reported,
        and the model answers by itself, as it does where there is no policy: the question has free text, the model reasons
        before it answers, or its endpoint gives no log-probabilities or no answer."""
        known, rng = self._client.capabilities(self._model), policy_rng(ask)
        answers = labelled_answers(ask, rng)
        if not answers or not known.logprobs or known.reasons or is_set_to_reason(self._model.parameters):
            return None
        question = bare_question(ask.question, self._settings.help)
        messages = self.messages(ask, question)
        asked = {**messages[-1], "content": f"{messages[-1]['content']}\n\n{label_question(answers)}"}
        request = self.request(ask, question, [*messages[:-1], asked])
        try:
            wanted = replace(request, schema=label_schema(answers), is_label=True)
            outcome, facts = await self._completed(wanted, False, report)
        except (Outage, AccountProblem, NoLogprobs):
            return None
        if (tokens := outcome.reply.tokens) is not None and (policy := policy_of(answers, tokens)) is not None:
            facts[POLICY] = policy
            draw = round(rng.random(), 9)
            if self._settings.policy == PLAY and (drawn := drawn_answer(policy, draw)) is not None:
                policy["draw"] = draw
                self.past.add(ask, messages[-1], _said(drawn), False)
                return AgentReply(data=drawn, text=outcome.reply.text, facts=facts)
        await report({**facts, "outcome": "policy"})
        return None

    async def _completed(
        self, request: Request, is_filtered: bool, report: Report
    ) -> tuple[Delivered | ModelMistake, JsonRecord]:
        """The outcome of a call, and the facts of its last attempt; the other attempts have been reported."""
        last: Attempt | None = None

        async def on_attempt(attempt: Attempt) -> None:
            nonlocal last
            last = attempt
            if not request.is_label:
                self.past.note_limit(attempt.body)
            if isinstance(attempt.outcome, Infrastructure | Configuration):
                await report(self._facts(attempt, is_filtered))

        outcome = await self._client.complete(request, on_attempt=on_attempt)
        assert last is not None
        return outcome, self._facts(last, is_filtered)

    def _facts(self, attempt: Attempt, is_filtered: bool) -> JsonRecord:
        """An attempt for the log, with the parameters and text left out of it."""
        outcome = attempt.outcome
        facts: JsonRecord = {"try": attempt.number, "request": attempt.body, "form": attempt.form.value}
        if isinstance(outcome, Infrastructure | Configuration):
            name = "infrastructure" if isinstance(outcome, Infrastructure) else "configuration"
            facts |= {"outcome": name, "what": outcome.kind, "why": outcome.why}
        facts |= {"reply": outcome.reply.to_json() if outcome.reply else None, "latency": round(attempt.latency, 3)}
        facts |= {"charged": attempt.charged_usd, "charged_tokens": attempt.charged_tokens}
        if names := unsent_parameters(self._model, attempt.capabilities):
            facts["left_out"] = list(names)
        if known := learnt_to_json(attempt.capabilities):
            facts[_LEARNT] = {**known, _AT: self._model.base_url}
        return facts | self.past.facts(is_filtered)

    @property
    def most_memory_tokens(self) -> int:
        """The maximum tokens of its past in a prompt."""
        return self.past.bound if self._settings.memory == "full" else 0

    @property
    def unsent_parameters(self) -> tuple[str, ...]:
        """The parameters set for this model that its endpoint is known not to take."""
        return unsent_parameters(self._model, self._client.capabilities(self._model))

    @property
    def notes(self) -> tuple[str, ...]:
        """How its requests differ from what was set, in sentences about them; unsent parameters are not repeated."""
        return learnt_in_words(self._client.capabilities(self._model))

    def _read(
        self, ask: DecisionRequest, asked: frozenset[str], bare: Schema, outcome: Delivered | ModelMistake, facts: JsonRecord
    ) -> AgentReply:
        """The answer in a reply: the game's fields are those of `bare`, the agent's own the others of `asked`."""
        reply, own = outcome.reply, asked - field_names(bare)
        facts |= {REASON: ""} if REASON in own else {}
        if isinstance(outcome, ModelMistake):
            return AgentReply(mistake=Mistake(outcome.kind, reply.text, outcome.why), text=reply.text, facts=facts)
        try:
            read = read_reply(reply.text, bare, own, reply.is_complete)
        except Unreadable as error:
            kind = error.kind if error.kind in _OWN_KINDS else "unreadable"
            return AgentReply(mistake=Mistake(kind, reply.text, error.why), text=reply.text, facts=facts)
        self.past.take_notes(read.notes)
        notes = {} if self.past.notes is None else {NOTES: self.past.notes}
        facts |= {"repaired": read.is_repaired, **notes}
        facts |= {BELIEF: stated_chances(read.belief, self._propositions(ask))} if BELIEF in own else {}
        return AgentReply(data=read.data, text=reply.text, facts=facts, say=read.say, reason=read.reason)

    def remember(self, ask: DecisionRequest, attempt: JsonRecord) -> None:
        """Take in an attempt from a log: its notes or the exchange, the bounds of its prompt, what its endpoint showed. Of an
        attempt of another player, who held the seat before, only the answer to the question."""
        ask, is_filtered, reply = ordered(ask, self._settings), self.past.fit(attempt), attempt.get("reply") or {}
        is_own = "reply" in attempt and (attempt.get("request") or {}).get("model", self.name) == self.name
        known = {_AT: self._model.base_url, **(attempt.get(_LEARNT) or {})}
        if is_own and known.pop(_AT) == self._model.base_url:
            self._client.recall(self._model, learnt_from_json(known), has_reasoned(reply))
        self.past.take_notes(attempt.get(NOTES) if is_own else None)
        if is_filtered:  # before the messages are rendered
            self.past.refused |= written_texts(ask)
        if self._settings.memory != "full":
            self.past.recap(ask, ask.view, is_filtered)  # which hears the events of a summary
            return
        question = asked_question(ask.question, self._settings, REASON in attempt, ask.can_talk, propositions_in(attempt))
        messages = self.messages(ask, question, is_filtered)
        said = str(reply.get("text", "")) if is_own and POLICY not in attempt else _said(attempt.get("answer"))
        self.past.add(ask, messages[_place_of_question(messages, ask)], said, is_filtered)

    @property
    def asks_reason(self) -> bool:
        """Whether the model is asked for a reason now: with "auto", unless it reasons by itself or has no room for one."""
        if self._settings.reason != "auto":
            return self._settings.reason == "always"
        if is_set_to_reason(self._model.parameters) or self.most_reply_tokens < _ROOM_FOR_REASON:
            return False
        return not self._client.capabilities(self._model).reasons

    def question(self, ask: DecisionRequest) -> Question:
        """The question as this model is asked it."""
        shown = ordered(ask, self._settings).question
        return asked_question(shown, self._settings, self.asks_reason, ask.can_talk, self._propositions(ask))

    def _propositions(self, ask: DecisionRequest) -> Sequence[str]:
        return ask.propositions() if self._settings.belief else ()

    def messages(self, ask: DecisionRequest, question: Question, is_filtered: bool = False) -> list[Message]:
        """The exact messages for a question: the role's prompt, then each invalid answer and what was wrong with it. With
        `is_filtered` the past, other players' text, and the model's own words, which may quote it, are left out."""
        is_base, explains = self._model.is_base, self._settings.help != "none"
        prints_schema = explains and not is_base and not self.form.carries_schema
        # The plain template of base models shows no tools.
        prints_form = explains and is_base and self.form is not AnswerForm.STRICT_SCHEMA
        hidden = written_texts(ask) if is_filtered else self.past.refused
        view = filtered_view(ask.view, hidden) if hidden else ask.view
        told = None if is_filtered else self.past.told(ask.number)
        own = self._settings
        context = prompt_context(
            view,
            question,
            prompt_options(ask.setup),
            prints_schema,
            prints_form=prints_form,
            lists_legal=own.help == "legal",
            told=told,
            recap=self.past.recap(ask, view, bool(hidden)),
            talk=[line._asdict() for line in ask.talk if line.text not in hidden],
            notes="" if is_filtered and self.past.notes else self.past.notes,
            persona=own.persona,
            advice=own.advice,
            lists_singly=own.choices == "shuffled",
        )
        messages = self._pack.render(view["game"], question.role, context)
        messages[-1:-1] = [] if is_filtered else self.past.before(ask.number)
        strikes = ask.setup.options.strikes
        for count, mistake in enumerate(map(_without_words, ask.mistakes) if is_filtered else ask.mistakes, 1):
            why = mistake.why if own.help == "legal" else mistake.brief or mistake.why  # with the legal answers, or without
            told = {**context, "mistake": replace(mistake, why=why), "count": count, "strikes": strikes}
            told |= {"left": strikes - count, "limit": self.past.limit}
            messages.append({"role": "assistant", "content": mistake.text[:_MOST_REPEATED] or "(no answer)"})
            messages.append({"role": "user", "content": self._pack.render_text("shared/reask.j2", told)})
        return messages

    def request(
        self, ask: DecisionRequest, question: Question, messages: Sequence[Message], is_filtered: bool = False
    ) -> Request:
        """The request with the messages of a question. The conversation up to the question is repeated, mistakes are not."""
        grows = self._settings.memory == "full" and not is_filtered
        repeated = _place_of_question(messages, ask) if grows else 0
        own = self.past.notes or self.past.before(ask.number) or ask.mistakes
        quotes_others = not is_filtered and bool(own or written_texts(ask) - self.past.refused)
        about = repeated, quotes_others, self._session, self._skin
        return Request(self._model, tuple(messages), question.schema, self.form, *about)


def propositions_in(attempt: Mapping[str, Any]) -> list[str]:
    """The propositions that a logged attempt was asked about."""
    return [stated["text"] for stated in attempt.get(BELIEF, ())]


def _place_of_question(messages: Sequence[Message], ask: DecisionRequest) -> int:
    """Where the message with the question is, before any answer to it."""
    return len(messages) - 1 - 2 * len(ask.mistakes)


def _said(answer: object) -> str:
    return json.dumps(answer, ensure_ascii=False)


def _without_words(mistake: Mistake) -> Mistake:
    return replace(mistake, text="", answer=None if mistake.answer is None else LEFT_OUT)
