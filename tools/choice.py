"""Choice: the tests that changes may break, and those of them that are worth their time.

A module of tests is within reach if it depends on a changed file (`tools.dependencies`), or has words that a change takes away
(`tools.wording`). It is worth the more the nearer it is, the fewer others are as near, and the more names it shares with the
changes. What is worth most for its time (`tools.costs`) is chosen. Dear tests are chosen one by one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from math import log
from typing import NamedTuple

from tools.changes import Change
from tools.dependencies import Project, is_test
from tools.wording import Corpus, Text, Wording, text_of

ALWAYS = ("tests/test_layers.py", "tests/docs/test_measured.py")
"""Modules of tests that look at nearly every file."""
PAGE = "tests/docs/test_examples.py::test_examples_print_what_they_claim[{}]"
SECONDS = 42.0
"""The time of the tests that are chosen, but for those that have changed themselves."""

MUST = 1000.0
"""What a test is worth that has changed itself."""
_IMPORTING, _FAR, _LIKE, _QUOTING, _ROOM, _CONTRACT, _PLAYING, _PAGE = 4.0, 1.0, 4.0, 6.0, 2.0, 100.0, 1.0, 6.0
_ELSEWHERE = 0.2
"""The share of its worth that a test keeps if it does not name the game that has changed."""

_UNKNOWN = 1.0
"""Seconds that a module without a known cost takes."""
_START = 0.3
"""Seconds that every test takes beside its own: to be collected and reported."""
_HUB = 12
"""The wording of a helper of more modules than this is not theirs."""
_ROOMS = {"prompts": "prompting", "decks": "games"}
"""The folder of tests for a folder of data, where its name is another."""
_BLOCK = re.compile(r"^(?:```|<!-- ).*?^(?:```|-->)$", re.DOTALL | re.MULTILINE)
_FUNCTION = re.compile(r"^( *)(?:async )?def (test_\w+)\(.*?(?=^\1\S|\Z)", re.DOTALL | re.MULTILINE)


class Candidate(NamedTuple):
    """A dear test, or a class or a module (no `test`) with its tests that are not dear: its seconds and its worth."""

    module: str
    test: str
    seconds: float
    worth: float

    @property
    def name(self) -> str:
        """How pytest calls it."""
        return self.test or self.module

    @property
    def rank(self) -> tuple[float, str]:
        """By what it is worth for its time, the best first."""
        return -self.worth / (self.seconds + _START) ** 0.8, self.name


class Choice(NamedTuple):
    """The candidates that are to be run, those that are left out for their time, and those that the changes cannot break."""

    run: list[Candidate]
    left_out: list[Candidate]
    beside: list[Candidate]

    @property
    def modules(self) -> list[str]:
        """The modules of the tests that are run, the best first."""
        return list(dict.fromkeys(one.module for one in self.run))


def choose(candidates: Iterable[Candidate], seconds: float = SECONDS) -> Choice:
    """As many of the best as their time allows. A class and a module are run with the first of their dear tests."""
    found = sorted(candidates, key=lambda one: one.rank)
    known = {one.name: one for one in found}
    chosen: dict[str, Candidate] = {}
    left = seconds
    for one in found:
        above = (known[name] for name in (one.module, one.name.rpartition("::")[0]) if name in known)
        wanted = {each.name: each for each in (one, *above) if each.name not in chosen}
        cost = sum(each.seconds for each in wanted.values() if each.worth < MUST)
        if one.worth >= MUST or (one.worth and cost <= left):
            chosen |= wanted
            left -= cost
    others = [one for one in found if one.name not in chosen]
    return Choice([*chosen.values()], [one for one in others if one.worth], [one for one in others if not one.worth])


class Suite:
    """The tests of a project. `costs` are the seconds of modules and dear tests."""

    def __init__(self, project: Project, costs: Mapping[str, float]) -> None:
        self.project = project
        self.costs = costs

    @cached_property
    def distances(self) -> dict[str, dict[str, int]]:
        """What each module depends on."""
        return {test: self.project.distances(test) for test in self.project.tests}

    @cached_property
    def texts(self) -> dict[str, Text]:
        """The wording of each module, with that of helpers that few others have."""
        direct = self.project.direct
        used = Counter(other for test in self.project.tests for other in direct[test])
        return {
            test: text_of(*(self.project.text(path) for path in (test, *direct[test]) if _is_own(path, test, used[path])))
            for test in self.project.tests
        }

    @cached_property
    def corpus(self) -> Corpus:
        """The wording of all modules."""
        return Corpus(self.texts.values())

    @cached_property
    def dear(self) -> dict[str, dict[str, Text]]:
        """The classes and the dear tests of each module, and the pages whose examples it runs, with their wording."""
        found: dict[str, dict[str, Text]] = {module: {} for module in self.project.tests}
        for name in sorted({*self.costs, *map(PAGE.format, self._pages)}):
            module, _, test = name.partition("::")
            if test and module in found:
                found[module][name] = text_of(name, self._function(module, test), self._page(name))
        return found

    @cached_property
    def _pages(self) -> list[str]:
        return sorted(path for path in self.project.files if re.fullmatch(r"(?:docs/)?[\w-]+\.md", path))

    def _page(self, test: str) -> str:
        return next((self.project.text(path) for path in self._pages if f"[{path}]" in test), "")

    @cache  # noqa: B019 -- a suite lives as long as its process
    def played(self, test: str) -> frozenset[str]:
        """The games that the examples of a page name, if the test runs them."""
        examples = " ".join(_BLOCK.findall(self._page(test)))
        return frozenset(game for game in self.project.games if re.search(rf"\b{game}\b", examples))

    def _function(self, module: str, test: str) -> str:
        """The text of the function of a test: in its module, or one of `games.testing`."""
        name = test.partition("[")[0].rpartition("::")[2]
        return self._functions(module).get(name) or self._functions("games/testing/").get(name, "")

    @cache  # noqa: B019 -- a suite lives as long as its process
    def _functions(self, start: str) -> dict[str, str]:
        paths = (path for path in self.project.files if path.startswith(start) and path.endswith(".py"))
        return {found[2]: found[0] for path in paths for found in _FUNCTION.finditer(self.project.text(path))}


class Reach:
    """What some changes may break."""

    def __init__(self, suite: Suite, changes: Sequence[Change]) -> None:
        self._suite = suite
        self._paths = [change.path for change in changes]
        self._wording = Wording(changes, suite.corpus)

    def candidates(self) -> Iterator[Candidate]:
        """All tests; what the changes cannot break is worth nothing."""
        costs = self._suite.costs
        for module, text in self._suite.texts.items():
            yield Candidate(module, "", costs.get(module, _UNKNOWN), self._worth(module, "", text))
            for test, own in self._suite.dear[module].items():
                yield Candidate(module, test, costs.get(test, 0.0), self._worth(module, test, own))

    def _worth(self, module: str, test: str, text: Text) -> float:
        if module in self._paths or (module in ALWAYS and not test) or test in map(PAGE.format, self._paths):
            return MUST
        worth = _QUOTING * self._wording.quoting(text) + self._nearness(module, test, text)
        return worth and worth + _LIKE * self._wording.likeness(text)

    def _nearness(self, module: str, test: str, text: Text) -> float:
        """What a test is worth by the files that it depends on."""
        on = self._suite.distances[module]
        return max((self._near(module, test, text, path) for path in self._paths if path in on), default=0.0)

    def _near(self, module: str, test: str, text: Text, path: str) -> float:
        is_direct = self._suite.distances[module][path] < 2
        modules = len(self._suite.texts)
        worth = log(1 + modules / self._many[path, is_direct]) / log(1 + modules) * (_IMPORTING if is_direct else _FAR)
        top, _, rest = path.partition("/")
        room = rest.partition("/")[0]
        worth += _ROOM * module.startswith((f"tests/{room}/", f"tests/games/{room}/", f"tests/{_ROOMS.get(top, top)}/"))
        if top in ("games", "decks") and module.startswith("tests/contract/"):
            worth += _CONTRACT if not test or test.rpartition("::")[2].startswith("Test") else _IMPORTING
        worth += _PAGE * (top != "prompts" and bool(self._suite.played(test) & self._games[path]))
        return worth * self._playing(test or module, text, self._games[path])

    @cached_property
    def _games(self) -> dict[str, frozenset[str]]:
        return {path: self._suite.project.games_of(path) for path in self._paths}

    def _playing(self, name: str, text: Text, changed: frozenset[str]) -> float:
        """The share of its worth that a test keeps when games have changed: none if it is of another game by its name."""
        if not changed:
            return 1.0
        called = {one for one in self._suite.project.games if one in name or one.replace("_", "") in name.lower()}
        if called and not called & changed:
            return 0.0
        return 1.0 + _PLAYING * bool(called) if changed & (called | text.names) else _ELSEWHERE

    @cached_property
    def _many(self) -> Counter[tuple[str, bool]]:
        """How many modules depend on each changed file: directly, or farther."""
        distances = self._suite.distances.values()
        return Counter((path, on[path] < 2) for on in distances for path in self._paths if path in on)


def _is_own(path: str, test: str, used: int) -> bool:
    return path == test or (path.startswith("tests/") and not is_test(path) and used <= _HUB)
