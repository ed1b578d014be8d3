"""Skins: no word of the game is left in any prompt, every text translates back, and vocabularies that are no bijection."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.search.cases import corpus
from runner.agents.own_fields import asked_question
from runner.agents.settings import SeatSettings
from runner.digest import JsonObject
from runner.errors import UsageError
from runner.llm.offline import phrase
from runner.llm.skin import PLAIN, Skin
from runner.prompting.pack import PromptPack
from runner.prompting.vocabulary import named_skin, words_of
from runner.workshop.case_prompts import PackRenderer, context_of, joined
from tests.cli.command import tabletop

NAMES = ("neutral", "0", "99999999999999999999")
PACK = PromptPack()


class Texts(NamedTuple):
    """What the prompts of a game say, each once: lines (no word goes beyond its line), schemas, answers; and their roles."""

    roles: set[str]
    lines: set[str]
    schemas: dict[str, JsonObject]
    answers: dict[str, JsonObject]


@cache
def prompts(game: str) -> Texts:
    """What decisions of all kinds are asked, reasons, notes and talk asked for."""
    found, renderer = Texts(set(), set(), {}, {}), PackRenderer(PACK, {})
    for case in corpus(games.load(game), 12):
        question = asked_question(case.question, SeatSettings(memory="notes"), asks_reason=True, can_talk=True)
        context = {**context_of(case), "question": question, "fields": question.schema["properties"], "notes": "nothing"}
        found.roles.add(question.role)
        found.schemas[schema := json.dumps(question.schema)] = question.schema
        found.lines.update([schema, *joined(renderer.render(case, context)).split("\n")])
        found.answers.update((json.dumps(choice.answer), choice.answer) for choice in question.choices)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", games.names())
def test_no_word_of_the_game_is_left_in_any_prompt(game: str, name: str) -> None:
    skin, asked = named_skin(name, game, PACK), prompts(game)
    assert asked.roles == {*games.load(game).roles}
    terms = {word.lower() for word in skin.words}
    stems = tuple(term for term in terms if len(term) > 4)
    left = words_of(skin.text("\n".join(asked.lines)))
    assert not terms & left
    assert not [word for word in left if word.startswith(stems)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", games.names())
def test_every_prompt_and_every_answer_translates_back(game: str, name: str) -> None:
    skin, asked, seen = named_skin(name, game, PACK), prompts(game), set()
    assert skin.text(skin.text(whole := "\n".join(asked.lines))) == whole
    for schema in asked.schemas.values():
        assert skin.data(skin.data(schema)) == schema
    for answer in asked.answers.values():
        read = json.dumps(skin.data(answer), ensure_ascii=False)
        assert json.loads(skin.text(read)) == answer
        seen.add(read)
    assert len(seen) == len({skin.text(read) for read in seen}) == len(asked.answers)


@cache
def phrases() -> list[str]:
    """Lines of the offline model."""
    return [phrase(random.Random(seed)) for seed in range(300)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", games.names())
def test_lines_of_the_offline_model_have_no_word_of_a_skin(game: str, name: str) -> None:
    skin = named_skin(name, game, PACK)
    assert skin.text(said := "\n".join(phrases())) == said


SKIN = Skin("test", {"duke": "steward", "tax": "levy", "DixiQuote": "OverTones", "aid": "ubu"})
WORDS = st.sampled_from(
    ["duke", "Steward", "TAX", "levy", "DixiQuote", "\\", "n", "u", "\\u00e9", "_", " ", '"', "aid", "é", "1"]
)


@given(st.one_of(st.text(), st.lists(WORDS).map("".join)))
def test_any_text_translates_back(text: str) -> None:
    assert SKIN.text(SKIN.text(text)) == text


def test_a_translation_keeps_case_and_leaves_escapes_and_other_words() -> None:
    assert SKIN.text('{"say": "I\\nDuke"} DUKE, dukes, Duke\'s tax_aid DixiQuote') == (
        '{"say": "I\\nSteward"} STEWARD, dukes, Steward\'s levy_ubu OverTones'
    )
    assert SKIN.text("steward") == "duke"
    assert not PLAIN
    assert PLAIN.text("Duke") == "Duke"


def test_a_drawn_skin_follows_from_its_seed() -> None:
    one, same, other = (named_skin(seed, "coup", PACK) for seed in ("7", "7", "8"))
    assert one == same != other
    assert [*map(len, one.words)] == [*map(len, one.words.values())]
    assert one.words["steals"] == f"{one.words['steal']}s"


def packs(folder: Path, *texts: str) -> Iterator[PromptPack]:
    for number, text in enumerate(texts):
        place = folder / str(number) / "coup"
        place.mkdir(parents=True)
        (place / "skins.toml").write_text(text)
        yield PromptPack(place.parent)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[x]\nduke = "captain"\ncaptain = "duke"', "twice"),
        ('[x]\nduke = "steward"\ntax = "Levy"', "no word of 2 to 30 letters"),
        ('[x]\nduke = "steward"\ntax = "steward"', "twice"),
        ('[x]\nduke = "coins"', 'the prompts say "coins" already'),
        ('[x]\nduke = "schema"', "a meaning of its own"),
        ('[x]\n"duke dukes" = "steward"', "needs as many words"),
        ('[x]\n"" = ""', "needs as many words"),
        ('[x]\nduke = "DixiQuote"', "both in lower case"),
        ("[x]\nduke = 7", "needs as many words"),
        ('[x]\nduke = "steward"\n[y]\ntax = "levy"', "differ in the term"),
        ('[7]\nduke = "steward"', "no number"),
        ("", "write a table of terms"),
        ("[x", "is not TOML"),
    ],
)
def test_a_vocabulary_that_is_no_bijection_is_refused(text: str, why: str, tmp_path: Path) -> None:
    (pack,) = packs(tmp_path, text)
    with pytest.raises(UsageError, match=why):
        named_skin("x", "coup", pack)


def test_a_pack_brings_its_own_skins(tmp_path: Path) -> None:
    good, odd = packs(tmp_path, '[pirates]\n"duke dukes" = "admiral admirals"', '[x]\n"steal stolen" = "seize seizen"')
    assert named_skin("pirates", "coup", good).text("Dukes") == "Admirals"
    assert [*named_skin("3", "coup", good).words] == ["duke", "dukes"]
    with pytest.raises(UsageError, match="do not begin alike"):
        named_skin("3", "coup", odd)


def test_a_game_without_words_to_exchange_says_where_to_list_them() -> None:
    with pytest.raises(UsageError, match=r"list them in nogame/skins.toml of a prompt pack"):
        named_skin("neutral", "nogame", PACK)
    with pytest.raises(UsageError, match='coup has "neutral"'):
        named_skin("nobody", "coup", PACK)


def test_a_tournament_with_an_unknown_skin_is_refused_before_it_begins(tmp_path: Path) -> None:
    done = tabletop(
        tmp_path, "tournament", "--game", "coup", "--seat", "offline", "--seat", "bot:steady", "--skin", "nobody", "-q"
    )
    assert (done.returncode, [*tmp_path.iterdir()]) == (2, [])
    assert '--skin "nobody": coup has "neutral", and one drawn from a seed' in done.stderr
