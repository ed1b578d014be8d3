"""Pack change: what the saved files of a pack do: faults, the prompts that read them, and how these differ from before."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, Self

from games.core import Game, seat_name
from games.search.cases import Case, corpus
from games.search.fields import RoleReach
from runner.llm.budget import message_tokens
from runner.llm.request import Message
from runner.prompting.pack import PromptPack
from runner.prompting.template_deps import templates_in_use
from runner.record.reader import read_log
from runner.workshop.case_prompts import context_of, joined, reaches
from runner.workshop.lint.case_checks import check_change
from runner.workshop.lint.issues import Issue
from runner.workshop.new_pack import unified
from runner.workshop.prompted_decision import PromptedDecision, prompted_decisions

_MATCHES = 16
_CHECKED, _MEASURED = 24, 12
"""Decisions that are rendered to find faults, and to count tokens."""


class ShownDecision(NamedTuple):
    """A decision whose prompt can be shown with any pack: where it is, in words, its role, and its first messages."""

    title: str
    role: str
    messages: Callable[[PromptPack], list[Message]]


@dataclass(frozen=True)
class TriedDecisions:
    """The decisions that changes are tried on: `cases` of bots for faults, `shown` to people. `reach` has the names that
    templates of each role can use."""

    game: Game
    cases: Sequence[Case]
    shown: Sequence[ShownDecision]
    reach: dict[str, RoleReach]

    @classmethod
    def of(cls, game: Game, logs: Sequence[Path]) -> Self:
        """Decisions of logs of the game, without any of bots."""
        cases = list(corpus(game, _MATCHES))
        shown = [_logged(one) for path in logs for one in prompted_decisions(read_log(path))] if logs else map(_of_case, cases)
        return cls(game, cases, list(shown), reaches(game, cases))

    def of_roles(self, roles: Collection[str]) -> list[Case]:
        """Some cases of these roles, one of each in turn."""
        by_role = [[case for case in self.cases if case.question.role == role] for role in sorted(roles)]
        turns = [(place, turn, case) for turn, cases in enumerate(by_role) for place, case in enumerate(cases)]
        return [case for _, _, case in sorted(turns, key=lambda one: one[:2])][:_CHECKED]


def _of_case(case: Case) -> ShownDecision:
    def messages(pack: PromptPack) -> list[Message]:
        return pack.render(case.game.name, case.question.role, context_of(case, prints_schema=False))

    return ShownDecision(f"{case.question.role}, {case.description()}", case.question.role, messages)


def _logged(one: PromptedDecision) -> ShownDecision:
    role = one.ask.question.role
    title = f"{role}, decision {one.at} of {one.log.path.name}, {seat_name(one.ask.seat)}"
    return ShownDecision(title, role, partial(one.messages, attempt=1))


@dataclass(frozen=True)
class PackChange:
    """The step from one state of a pack to another, in which the templates `names` differ. Each pack is a folder that stays as
    it is."""

    tried: TriedDecisions
    before: PromptPack
    now: PromptPack
    names: Collection[str]

    @cached_property
    def roles(self) -> set[str]:
        """The roles whose prompts read what differs."""
        used = [templates_in_use(pack, self.tried.game) for pack in (self.before, self.now)]
        return {role for parts in used for role, names in parts.items() if not {*names}.isdisjoint(self.names)}

    def issues(self, saved: Collection[str]) -> list[Issue]:
        """The faults and notes of the files that were saved."""
        cases = self.tried.of_roles(self.roles & self.tried.game.roles.keys() or self.tried.game.roles)
        return check_change(self.now, self.tried.game, saved, cases, self.tried.reach)

    @cached_property
    def shown(self) -> list[ShownDecision]:
        """The decisions whose prompts may differ."""
        return [one for one in self.tried.shown if one.role in self.roles]

    def difference(self, number: int = 0, step: int = 1) -> tuple[int, str, list[str]]:
        """The decision whose prompt differs, `number` or the next one in steps of 1 or -1: its number, title and difference; no
        lines if there is none. PromptError for a prompt that cannot be rendered."""
        for place in range(number, number + step * len(self.shown), step):
            one = self.shown[place % len(self.shown)]
            texts = [joined(one.messages(pack)) for pack in (self.before, self.now)]
            if lines := list(unified(texts[0], texts[1], "before", "now")):
                return place % len(self.shown), one.title, lines
        return number, "", []

    def tokens(self) -> tuple[int, int]:
        """The estimated tokens of a prompt that may differ, on average before and now."""
        some = self.shown[:: max(1, len(self.shown) // _MEASURED)][:_MEASURED] or self.tried.shown[:_MEASURED]
        before, now = (sum(message_tokens(one.messages(pack)) for one in some) for pack in (self.before, self.now))
        return round(before / max(1, len(some))), round(now / max(1, len(some)))
