"""Feature tokens: what beliefs, reasons, talk, shuffled choices, skins and policies add to a decision, by Gemma's tokenizer.

`make real` has the model. Nothing is generated: prompts are those of decisions of random play, replies those of the offline
model, which fills every field. `prompt` and `reply` are tokens of a decision, `schema` those of the answer's schema, which
some endpoints count and llama.cpp does not. A policy is a request more: `again` is the part of its prompt that the question's
prompt begins with, which caches hold.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import games
from games.search.cases import Case, corpus
from runner.agents.environment import Environment
from runner.agents.model_agent import LlmAgent
from runner.agents.model_seats import model_of
from runner.agents.own_fields import bare_question, label_question, label_schema, labelled_answers, ordered, policy_rng
from runner.agents.protocol import DecisionRequest
from runner.agents.settings import SeatSettings
from runner.agents.spec import parse_spec
from runner.llm.client import Client
from runner.llm.offline import OfflineModel
from runner.llm.request import AnswerForm
from runner.llm.skin import PLAIN
from runner.prompting.pack import PromptPack
from runner.prompting.vocabulary import named_skin
from runner.workshop.prompt_cost import letters_in_common
from tools.campaigns.control_tokens import asking
from tools.campaigns.real import prepare, say

WAYS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "reason": {"reason": "always"},
    "belief": {"belief": True},
    "talk": {"talk": True},
    "choices": {"choices": "shuffled"},
    "skin": {"skin": "neutral"},
    "skin 7": {"skin": "7"},
    "policy": {"policy": True},
    "all": {"reason": "always", "belief": True, "talk": True, "choices": "shuffled", "skin": "neutral", "policy": True},
}
ROW = "{:<16}{:<10}{:>8}{:>8}{:>8}{:>8}{:>8}"


def texts(case: Case, way: Mapping[str, Any]) -> dict[str, str]:
    """What a decision sends and gets, in parts."""
    skin = named_skin(way["skin"], case.state.game.name, PromptPack()) if "skin" in way else PLAIN
    own = {name: value for name, value in way.items() if name not in ("skin", "talk")}
    settings = SeatSettings(**{"reason": "never", **own})
    model = model_of(parse_spec("offline"), Environment({}))  # type: ignore[arg-type]
    agent = LlmAgent(Client(), model, AnswerForm.STRICT_SCHEMA, PromptPack(), settings, skin)
    asked = DecisionRequest.of(case.state, case.seat, case.number)
    ask = ordered(replace(asked, can_talk="talk" in way), settings)
    question = agent.question(ask)
    messages = agent.messages(ask, question)
    request = agent.request(ask, question, messages)
    body = request.body()
    document = json.loads(OfflineModel().handle("POST", "/chat/completions", request.headers, json.dumps(body).encode()).body)
    reply = document["choices"][0]["message"]["content"]
    found = {"prompt": _prompt(body), "schema": json.dumps(body["response_format"]["json_schema"]["schema"]), "reply": reply}
    if settings.policy and (answers := labelled_answers(ask, policy_rng(ask))):
        bare = bare_question(ask.question, settings.help)
        again = agent.messages(ask, bare)
        again[-1] = {**again[-1], "content": f"{again[-1]['content']}\n\n{label_question(answers)}"}
        more = _prompt(agent.request(ask, bare, again).body())
        found |= {"more": more, "again": more[: letters_in_common(found["prompt"], more)]}
        found["schema"] += json.dumps(label_schema(answers))
        found["reply"] += '{"letter": "A"}'
    return found


def _prompt(body: Mapping[str, Any]) -> str:
    return "\n".join(message["content"] for message in body["messages"])


def main(path: Path) -> None:
    """Print the means for each game and way."""
    ask = asking(path)

    def tokens(text: str) -> int:
        return len(ask("tokenize", content=text, add_special=False, parse_special=False)["tokens"])

    say(ROW.format("game", "with", "prompt", "more", "again", "schema", "reply"))
    for game in sys.argv[1:] or games.names():
        cases = [*corpus(games.load(game), 12)]
        for name, way in WAYS.items():
            found = [texts(case, way) for case in cases]
            means = [
                mean([tokens(one[part]) for one in found if part in one] or [0])
                for part in ("prompt", "more", "again", "schema", "reply")
            ]
            say(ROW.format(game, name, *(f"{value:.0f}" for value in means)))


if __name__ == "__main__":
    main(prepare(None))
