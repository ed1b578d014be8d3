"""Lint of a pack: all checks, game by game."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter

import games
from games.core import Claim, Game, Rng
from games.search.cases import HOSTILE, Case, corpus, is_free
from games.search.fields import RoleReach
from runner.agents.own_fields import asked_question
from runner.agents.protocol import Mistake
from runner.agents.settings import NO_ADVICE, SeatSettings
from runner.llm.budget import message_tokens
from runner.llm.offline import schema_in
from runner.llm.request import AnswerForm
from runner.prompting.pack import REASK, PromptPack, template_name
from runner.prompting.renderer import built_in_path, fence, is_invisible
from runner.prompting.template_deps import templates_in_use
from runner.prompting.template_errors import PromptError
from runner.review.honesty import ClaimRow
from runner.review.judge import JUDGE, QUESTION, ROLE, SOURCES, Reading
from runner.workshop.case_prompts import HOSTILE_CORE, PackRenderer, RenderedPrompt, context_of, joined, reaches
from runner.workshop.lint.issues import NOTE, Issue, LintReport, in_order, issue_of, place_of, place_with
from runner.workshop.lint.option_checks import check_options, check_words, declared, unstated
from runner.workshop.lint.template_reading import check_files, check_templates, own_templates
from runner.workshop.prompt_cost import prompt_cost

_TOKEN = r'"(?:[^"\\]|\\.){0,1000}"|-?\b\d+\b|\btrue\b|\bfalse\b'
_RUN = re.compile(rf"(?:{_TOKEN})(?:(?:\s*[,;/|]\s*(?:or\s+)?|\s+or\s+)(?:{_TOKEN}))*")
_ITEM = re.compile(rf"^(\s*[-*•]\s|\s*\d+[.)]\s)\s*({_RUN.pattern})")
_SHOWN = 3
_MOST_LINES = 10_000

KINDS = ("illegal", "unreadable", "truncated", "whitespace_loop", "refused", "filtered", "empty", "reasoning_exhausted")
_WHY = "this is what was wrong with it"
_EXPLAINED = ("illegal", "unreadable")


def check_answer(prompt: RenderedPrompt) -> Iterator[Issue]:
    """The prompt states the form of the answer and lists exactly the legal answers."""
    schema = prompt.case.question.schema
    asked = joined([message for message in prompt.messages if message["role"] != "assistant"])
    if "JSON" not in asked:
        yield _unsaid(prompt, "answer", "the answer's form is not said: name the JSON object, as shared/answer.j2 does")
    lists = list(_lists(asked))
    for name, field in schema["properties"].items():
        if f'"{name}"' not in asked:
            yield _unsaid(prompt, "answer", f'the answer\'s field "{name}" is not named')
        elif not is_free(field):
            yield from _check_values(prompt, name, lists)
    if schema_in(asked) != schema:
        yield _unsaid(
            prompt, "schema", "the JSON Schema is not printed where the model does not get it as data (prints_schema)"
        )


def _check_values(prompt: RenderedPrompt, name: str, lists: list[Set[str]]) -> Iterator[Issue]:
    case = prompt.case
    legal = {json.dumps(action.to_json()[name], ensure_ascii=False) for action in case.state.actions_of(case.seat)}
    if legal in lists:
        return
    closest = max(lists, key=lambda found: len(found & legal) - len(found - legal), default=set[str]())
    missing, extra = sorted(legal - closest), sorted(closest - legal)
    detail = [f"without {', '.join(missing[:_SHOWN])}"] * bool(missing) + [f"with {', '.join(extra[:_SHOWN])}"] * bool(extra)
    said = ["leaves some out"] * bool(missing) + ["has values that are not legal"] * bool(extra)
    if not closest & legal:
        said, detail = ["is not there"], []
    yield _unsaid(prompt, "legal", f'the list of legal values of "{name}" {" and ".join(said)}', ", ".join(detail))


def _lists(text: str) -> Iterator[Set[str]]:
    """The lists of values in a text: within a line, or at the start of successive list items."""
    items: set[str] = set()
    for line in re.sub(r"```json\n.*?```", "", text, flags=re.DOTALL).split("\n"):
        runs, item = _lists_of_line(line)
        yield from runs
        if item:
            items |= item
        elif items:
            yield items
            items = set()
    if items:
        yield items


@lru_cache(_MOST_LINES)
def _lists_of_line(line: str) -> tuple[list[Set[str]], Set[str]]:
    """The lists of values within a line, and the values at its start if it is a list item. Most lines stand in many prompts."""
    item = _ITEM.match(line)
    return [{*re.findall(_TOKEN, run[0])} for run in _RUN.finditer(line)], {*re.findall(_TOKEN, item[2])} if item else set()


def _unsaid(prompt: RenderedPrompt, check: str, sentence: str, detail: str = "") -> Issue:
    """An issue at the line that says how to answer; at the last line if none does."""
    last = place_of(prompt.pack, prompt.template, len(prompt.pack.source(prompt.template).splitlines()))
    file, line = place_with(prompt, r"JSON|\bfields\b|question\.schema") or last
    return replace(issue_of(prompt, check, f"{sentence}.", detail=detail), file=file, line=line)


def check_reask(prompt: RenderedPrompt) -> Iterator[Issue]:
    """The prompt renders for every kind of mistake, names the fields of an answer, and says why where that is known."""
    case, pack = prompt.case, prompt.pack
    for kind in KINDS:
        text = pack.render_text(REASK, context_of(case) | _mistake(case, kind))
        told = Issue(*place_of(pack, REASK), "reask", "being asked again does not say how to answer.", case=case.description())
        if any(f'"{name}"' not in text for name in case.question.schema["properties"]):
            yield told
        if kind in _EXPLAINED and _WHY not in text:
            yield replace(told, sentence=f"after an answer that was {kind} it does not say why.")


def _mistake(case: Case, kind: str) -> dict[str, object]:
    strikes = case.state.setup.options.strikes
    return {"mistake": Mistake(kind, "an answer", _WHY), "count": 1, "strikes": strikes, "left": strikes - 1, "limit": 1000}


_LINE = "a line to look for"
_TALK = {"talk": [{"seat": 0, "text": _LINE}]}
_HOOKS: tuple[tuple[str, dict[str, object], str, str], ...] = (
    ("persona", {"persona": _LINE}, _LINE, "the persona of a player is not in the prompt: include shared/persona.j2."),
    ("advice", {"advice": _LINE}, _LINE, "the advice of a player is not in the prompt: include the game's system.j2."),
    ("recap", {"recap": [_LINE]}, _LINE, "the match's recap is not in the prompt: include shared/recap.j2 before the table."),
    ("talk", {**_TALK}, fence(_LINE), "table talk is not in the prompt: include shared/talk.j2 before the table."),
)
"""Texts of a player's agent: the check, the variables with the text, what the prompt has to show, what is said if not."""

