"""Improvement: texts of a prompt pack, evolved by a coach that reads graded blunders, and tested on decisions nobody has seen.

Three sets of positions never meet: in one, changes are sought; in the next, one of them is chosen; in the last, that one is
compared once with the unchanged pack. Versions race on the same positions, the unchanged pack always among them: one that
surely gives up more than another is out, by intervals that hold at any time of looking. After each proposal the parent is
drawn among the versions that are best in some role (Pareto selection as in GEPA, arXiv 2507.19457).
"""

import difflib
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

import games
from games.core import Game, Rng, quoted
from runner.agents.environment import Environment
from runner.agents.spec import Spec, check_spec, is_model, with_pack
from runner.digest import canonical
from runner.errors import UsageError
from runner.files import make_folder, read_regular
from runner.llm.budget import Budget
from runner.llm.outcome import BudgetSpent
from runner.prompting.pack import FILE, PromptPack, template_name
from runner.prompting.renderer import LARGEST_FILE, files_in
from runner.prompting.template_deps import templates_in_use
from runner.record.log_paths import PROPOSALS
from runner.record.writer import write_file
from runner.workshop.coach import Coach, Proposal
from runner.workshop.exam.exam import Exam, ExamSpec, Purse
from runner.workshop.exam.exam_results import Answered, ExamResults, best_of
from runner.workshop.exam.examinee import Examined
from runner.workshop.exam.kept_lines import KeptLines, kept_lines
from runner.workshop.lint.case_checks import check_pack
from runner.workshop.lint.issues import FAULT
from runner.workshop.pack_check import roles_apart

ROUNDS, DECISIONS, TOKENS = 6, 120, 8000
"""Proposals, decisions of the final test, and tokens of a prompt, unless something else says how many."""

_PARTS = {"search": 4, "choice": 2, "test": 1}
"""The part of the decisions of the final test that each stage has at most."""

_FIRST = 8
"""Decisions until the first look at a race; between two looks they double."""

_SHARES = {"search": 0.45, "choice": 0.65, "test": 1.0}
"""The part of the budget that may be spent when each stage ends."""

_BLUNDERS, _CHOSEN, _LONGEST_TEXT, _LINT_MATCHES = 4, 3, 20_000, 6
UNCHANGED = "unchanged"

Stage = Literal["search", "choice", "test"]


ImproveDocument = dict[str, Any]
"""The document. `better`: the final `test`, None where no version came so far, shows that the `chosen` version gives up less.
`versions` has each with its `parent`, `part`, `why`, `difference` of texts, `verdict`, `cost`, and what it gives up a decision
in the search. `cut_short` are the stages that the budget ended. `needed`: where that was before any version was tried, the
option with about the least budget for one version."""

_ROW = ("parent", "part", "why", "difference", "verdict", "tokens")


@dataclass(frozen=True, kw_only=True)
class ImproveSpec:
    """What is asked for: the pack (None: the built-in one), the player that reads it, the coach, and the bounds."""

    pack: Path | None
    game: str
    seat: Spec
    coach: Spec
    parts: Sequence[str] = ()
    players: int | None = None
    seed: int = 1
    rounds: int = ROUNDS
    decisions: int = DECISIONS
    most_tokens: int = TOKENS
    budget: float | None = None
    budget_tokens: int | None = None


@dataclass(eq=False)
class Version:
    """A version of the pack: number 0 is the unchanged one. `losses` are those at the positions of the search, by role."""

    number: int
    folder: Path | None
    parent: int = 0
    part: str = ""
    why: str = ""
    difference: str = ""
    verdict: str = ""
    cost: float = 0.0
    tokens: int = 0
    answered: list[Answered] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"version {self.number}" if self.number else UNCHANGED

    @property
    def given_up(self) -> float | None:
        """The share of the win that it gives up a candidate position of the search; None where it was not asked them all."""
        total = sum(one.position["skipped"] + 1 for one in self.answered)
        return sum(one.weighted for one in self.answered) / total if total else None

    @property
    def by_role(self) -> dict[str, float]:
        found = defaultdict[str, float](float)
        for one in self.answered:
            found[one.position["role"]] += one.weighted
        return dict(found)

    def row(self) -> dict[str, Any]:
        given_up = None if self.given_up is None else round(self.given_up, 6)
        found = {name: getattr(self, name) for name in _ROW}
        return {"version": self.number, **found, "given_up": given_up, "cost": round(self.cost, 6)}


