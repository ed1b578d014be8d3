"""Tweaking: a pack watched while it is edited. Every save is checked, shown, and put to a model beside the pack as it was.

What happens is told as events: objects with `event` and facts as JSON has them. A screen and JSON Lines show the same ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from games.core import Game, seat_name
from games.search.cases import Case, corpus
from games.search.fields import RoleReach
from runner.errors import TabletopError, UsageError
from runner.llm.budget import message_tokens
from runner.llm.request import Message
from runner.prompting.pack import PromptPack
from runner.prompting.template_deps import templates_in_use
from runner.prompting.template_errors import PromptError
from runner.record.log_folder import UNUSABLE
from runner.record.log_paths import COMPARISONS
from runner.record.reader import read_log
from runner.workshop.case_prompts import context_of, joined, reaches
from runner.workshop.lint.case_checks import check_change
from runner.workshop.lint.issues import FAULT, Issue
from runner.workshop.new_pack import unified
from runner.workshop.prompted_decision import PromptedDecision, prompted_decisions
from runner.workshop.tweak.pack_versions import KEPT, PackVersion, PackVersions

if TYPE_CHECKING:
    from runner.agents.environment import Environment
    from runner.agents.spec import Spec
    from runner.workshop.exam.exam import Purse
    from runner.workshop.exam.exam_results import Answered, ExamResults

LOOK = 0.2
"""Seconds between two looks at the files."""

DECISIONS = 40
"""Decisions that are asked after a save, and again for more."""

_SHOWN = 5
_DIGITS = 6

TweakEvent = dict[str, Any]


@dataclass(frozen=True)
class TweakAsking:
    """The player that is asked with both states of a pack, on which decisions, within which budget. `players` a match."""

    spec: Spec
    environment: Environment
    purse: Purse
    logs: Sequence[Path] = ()
    decisions: int = DECISIONS
    players: int | None = None


PackTrial = Callable[[TweakAsking, PackVersion, "PackChange"], Coroutine[Any, Any, None]]
"""What a change is put to: decisions, or matches."""


class Tweaking:
    """A pack that is being edited, from `run` to `quit`. `asking` None: no model is asked. `logs` of the game have the
    decisions that are shown, those of bots without any."""

    def __init__(
        self,
        versions: PackVersions,
        game: Game,
        asking: TweakAsking | None,
        tell: Callable[[TweakEvent], object],
        logs: Sequence[Path] = (),
    ) -> None:
        self.versions, self._game, self._asking, self._tell, self._logs = versions, game, asking, tell, logs
        self._packs = dict[str, PromptPack]()
        self._change: PackChange | None = None
        self._number = self._wanted = 0
        self._trial: asyncio.Task[None] | None = None
        self._doing: PackTrial | None = None
        self._next: PackTrial | None = None
        self._has_quit = asyncio.Event()

    async def run(self) -> None:
        """Watch until somebody quits. LogDamagedError for a log that cannot be read."""
        start = self.versions.tried[0]
        facts = {"pack": str(self.versions.folder), "game": self._game.name, "digest": start.digest}
        asked = None if self._asking is None else self._asking.spec.text
        self._tell({"event": "watching", **facts, "files": [*start.files], "seat": asked})
        logs = takewhile(lambda _: not self._has_quit.is_set(), self._logs)
        reading = asyncio.create_task(asyncio.to_thread(TriedDecisions.of, self._game, logs))
        try:
            while not self._has_quit.is_set():
                try:
                    if self.versions.look():
                        await self._saved(reading)
                except UsageError as error:
                    self._tell(self._fault(Issue(str(self.versions.folder), 0, "file", str(error))))
                if reading.done():
                    await reading
                if self._trial is not None and self._trial.done():
                    await self._stop()
                self._begin_next()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._has_quit.wait(), LOOK)
        finally:
            reading.cancel()
            await asyncio.gather(reading, self._stop(), return_exceptions=True)
            self.versions.close()
        self._tell({"event": "summary", "versions": [one.to_json() for one in self.versions.tried]})

    def quit(self) -> None:
        """End the session; answers that are on their way are waited for, unless somebody quits again."""
        if self._has_quit.is_set() and self._trial is not None:
            self._trial.cancel()
        self._has_quit.set()

    async def _saved(self, reading: asyncio.Task[TriedDecisions]) -> None:
        """Check what was saved, show what it changes, and ask about it."""
        now, start, self._change, self._next = self.versions.now, self.versions.tried[0], None, None
        if self._trial is not None:
            self._trial.cancel()
        self._tell({"event": "saved", "files": now.changed, "digest": now.digest})
        names = [name for name in {*now.files, *start.files} if now.files.get(name) != start.files.get(name)]
        change = PackChange(await reading, self._pack(start), self._pack(now), names)
        found = change.issues(now.changed)
        for issue in found:
            self._tell(self._fault(issue))
        await self._stop()
        if any(issue.level == FAULT for issue in found):
            return
        self.versions.try_now()
        self._change, self._number, self._wanted = change, 0, 0
        self._tell({"event": "sound", "digest": now.digest})
        if names:
            start.found["tokens"], now.found["tokens"] = change.tokens()
            tokens = {"before": start.found["tokens"], "now": now.found["tokens"]}
            self._tell({"event": "tokens", "digest": now.digest, **tokens})
        self.show_decision(0)
        self.ask_more()

    def _fault(self, issue: Issue) -> TweakEvent:
        """What lint finds, in the file that is edited."""
        kept, file = self.versions.folder / KEPT / self.versions.now.digest, Path(issue.file)
        file = self.versions.folder / file.relative_to(kept) if file.is_relative_to(kept) else file
        return {"event": issue.level, "file": str(file), "line": issue.line, "check": issue.check, "why": issue.sentence}

    def _pack(self, version: PackVersion) -> PromptPack:
        """The pack of a version, which later saves leave alone."""
        if version.digest not in self._packs:
            self._packs[version.digest] = PromptPack(self.versions.path(version))
        return self._packs[version.digest]

    def show_decision(self, step: int) -> None:
        """Tell the prompt's difference at the next decision in a direction."""
        if self._change is None:
            return
        try:
            place, title, lines = self._change.difference(self._number + step, step or 1)
        except PromptError as error:
            file = str(self._change.now.path(error.template))
            self._tell(self._fault(Issue(file, error.line or 0, "render", f"{error.why}.")))
            return
        self._number = place
        self._tell({"event": "difference", "decision": title, "of": len(self._change.shown), "lines": lines})

    def ask_more(self) -> None:
        """Ask about further decisions, after those that are being asked."""
        self._wanted += 0 if self._asking is None else self._asking.decisions
        self._begin(self._ask)

    def play_matches(self) -> None:
        """Play whole matches in place of asking, until it is sure which state wins more. The same state continues them."""
        if self._asking is None or self._change is None or not self._change.names:
            why = "no model is asked: --seat MODEL" if self._asking is None else "nothing sound differs from the start"
            self._tell({"event": "stopped", "why": f"No matches: {why}."})
        self._begin(self._play)

    def _begin(self, trial: PackTrial) -> None:
        """Put what is saved to a trial once the one under way has ended, which another kind stops. Unless nothing differs."""
        if self._asking is not None and self._change is not None and self._change.names:
            self._next = trial
            if self._trial is not None and self._doing != trial:
                self._trial.cancel()
            self._begin_next()

    def _begin_next(self) -> None:
        if self._trial is None and (trial := self._next) is not None and self._asking is not None and self._change is not None:
            self._doing, self._next = trial, None
            wanted = self._wanted if trial == self._ask else None
            self._tell({"event": "asking", "digest": self.versions.now.digest, "decisions": wanted, **self._budget()})
            self._trial = asyncio.create_task(self._told(trial(self._asking, self.versions.now, self._change)))

    async def _told(self, trial: Coroutine[Any, Any, None]) -> None:
        """Run a trial, and tell what stops it."""
        try:
            await trial
        except TabletopError as error:
            self._tell({"event": "stopped", "why": str(error)})

    async def _stop(self) -> None:
        if (trial := self._trial) is not None:
            trial.cancel()
            with suppress(asyncio.CancelledError):
                await trial
            self._trial = None

    async def _ask(self, asking: TweakAsking, version: PackVersion, change: PackChange) -> None:
        """Ask the model with both packs. What it has not answered when this is cancelled is asked again another time."""
        from runner.agents.spec import resolved, with_pack
        from runner.workshop.exam.exam import Exam, ExamSpec
        from runner.workshop.exam.examinee import Examined

        folders = [pack.folder for pack in (change.before, change.now)]
        specs = [resolved(with_pack(asking.spec, folder), asking.environment) for folder in folders]
        of_role = next(iter(change.roles)) if len(change.roles) == 1 else None
        spec = ExamSpec(
            game=self._game.name,
            examined=[Examined(one, name) for one, name in zip(specs, ("before", "now"), strict=True)],
            decisions=self._wanted,
            role=of_role if of_role in self._game.roles else None,
            logs=asking.logs,
        )
        making = asyncio.ensure_future(
            asyncio.to_thread(Exam, spec, COMPARISONS, asking.environment, purse=asking.purse, is_checked=True)
        )
        try:
            exam = await asyncio.shield(making)
            try:
                await exam.run(lambda results: self._tell(self._verdict(results, version)))
                if exam.results.decisions < self._wanted:
                    self._tell({"event": "stopped", "why": "These logs have no further match to ask about: name more."})
            finally:
                self._judged(exam.results, version)
        finally:
            await asyncio.wait([making])

    def _judged(self, results: ExamResults, version: PackVersion) -> None:
        """Keep the verdict on a version, and tell what changed unless there is another one by now."""
        if results.decisions < version.found.get("decisions", 1):
            return
        version.found |= {name: value for name, value in self._verdict(results, version).items() if name != "event"}
        self.versions.keep(version)
        if version is self.versions.now:
            changed = [_changed(*results.answered[place]) for place in results.differing()[:_SHOWN]]
            self._tell({"event": "changed", "decisions": changed})

    def _verdict(self, results: ExamResults, version: PackVersion) -> TweakEvent:
        """How a version stands to the one at the start. `gained`: how much less of the win it gives up a decision."""
        pair, rows = results.pair(0, 1), [results.agent(0), results.agent(1)]
        return {
            "event": "verdict",
            "digest": version.digest,
            "decisions": results.decisions,
            "of": self._wanted,
            "differing": len(results.differing()),
            "gained": pair["difference"],
            "low": pair["low"],
            "high": pair["high"],
            "verdict": _word(pair["difference"], pair["sure"]),
            "invalid": [row["invalid"] for row in rows],
            "cost_a_decision": [round(row["cost"] / max(1, results.decisions), _DIGITS) for row in rows],
            **self._budget(),
        }

    def _budget(self) -> TweakEvent:
        assert self._asking is not None
        budget = self._asking.purse.budget
        spent = {"spent_tokens": budget.spent_tokens, "spent_usd": round(budget.spent_usd, _DIGITS)}
        return {**spent, "budget_tokens": budget.tokens, "budget_usd": budget.usd}

    async def _play(self, asking: TweakAsking, version: PackVersion, change: PackChange) -> None:
        """Play matches with both packs. Those that have not ended when this is cancelled continue another time."""
        from runner.workshop.comparison import ComparisonRequest

        packs = [str(pack.folder) for pack in (change.before, change.now)]
        comparison = ComparisonRequest(self._game.name, packs, [asking.spec.text], asking.players).comparison(
            asking.environment
        )
        differences, told = comparison.differences(), set[int]()

        def show(_: object) -> None:
            pair = differences.pairs[0].data("now", "before")
            if (deals := pair["deals"]) in told:
                return
            told.add(deals)
            gained, low, high = (0.0 - (pair[end] or 0.0) for end in ("difference", "high", "low"))
            word = _word(gained, pair["sure"])
            version.found["matches"] = {"gained": gained, "low": low, "high": high, "verdict": word, "deals": deals}
            found = {**version.found["matches"], "of": comparison.game.deals, **self._budget()}
            self._tell({"event": "matches", "digest": version.digest, **found})

        try:
            await comparison.experiment(differences).play(asking.environment, show, asking.purse.budget)
        finally:
            self.versions.keep(version)

    def go_back(self) -> None:
        """Take the folder back to the state that was tried before."""
        try:
            files = self.versions.go_back()
        except TabletopError as error:
            self._tell({"event": "stopped", "why": str(error)})
            return
        self._tell({"event": "restored", "files": files})


def _changed(before: Answered, now: Answered) -> TweakEvent:
    where = {name: before.position[name] for name in ("log", "at", "seat", "role", "phase")}
    answers = {"before": before.grade["answer"], "now": now.grade["answer"]}
    return {**where, **answers, "gained": round(before.loss - now.loss, _DIGITS)}


def _word(gained: float, is_sure: bool) -> str:
    return ("better" if gained > 0 else "worse") if is_sure else "not sure"


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
    def of(cls, game: Game, logs: Iterable[Path]) -> Self:
        """Decisions of logs of the game, without any of bots."""
        cases = list(corpus(game, _MATCHES))
        shown = list[ShownDecision]()
        for path in logs:
            with suppress(*UNUSABLE):  # up to where it does not follow from the rules
                shown += map(_logged, prompted_decisions(read_log(path)))
        return cls(game, cases, shown or [*map(_of_case, cases)], reaches(game, cases))

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
    """The step from one state of a pack to another, whose templates `names` differ. Each is a folder that stays as it is."""

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