_NO_FORM = "base models are not shown the form of the answer where they do not get the schema as data (prints_form)."


def check_hooks(prompt: RenderedPrompt) -> Iterator[Issue]:
    """A prompt that leaves out a text of its player's agent, or the form of the answer for base models. PromptError when it
    cannot be rendered with a setting."""
    case, render = prompt.case, prompt.renderer.render
    for check, variables, text, sentence in _HOOKS:
        if text not in joined(render(case, context_of(case) | variables)):
            yield replace(issue_of(prompt, check, sentence, level=NOTE), case="")
    plain = context_of(case, prints_schema=False)
    for variables in _settings(case):
        render(case, plain | variables)
    base = plain | {"prints_form": True} | _mistake(case, "empty")
    form = re.compile(rf'\{{\s*"{re.escape(next(iter(case.question.schema["properties"])))}"\s*:')
    for name, shown in ((prompt.template, joined(render(case, base))), (REASK, prompt.pack.render_text(REASK, base))):
        if schema_in(shown) is None and form.search(shown) is None:
            yield Issue(*place_of(prompt.pack, name), "reask" if name == REASK else "schema", _NO_FORM, NOTE)


def _settings(case: Case) -> Iterator[dict[str, object]]:
    """The variables of a model with a memory, without advice, without legal answers, or that thinks, notes and talks."""
    unhelped = asked_question(case.question, SeatSettings(help="none"))
    talking = asked_question(case.question, SeatSettings(memory="notes"), asks_reason=True, can_talk=True)
    yield {"told": case.view}
    yield {"advice": NO_ADVICE}
    yield {"question": unhelped, "fields": unhelped.schema["properties"], "lists_legal": False}
    yield {"question": talking, "fields": talking.schema["properties"], "notes": "", **_TALK}