class Improvement:
    """The improvement of a pack in a folder, where the same call continues it."""

    def __init__(self, spec: ImproveSpec, folder: Path, environment: Environment) -> None:
        """Check everything that can be. UsageError, OptionError or AccountError before any call."""
        self.spec, self.folder, self._environment = spec, folder, environment
        self.game: Game = games.load(spec.game)
        self.pack = PromptPack(spec.pack)
        if not is_model(spec.seat):
            raise UsageError(f"--seat {quoted(spec.seat.text)} is not a model: only a model reads prompts.")
        check_spec(spec.seat, self.game, environment)
        self.coach = Coach.of(spec.coach, self.game, environment, self.pack)
        self.used = templates_in_use(self.pack, self.game)
        self.parts = self._parts()
        self.purse = Purse(Budget(spec.budget, spec.budget_tokens))
        self.versions = [Version(0, spec.pack)]
        self.chosen: Version | None = None
        self.test: ExamResults | None = None
        self.cut_short = list[Stage]()
        self._needed = ""
        self._proposals = folder / PROPOSALS
        make_folder(folder)
        self._exam("search", self.versions[:1], 1).close()

    def _parts(self) -> list[str]:
        """The templates that may change. UsageError for one that the game's prompts do not use."""
        known = list(dict.fromkeys(name for names in self.used.values() for name in names))
        for part in self.spec.parts:
            if part not in known:
                raise UsageError(f"--part {quoted(part)} is no template of {self.game.title}: {', '.join(known)}.")
        own = [name for name in known if self.pack.overrides(name)]
        advice = [name for name in known if name == template_name(self.game.name, "advice")]
        return [*self.spec.parts] or own or advice or [template_name(self.game.name, role) for role in self.game.roles]

    async def run(self, on_progress: Callable[[str], object]) -> None:
        """Search, choose, test. TabletopError when it stops before; the same call continues it."""
        kept = KeptLines(self._proposals)
        try:
            with self._within_budget("search"):
                await self._search(kept, on_progress)
            with self._within_budget("choice"):
                await self._choose(on_progress)
            if self.chosen is not None:
                on_progress(f"testing {self.chosen.name} on decisions that nobody has seen")
                with self._within_budget("test"):
                    await self._graded("test", [self.versions[0], self.chosen], self._most("test"))
        finally:
            kept.close()

    @contextmanager
    def _within_budget(self, stage: Stage) -> Iterator[None]:
        """Note that the budget has ended a stage, which continues with what it has."""
        try:
            yield
        except BudgetSpent as spent:
            self.cut_short.append(stage)
            self._needed = self._needed or self._for_a_version(spent)

    def _for_a_version(self, stopped: BudgetSpent) -> str:
        """The option with about the least budget for a first version: two packs on all positions, a proposal, and the call that
        was too much, which is bounded by its longest reply."""
        budget, is_usd = self.purse.budget, stopped.unit == "usd"
        spent = budget.spent_usd if is_usd else budget.spent_tokens
        answers = spent / max(1, len(self.purse.charged)) * (2 * self._most("search") + _BLUNDERS)
        enough = (answers + stopped.enough - spent) / _SHARES["search"]
        return f"--budget {enough:.2g}" if is_usd else f"--budget-tokens {math.ceil(enough / 1000)}000"

    # -- search ----

    async def _search(self, kept: KeptLines, on_progress: Callable[[str], object]) -> None:
        lines = [*kept_lines(self._proposals)]
        known = {line.get("round"): line for line in lines}
        refusals = {line["linted"]: str(line.get("refusal", "")) for line in lines if "linted" in line}
        unchanged = self.versions[0]
        on_progress("grading what the unchanged pack answers")
        await self._graded("search", [unchanged], self._most("search"))
        for number in range(1, self.spec.rounds + 1):
            parent = self._parent(Rng.of("improve", self.spec.seed, number))
            on_progress(f"proposal {number} of {self.spec.rounds}, from {parent.name}")
            part = self._worst_part(parent, number)
            proposal = _proposed(known.get(number), part)
            if proposal is None:
                proposal = await self.coach.propose(self._view(parent, part), self._purse("search"), self.spec.seed + number)
                await kept.keep({"round": number, "part": part, **proposal._asdict()})
            else:
                self.purse.budget.spent_usd += proposal.usd
                self.purse.budget.spent_tokens += proposal.tokens
            version = self._made(number, parent, part, proposal)
            if version.folder is not None:
                version.verdict = refusals[number] if number in refusals else self._refusal(version.folder, parent)
                if number not in refusals:
                    await kept.keep({"linted": number, "refusal": version.verdict})
            self.versions.append(version)
            if not version.verdict:
                on_progress(f"trying {version.name}")
                if version in await self._raced("search", [unchanged, version]):
                    lost, was = (100 * (one.given_up or 0.0) for one in (version, unchanged))
                    version.verdict = f"gave up {lost:.2f} % of the win a decision, the unchanged pack {was:.2f} %"
                else:
                    version.answered, version.verdict = [], "surely gave up more than the unchanged pack"

    def _most(self, stage: Stage) -> int:
        return max(4, self.spec.decisions // _PARTS[stage])

    def _parent(self, rng: Rng) -> Version:
        """A version that is the best in some role, drawn by the number of those."""
        tried = [one for one in self.versions if one.answered]
        roles = sorted({role for one in tried for role in one.by_role})
        best = [min((one.by_role.get(role, 0.0), one.number) for one in tried)[1] for role in roles]
        return self.versions[rng.choice(best) if best else 0]

    def _worst_part(self, parent: Version, number: int) -> str:
        """A part of the roles in which the parent loses most, another one each time."""
        lost = parent.by_role
        weights = {part: sum(loss for role, loss in lost.items() if part in self.used.get(role, ())) for part in self.parts}
        ordered = sorted(self.parts, key=lambda part: -weights[part])
        return ordered[(number - 1) % len(ordered)]

    def _view(self, parent: Version, part: str) -> dict[str, Any]:
        """What the coach reads."""
        blunders = sorted(
            (one for one in parent.answered if part in self.used.get(one.position["role"], (part,))),
            key=lambda one: -one.weighted,
        )
        exam = self._exam("search", [parent], self._most("search"))
        try:
            shown = [self._blunder(exam, one) for one in blunders[:_BLUNDERS] if one.loss > 0]
        finally:
            exam.close()
        tried = [{"why": one.why, "verdict": one.verdict} for one in self.versions[1:] if one.part == part]
        text = PromptPack(parent.folder).source(part)
        return {"game": self.game.title, "part": part, "text": text, "blunders": shown, "tried": tried}

    def _blunder(self, exam: Exam, one: Answered) -> dict[str, str]:
        _, prompt = exam.shown(one.position, has_prompt=True)
        said = "nothing valid" if one.grade["answer"] is None else canonical(one.grade["answer"])
        better = canonical(best_of(one.position)["answer"])
        return {"prompt": prompt, "answer": said, "reason": one.reason, "better": better, "cost": f"{100 * one.loss:.0f} %"}

    def _made(self, number: int, parent: Version, part: str, proposal: Proposal) -> Version:
        """The version of a proposal, its folder written; `verdict` says why it has none."""
        version = Version(number, None, parent.number, part, proposal.why, cost=proposal.usd, tokens=proposal.tokens)
        if proposal.text is None:
            version.verdict = "refused: " + proposal.why
            return version
        before, text = PromptPack(parent.folder).source(part), proposal.text.rstrip("\n") + "\n"
        version.difference = "".join(
            difflib.unified_diff(before.splitlines(keepends=True), text.splitlines(keepends=True), parent.name, version.name)
        )
        if len(text) > _LONGEST_TEXT:
            version.verdict = f"refused: the text has {len(text):,} letters, more than {_LONGEST_TEXT:,}"
        elif not version.difference:
            version.verdict = "refused: it changes nothing"
        else:
            version.folder = self.folder / "versions" / str(number)
            _write_pack(version.folder, PromptPack(parent.folder), part, text)
        return version

    def _refusal(self, folder: Path, parent: Version) -> str:
        """Why lint refuses a version; empty where it does not."""
        pack = PromptPack(folder)
        roles = {*roles_apart(PromptPack(parent.folder), pack, self.game), *roles_apart(pack, self.pack, self.game)}
        report = check_pack(pack, [self.game], _LINT_MATCHES, roles=roles)
        if fault := next((one for one in report.findings if one.level == FAULT), None):
            return f"refused by lint: {fault.sentence}"
        longest = max((int(str(one["tokens"])) for one in report.lengths.values()), default=0)
        if longest > self.spec.most_tokens:
            return f"refused: a prompt has {longest:,} tokens, more than {self.spec.most_tokens:,}"
        return ""

    # -- choice and test ----

    async def _choose(self, on_progress: Callable[[str], object]) -> None:
        """Choose the version that gives up least on other positions, if it is not the unchanged pack."""
        unchanged, limit = self.versions[0], self.versions[0].given_up
        full = [(one.given_up or 0.0, one) for one in self.versions[1:] if len(one.answered) == len(unchanged.answered)]
        found = sorted((one for one in full if limit is not None and one[0] < limit), key=itemgetter(0))
        best = [one for _, one in found[:_CHOSEN]]
        if not best:
            return
        on_progress(f"choosing among {len(best)}")
        first = (await self._raced("choice", [unchanged, *best]))[0]
        self.chosen = None if first is unchanged else first

    async def _raced(self, stage: Stage, versions: Sequence[Version]) -> list[Version]:
        """Race versions on the positions of a stage. Those that are not out, the first of all among them, by what they give up;
        a choice ends before its last position if all of them are told apart."""
        running, number, most = [*versions], _FIRST, self._most(stage)
        while True:
            number = min(number, most)
            results = await self._graded(stage, running, number)
            given_up = (sum(one.weighted for one in own) for own in zip(*results.answered, strict=True))
            lost = dict(zip(running, given_up, strict=True))
            worse = {pair["a"] if pair["difference"] > 0 else pair["b"] for pair in results.pairs if pair["sure"]}
            running = [one for one in running if one is versions[0] or one.name not in worse]
            names = {one.name for one in running}
            is_open = any(not pair["sure"] for pair in results.pairs if {pair["a"], pair["b"]} <= names)
            if number == most or len(running) == 1 or (stage == "choice" and not is_open):
                return sorted(running, key=lost.__getitem__)
            number *= 2

    async def _graded(self, stage: Stage, versions: Sequence[Version], decisions: int) -> ExamResults:
        """What versions answer at the first positions of a stage. BudgetSpent, and what stops an exam."""
        self._purse(stage)
        exam = self._exam(stage, versions, decisions)
        if stage == "test":
            self.test = exam.results
        await exam.run(lambda found: None)
        if stage == "search":
            for place, version in enumerate(versions):
                version.answered = max(version.answered, [row[place] for row in exam.results.answered], key=len)
        return exam.results

    def _exam(self, stage: Stage, versions: Sequence[Version], decisions: int) -> Exam:
        spec = ExamSpec(
            game=self.spec.game,
            examined=[Examined(with_pack(self.spec.seat, one.folder), one.name) for one in versions],
            players=self.spec.players,
            seed=Rng.of("improve", self.spec.seed, stage).next() >> 16,
            decisions=decisions,
            until="sure" if stage == "test" and len(versions) > 1 else "",
        )
        return Exam(spec, self.folder, self._environment, purse=self.purse, is_checked=True)

    def _purse(self, stage: Stage) -> Budget:
        """The budget, of which a stage may spend a part."""
        budget, share = self.purse.budget, _SHARES[stage]
        budget.usd = None if self.spec.budget is None else self.spec.budget * share
        budget.tokens = None if self.spec.budget_tokens is None else int(self.spec.budget_tokens * share)
        return budget

    # -- results ----

    def document(self) -> ImproveDocument:
        """What was found so far."""
        pair = None if self.test is None or not self.test.decisions else self.test.pairs[0]
        is_better = pair is not None and pair["sure"] and pair["difference"] > 0
        times = 0.0 if self.test is None else self.test.population["decisions"]
        ends = () if pair is None else (pair["difference"], pair["low"], pair["high"])
        return {
            "game": self.game.name,
            "pack": self.pack.name,
            "seat": self.spec.seat.who,
            "coach": self.spec.coach.who,
            "seed": self.spec.seed,
            "better": is_better,
            "chosen": None if self.chosen is None else self.chosen.number,
            "folder": str(self.chosen.folder) if self.chosen is not None and is_better else None,
            "decisions": 0 if self.test is None else self.test.decisions,
            "test": pair,
            "per_match": [round(max(-1.0, min(1.0, end * times)), 6) for end in ends] or None,
            "versions": [one.row() for one in self.versions],
            "cut_short": self.cut_short,
            "needed": "" if any(one.given_up is not None for one in self.versions[1:]) else self._needed,
            "cost": round(self.purse.budget.spent_usd, 6),
            "tokens": self.purse.budget.spent_tokens,
        }


def _proposed(line: dict[str, Any] | None, part: str) -> Proposal | None:
    """A proposal that was kept for a part; None where there is none."""
    if line is None or line.get("part") != part or not isinstance(line.get("text"), str | None):
        return None
    return Proposal(str(line.get("why", "")), line["text"], float(line.get("usd", 0.0)), int(line.get("tokens", 0)))


def _write_pack(folder: Path, parent: PromptPack, part: str, text: str) -> None:
    """Write a pack that differs from its parent in one template. PausedError on a full disk, else UsageError."""
    manifest = b'name = "improved"\nversion = "1"\nauthor = ""\n'
    files = {FILE: manifest} if parent.folder is None else _files_of(parent.folder)
    for name, data in {**files, part: text.encode()}.items():
        write_file(folder / name, data)


def _files_of(folder: Path) -> dict[str, bytes]:
    """The files of a pack by name, without links."""
    names = (name for name in files_in(folder) if not (folder / name).is_symlink())
    return {name: read_regular(folder / name, "The file", LARGEST_FILE) for name in names}
