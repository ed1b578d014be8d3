"""Vocabulary: the words of a game that a skin exchanges, from `skins.toml` beside its prompts, and skins drawn from a seed."""

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile

from games.core import Rng, listed, quoted
from runner.errors import UsageError
from runner.files import read_toml
from runner.llm.skin import RESERVED, WORD, Skin
from runner.prompting.pack import PromptPack, prompts_folder
from runner.prompting.template_errors import PromptError

FILE = "skins.toml"

_WORD = re.compile("[a-z]{2,30}|(?!.[a-z]*$|.[A-Z]*$)[a-zA-Z]{2,30}")
"""A word in lower case, or with capitals inside, such as DixiQuote. Other ways to write a word follow from lower case."""
_MOST_WORDS = 400
_SHORTEST_STEM = 3
"""Letters that all forms of a term have to begin with, so that drawn forms are known as one term."""

_VOWELS, _CONSONANTS, _RARE = "aeiou", "bdfgklmnprstvz", "jqvxz"
_PAIRS = ("zv", "kv", "vk", "zk", "vz", "jv")
"""Letters that no English word has side by side inside such a word."""

_SHORT = 4
"""Letters of a word that is drawn from rare consonants alone."""

_ENGLISH = {
    *("ave", "axe", "eve", "java", "jive", "juju", "ova", "oxo", "ozo", "vex", "viva", "vive", "viz", "vox", "zax", "zoo"),
}
_MOST_DRAWS = 1000


def named_skin(name: str, game: str, pack: PromptPack) -> Skin:
    """The skin that a name, or a whole number as a seed, stands for in a pack. UsageError for one that there is not, and for
    words that are no bijection or that the prompts of the game have."""
    skins = _skins(game, pack)
    terms = next(iter(skins.values()))
    used = {word for template in pack.names(game) for word in words_of(pack.source(template))}
    if name.isdecimal():
        words = dict(_drawn(terms, Rng.of("skin", int(name), prompts_folder(game)), used))
        check_words(words, f"The terms of {prompts_folder(game)}/{FILE}")
        return Skin(name, words)
    if name not in skins:
        raise UsageError(f"--skin {quoted(name)}: {game} has {listed(list(skins))}, and one drawn from a seed, as in --skin 7.")
    where, words = f"The skin {quoted(name)} of {prompts_folder(game)}/{FILE}", _pairs(skins[name])
    check_words(words, where)
    if shared := sorted(used & {word.lower() for word in words.values()}):
        raise UsageError(f"{where}: the prompts say {quoted(shared[0])} already, so that it cannot stand for another word.")
    return Skin(name, words)


def words_of(text: str) -> set[str]:
    """The words of a text, in lower case."""
    return {word.lower() for word in WORD.findall(text)}


def check_words(words: Mapping[str, str], where: str) -> None:
    """UsageError unless the words can be exchanged with one another: each is a plain word, and there is none of them twice."""
    both = [*words, *words.values()]
    if len(both) > 2 * _MOST_WORDS:
        raise UsageError(f"{where}: it has more than {_MOST_WORDS} words.")
    for word in both:
        if not isinstance(word, str) or _WORD.fullmatch(word) is None:
            raise UsageError(f"{where}: {quoted(word)} is no word of 2 to 30 letters from a to z.")
        if word.lower() in RESERVED:
            raise UsageError(f"{where}: {quoted(word)} has a meaning of its own in requests; choose another word.")
        if sum(word.lower() == one.lower() for one in both) > 1:
            raise UsageError(f"{where}: {quoted(word)} stands there twice, so that nobody could translate it back.")
    if other := next((one for one in words if one.islower() != words[one].islower()), None):
        raise UsageError(f"{where}: write {quoted(other)} and {quoted(words[other])} both in lower case.")


Terms = Mapping[str, str]
"""For each term its forms, and as many words in their place; both with blanks between them."""


def stems_of(game: str, pack: PromptPack) -> list[str]:
    """How the words of a game that skins exchange begin in all their forms; none where there are no skins."""
    try:
        return [_stem(forms.casefold()) for forms in next(iter(_skins(game, pack).values()))]
    except UsageError:
        return []


def _skins(game: str, pack: PromptPack) -> dict[str, Terms]:
    """The hand-written skins of a game, by name. All have the same terms."""
    name = f"{prompts_folder(game)}/{FILE}"
    try:
        found = read_toml(pack.source(name))
    except PromptError as error:
        raise UsageError(f"--skin: {game} has no words to exchange; list them in {name} of a prompt pack.") from error
    except ValueError as error:
        raise UsageError(f"The file {name} is not TOML: {error}.") from error
    tables: dict[str, Terms] = {skin: terms for skin, terms in found.items() if isinstance(terms, dict) and terms}
    if not found or tables.keys() != found.keys() or any(map(str.isdecimal, tables)):
        raise UsageError(f"The file {name}: write a table of terms for each skin, with a name that is no number: [neutral].")
    first = next(iter(tables))
    for skin, terms in tables.items():
        if other := next(iter(sorted(terms.keys() ^ tables[first].keys())), None):
            raise UsageError(f"The file {name}: the skins {first} and {skin} differ in the term {quoted(other)}.")
        for forms, words in terms.items():
            if not isinstance(words, str) or not len(words.split()) == len(forms.split()) > 0:
                raise UsageError(f"The file {name}, skin {skin}: {quoted(forms)} needs as many words in its place.")
    return tables


def _pairs(terms: Terms) -> dict[str, str]:
    return dict(zip(" ".join(terms).split(), " ".join(terms.values()).split(), strict=True))


def _stem(forms: str) -> str:
    """How all forms of a term begin."""
    return "".join(one[0] for one in takewhile(lambda one: len({*one}) == 1, zip(*forms.split(), strict=False)))


def _drawn(terms: Terms, rng: Rng, used: set[str]) -> Iterator[tuple[str, str]]:
    """Each form of a term with a word that nobody knows: its forms differ in their endings as those of the term do."""
    taken = {*used, *_ENGLISH, *RESERVED, *(form.lower() for forms in terms for form in forms.split())}
    for forms in terms:
        stem = _stem(forms)
        if len(stem) < min(_SHORTEST_STEM, len(forms)):
            raise UsageError(f"The forms {quoted(forms)} of a skin do not begin alike: make them terms of their own.")
        for _ in range(_MOST_DRAWS):
            word = _word(len(stem), stem[0].lower() in _VOWELS, rng)
            found = {form: _cased(word, stem) + form[len(stem) :] for form in forms.split()}
            if taken.isdisjoint(map(str.lower, found.values())):
                break
        else:
            raise UsageError(f"No word is left for {quoted(forms)}: a skin has too many terms.")
        taken.update(map(str.lower, found.values()))
        yield from found.items()


def _word(length: int, begins_with_vowel: bool, rng: Rng) -> str:
    """A word that can be spoken, as long as the one whose place it takes, so that tables stay aligned."""
    consonants = _RARE if length <= _SHORT else _CONSONANTS
    found = "" if begins_with_vowel else rng.choice(consonants)
    found += rng.choice(_VOWELS) + (rng.choice(_PAIRS) if length > _SHORT else "")
    while len(found) < length:
        found += rng.choice(consonants if found[-1] in _VOWELS else _VOWELS)
    return found[:length]


def _cased(word: str, like: str) -> str:
    return "".join(letter.upper() if other.isupper() else letter for letter, other in zip(word, like, strict=True))