def check_leak(prompt: RenderedPrompt) -> Iterator[Issue]:
    """The prompt stays the same after hidden information is resampled."""
    case = prompt.case
    other = replace(case, state=case.state.resample(case.seat, Rng.of("lint", case.match, case.number)))
    if context_of(other) == context_of(case):
        return
    changed = prompt.renderer.prompt(other)
    if changed.messages != prompt.messages:
        line = next((one for one, two in zip(prompt.lines, changed.lines, strict=False) if one != two), prompt.lines[-1])
        yield issue_of(prompt, "leak", f"what the seat may not know changes the prompt: {line.strip()[:80]!r}.", line)


def check_fences(prompt: RenderedPrompt) -> Iterator[Issue]:
    """Text of players is inside fences only, and there is no invisible character."""
    fenced = {fence(HOSTILE), fence(HOSTILE.strip())}
    for line in prompt.lines:
        rest = line
        for words in fenced:
            rest = rest.replace(words, "")
        if HOSTILE_CORE in rest or (HOSTILE_CORE.replace("{{ 7 * 7 }}", "49")) in rest:
            said = "words written by a player stand outside of a fence."
            yield issue_of(prompt, "fence", said, rest.replace(HOSTILE, ""))
        elif not line.isprintable() and any(map(is_invisible, line)):
            yield issue_of(prompt, "fence", "an invisible or control character stands in the prompt.", line)


_THOUGHTS = r"(?:reasoning|reasons|thinking|thoughts?|thought process|chain of thought|analysis)"
_ASKING = re.compile(
    rf"step[- ]by[- ]step|chain[- ]of[- ]thought|(?:think|reason)(?:ing)? (?:aloud|out loud)"
    rf"|(?:think|reason|explain|analy[sz]e)\b[^.]*\bbefore\b"
    rf"|(?:explain|show|describe|write|state|give|share)\b[^.]*\b(?:your|all|each) {_THOUGHTS}\b|explain why",
    re.IGNORECASE,
)
_REFUSING = re.compile(r"\b(?:no|not|never|without)\b|n't\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?:])\s+")


def check_thinking(pack: PromptPack, name: str) -> Iterator[Issue]:
    """The lines of a template of the pack that ask for thinking, and that the built-in one does not have."""
    built_in = PromptPack().source(name).splitlines() if built_in_path(name).is_file() else []
    for number, line in enumerate(pack.source(name).splitlines(), 1):
        asking = (words for words in _SENTENCE.split(line) if _ASKING.search(words) and not _REFUSING.search(words))
        if line not in built_in and any(asking):
            sentence = (
                "it asks for thinking in the text of the answer, which is JSON alone; reason = true in agents.toml"
                " (--reason always) adds a field for it."
            )
            yield Issue(*place_of(pack, name, number), "thinking", sentence, NOTE)


MOST_TOKENS = 16_000

_OPTION_CASES = 2
"""Decisions of each role that are rendered with every value of every option."""

_BROKEN_ENOUGH = 3
"""Prompts of a role that fail to render before the rest of the role is skipped."""

OnProgress = Callable[[str], object]


def check_pack(
    pack: PromptPack,
    games: Sequence[Game],
    matches: int,
    seed: int = 0,
    on_progress: OnProgress = lambda what: None,
    roles: Collection[str] | None = None,
) -> LintReport:
    """The issues of a pack; with `roles`, of the prompts of these alone."""
    found, lengths, rendered = [*check_files(pack)], dict[str, tuple[int, str]](), 0
    for name in own_templates(pack):
        found += check_thinking(pack, name)
    for game in games:
        on_progress(f"{game.name}: reading the templates")
        checks = _GameChecks(pack, game)
        found += checks.run([*corpus(game, matches, seed)], on_progress, roles)
        lengths |= checks.lengths
        rendered += checks.rendered
    if roles is None and (pack.folder is None or (pack.folder / JUDGE).is_dir()):
        found += check_judge(pack)
        rendered += len(SOURCES)
    longest = {name: {"tokens": tokens, "case": case} for name, (tokens, case) in lengths.items()}
    return LintReport(in_order(found), longest, rendered)


class _GameChecks:
    def __init__(self, pack: PromptPack, game: Game) -> None:
        built_in = pack if pack.folder is None else PromptPack()
        self._game, self._words = game, declared(pack, game)
        self._renderer = PackRenderer(pack, templates_in_use(pack, game))
        self._built_in = self._renderer if built_in is pack else PackRenderer(built_in, templates_in_use(built_in, game))
        self._met, self._broken, self._stated = Counter[str](), Counter[str](), set[str]()
        self._first: dict[tuple[int, str, int], str] = {}
        self.lengths: dict[str, tuple[int, str]] = {}
        self.rendered = 0

    def run(self, cases: list[Case], on_progress: OnProgress, roles: Collection[str] | None) -> Iterator[Issue]:
        yield from check_templates(self._renderer.pack, self._game, reaches(self._game, cases))
        for case in cases:
            role = case.question.role
            if self._broken[role] < _BROKEN_ENOUGH and (roles is None or role in roles):
                on_progress(f"{self._game.name}: {template_name(self._game.name, role)} ({case.description()})")
                try:
                    yield from self._check(case, role)
                except PromptError as fault:
                    self._broken[role] += 1
                    yield self.fault(fault, case)
        if roles is None:
            yield from unstated(self._game, self._words, self._stated, self._renderer)

    def _check(self, case: Case, role: str) -> Iterator[Issue]:
        prompt = self._renderer.prompt(case)
        self.rendered += 1
        yield from self._measure(prompt)
        yield from self._read(prompt)
        self._met[role] += 1
        if self._met[role] <= _OPTION_CASES:
            options = check_options(case, self._renderer, self._built_in, self._words, self._stated)
            yield from [*check_hooks(prompt), *options, *check_reask(prompt)]

    def _read(self, prompt: RenderedPrompt) -> list[Issue]:
        return [*check_leak(prompt), *check_fences(prompt), *check_answer(prompt), *check_words(prompt, self._words)]

    def quickly(self, case: Case, names: Collection[str]) -> list[Issue]:
        """The issues of one decision's prompt, and of the one after a mistake if one of these templates is in it. PromptError
        when one cannot be rendered."""
        prompt = self._renderer.prompt(case)
        return [*self._read(prompt), *(() if {*names}.isdisjoint(self._renderer.parts["reask"]) else check_reask(prompt))]

    def fault(self, fault: PromptError, case: Case) -> Issue:
        why = fault.why
        missing = why.rpartition("has no attribute ")[2].strip("'\"") if "has no attribute " in why else ""
        if missing and missing in case.state.to_json():
            why += ": the match has it, but the seat may not know it"
        return Issue(*place_of(self._renderer.pack, fault.template, fault.line), "render", f"{why}.", case=case.description())

    def _measure(self, prompt: RenderedPrompt) -> Iterator[Issue]:
        tokens, case = message_tokens(prompt.messages), prompt.case
        longest = self.lengths.get(prompt.template, (0, ""))
        self.lengths[prompt.template] = max(longest, (tokens, case.description()), key=itemgetter(0))
        if tokens > MOST_TOKENS:
            yield issue_of(prompt, "length", f"the prompt has more than {MOST_TOKENS} tokens.", level=NOTE)
        key = (case.match, case.question.role, case.seat)
        if self._first.setdefault(key, prompt.messages[0]["content"]) != prompt.messages[0]["content"]:
            sentence = (
                "the first message changes within a match: providers keep only what stays the same from question to question."
            )
            yield issue_of(prompt, "cache", sentence, level=NOTE)


def lint(pack: PromptPack, names: Sequence[str], matches: int, seed: int, on_progress: OnProgress) -> LintReport:
    """The issues of these games' prompts; without a fault also their cost. UsageError for a pack that cannot be read."""
    found = [games.load(name) for name in names]
    report = check_pack(pack, found, matches, seed, on_progress)
    return report if report.faults else replace(report, costs={game.name: _costs(pack, game, on_progress) for game in found})


def _costs(pack: PromptPack, game: Game, on_progress: OnProgress) -> dict[str, dict[str, float]]:
    on_progress(f"{game.name}: counting tokens")
    packs = (pack,) if pack.folder is None else (PromptPack(), pack)
    with suppress(PromptError):
        return {one.name: prompt_cost(game, game.default_players, one).to_json() for one in packs}
    return {}


_WRITTEN, _SAID = f"reason {HOSTILE}", f"talk {HOSTILE}"
_ROW = ClaimRow(number=1, seat=1, player="", claim=Claim("card", is_true=True), reason=_WRITTEN, talk=(_SAID,))


def check_judge(pack: PromptPack) -> Iterator[Issue]:
    """The issues of the prompt on a claim with a reason, with talk, and with both."""
    place = place_of(pack, template_name(JUDGE, ROLE))
    for source in SOURCES:
        reading = Reading("game", _ROW, source)
        try:
            shown = joined(reading.messages(pack, AnswerForm.TEXT))
        except PromptError as fault:
            yield Issue(*place_of(pack, fault.template, fault.line), "render", f"{fault.why}.", case=f"judge, {source}")
            return
        quoted = [text for text in (reading.view["reason"], *reading.view["talk"]) if text]
        rest = shown.replace(fence(_WRITTEN), "").replace(fence(_SAID), "")
        if missing := [text.split()[0] for text in quoted if fence(text) not in shown]:
            said = f"the prompt does not quote what is to judge: {' and '.join(missing)}; {{{{ view.reason | fence }}}} does."
            yield Issue(*place, "judge", said)
        elif HOSTILE_CORE in rest or HOSTILE_CORE.replace("{{ 7 * 7 }}", "49") in rest:
            yield Issue(*place, "fence", "words written by a player stand outside of a fence.")
        if schema_in(shown) != QUESTION.schema:
            yield Issue(*place, "schema", "the form of the answer is not said: include shared/answer.j2.")


def check_change(
    pack: PromptPack, game: Game, names: Collection[str], cases: Sequence[Case], known: Mapping[str, RoleReach]
) -> list[Issue]:
    """The issues of some templates, within a second: their source, and these `cases` of the prompts that they are in. `known`
    are the names in reach of each role. Other options and settings of agents are for `check_pack`."""
    files, checks, broken = {str(pack.path(name)) for name in names}, _GameChecks(pack, game), set[str]()
    found = [one for one in check_templates(pack, game, dict(known)) if one.file in files]
    found += [one for name in own_templates(pack) if name in names for one in check_thinking(pack, name)]
    found += [one for one in check_files(pack) if one.file in files]
    for case in cases:
        if case.question.role not in broken:
            try:
                found += checks.quickly(case, names)
            except PromptError as fault:
                found.append(checks.fault(fault, case))
                broken.add(case.question.role)
    return in_order(found)
