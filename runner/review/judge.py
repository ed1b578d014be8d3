"""Judge: a model that reads a claim with what its player wrote or said, never the cards, and says how likely it is a bluff.

Verdicts cost money, so each is kept beside its log as soon as it is there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

import games
from games.core import Question, answer_schema, quoted
from games.core.claim import no_claim
from runner.agents.model_seats import model_of, own_pack
from runner.agents.settings import DEFAULTS
from runner.agents.spec import check_spec, describe_seat, is_model, seat_spec
from runner.digest import canonical, digest_of
from runner.errors import TabletopError, UsageError
from runner.files import read_regular_text, write_whole
from runner.llm.budget import Budget
from runner.llm.outcome import InputRefused, PromptTooLong
from runner.llm.request import AnswerForm, Message, Model
from runner.llm.strict_json import Unreadable
from runner.prompting.pack import PromptPack, prompt_context
from runner.record.log_folder import FollowWork, PerLog, per_log
from runner.record.log_paths import place_of
from runner.record.reader import Log
from runner.record.replay import opening
from runner.review.honesty import ClaimRow, own_claims
from runner.session.asked_model import answer_to, form_of
from runner.session.session import new_client

if TYPE_CHECKING:
    from runner.agents.environment import Environment
    from runner.llm.client import Client

JudgeSource = Literal["reason", "talk", "both"]
SOURCES: tuple[JudgeSource, ...] = ("reason", "talk", "both")

JUDGE, ROLE = "judge", "claim"
"""The folder of the judge's templates in a prompt pack, and its template."""

_TOLD = "how likely it is that the claim is a bluff, as a whole percentage: 0 is certainly true, 100 certainly a bluff"
_ASKED = answer_schema(bluff={"type": "integer", "description": _TOLD})
QUESTION = Question("How likely is it that the player bluffs?", _ASKED, ROLE)
_AT_ONCE = 64
"""Questions that are put to a judge at the same time; its own limits may be lower."""


class JudgeFacts(TypedDict):
    """A judge as its verdicts are kept: the SPEC, what is known of its model, and the digests of its prompt pack."""

    spec: str
    model: dict[str, object]
    prompts: dict[str, object]


class JudgeVerdict(TypedDict):
    """The answer to one prompt, in percent; None for one that could not be read. `read` is the digest of what was to judge;
    empty where the endpoint did not take the prompt, which is sent again then."""

    decision: int
    sees: JudgeSource
    read: str
    bluff: Annotated[int, Field(ge=0, le=100)] | None


class JudgeVerdicts(TypedDict):
    judge: JudgeFacts
    verdicts: list[JudgeVerdict]


_KEPT = TypeAdapter(list[JudgeVerdicts])
_LARGEST = 50_000_000


class JudgedClaim(NamedTuple):
    """A claim with the verdicts on it; one that could not be read is None, one that was not asked for is missing."""

    row: ClaimRow
    verdicts: Mapping[JudgeSource, int | None]


def sources(row: ClaimRow) -> list[JudgeSource]:
    """What there is of a claim for a judge to read."""
    has = {"reason": bool(row.reason.strip()), "talk": bool(row.talk)}
    return [source for source in SOURCES if has.get(source, all(has.values()))]


class Reading(NamedTuple):
    """What a judge reads of a claim: nothing of the match but the game, the seat, the claim, and what `source` names."""

    game: str
    row: ClaimRow
    source: JudgeSource

    @property
    def view(self) -> dict[str, Any]:
        _, row, source = self
        assert row.claim is not None
        return {
            "game": self.game,
            "claimant": row.seat,
            "claim": row.claim.what,
            "seat": row.seat,
            "own": {},
            "reason": row.reason if source != "talk" else "",
            "talk": list(row.talk) if source != "reason" else [],
        }

    @property
    def digest(self) -> str:
        return digest_of(canonical(self.view))

    def messages(self, pack: PromptPack, form: AnswerForm = AnswerForm.STRICT_SCHEMA, is_base: bool = False) -> list[Message]:
        lacks_schema = form is not AnswerForm.STRICT_SCHEMA if is_base else not form.carries_schema
        printed = {"prints_schema": lacks_schema and not is_base, "prints_form": lacks_schema and is_base}
        return pack.render(JUDGE, ROLE, prompt_context(self.view, QUESTION, {}, **printed))


class Judge(NamedTuple):
    """A model that judges claims, with its prompt pack."""

    facts: JudgeFacts
    model: Model
    pack: PromptPack

    @classmethod
    def of(cls, text: str, environment: Environment, folder: Path | None) -> Self:
        """The judge that a SPEC names. UsageError for one that is no model, AccountError for one that lacks its key."""
        spec = seat_spec(text, environment)
        if not is_model(spec):
            raise UsageError(
                f"--judge {quoted(text)} is not a model: only a model can judge, such as openai/gpt-5-mini, MODEL@BASE_URL,"
                " gguf:FILE, a name in agents.toml, or offline."
            )
        check_spec(spec, games.registered().games[0], environment)
        seat, pack = describe_seat(spec, environment), own_pack(spec.settings(environment), PromptPack(folder))
        known = {**seat.identity, **seat.settings.without(["mistakes"]).to_json()}
        facts: JudgeFacts = {"spec": spec.who, "model": known, "prompts": {**pack.to_json(JUDGE)}}
        return cls(json.loads(canonical(facts)), model_of(spec, environment), pack)


def verdicts_path(log: Path) -> Path:
    """The file of the verdicts on a log, beside it: `.NAME.judged.json`."""
    place = place_of(log)
    return place.with_name(f".{place.name}.judged.json")


def kept_verdicts(log: Path) -> list[JudgeVerdicts]:
    """What is kept beside a log. The file may be a stranger's: one that does not fit counts as none."""
    try:
        text = read_regular_text(verdicts_path(log), "The verdicts", _LARGEST)
        found = _KEPT.validate_python(json.loads(text), strict=True)
    except (TabletopError, ValueError, RecursionError, ValidationError):
        return []
    for one in found:  # an older version wrote settings that have their default, too
        one["judge"]["model"] = {
            name: fact for name, fact in one["judge"]["model"].items() if name not in DEFAULTS or fact != DEFAULTS[name]
        }
    return found


ClaimsOf = tuple[str, Sequence[ClaimRow]]
"""The title of a log's game, and its claims."""


class Judging:
    """The verdicts of one judge on the claims of some logs: those that are kept, and those that it is asked for."""

    def __init__(self, judge: Judge, claims: Mapping[Path, ClaimsOf]) -> None:
        self._judge, self._claims = judge, {log: rows for log, (_, rows) in claims.items()}
        self._kept, self._own = dict[Path, list[JudgeVerdicts]](), dict[Path, JudgeVerdicts]()
        self.questions, self.answered = list[tuple[Path, Reading]](), 0
        for log, found in claims.items():
            kept, readings = kept_verdicts(log), _readings(found)
            known = [verdict for one in kept if one["judge"] == judge.facts for verdict in one["verdicts"]]
            counting = _counting(readings, known)
            self._own[log] = {"judge": judge.facts, "verdicts": [*counting.values()]}
            self._kept[log] = [*(one for one in kept if one["judge"] != judge.facts), self._own[log]]
            self.questions += ((log, one) for one in readings if (one.row.number, one.source) not in counting)

    @property
    def claims(self) -> dict[Path, list[JudgedClaim]]:
        return {log: _judged(rows, self._own[log]["verdicts"]) for log, rows in self._claims.items()}

    async def ask(self, budget: Budget, on_progress: Callable[[str], None]) -> None:
        """Put the questions that have no verdict yet. TabletopError when it has to stop before; what was answered is kept."""
        waiting, stops = iter(self.questions), list[TabletopError]()
        for log in dict(self.questions):
            self._keep(log)  # what cannot be kept is not asked for
        async with new_client(budget, 0, 0.0) as client:
            model, pack = self._judge.model, self._judge.pack
            prompts = (reading.messages(pack, AnswerForm.TEXT, model.is_base) for _, reading in self.questions)
            form = await form_of(client, model, prompts)

            async def work() -> None:
                for log, reading in waiting:
                    try:
                        self._own[log]["verdicts"].append(await self._verdict(client, form, reading))
                        self._keep(log)
                    except TabletopError as error:
                        stops.append(error)
                    if stops:
                        return
                    self.answered += 1
                    on_progress(f"judging claims: {self.answered} of {len(self.questions)}")

            await asyncio.gather(*(work() for _ in range(_AT_ONCE)))
        if stops:
            raise stops[0]

    async def _verdict(self, client: Client, form: AnswerForm, reading: Reading) -> JudgeVerdict:
        """The verdict on a claim; None where none can be read, or where the endpoint does not take the prompt."""
        model, read, bluff = self._judge.model, reading.digest, None
        try:
            messages = reading.messages(self._judge.pack, form, model.is_base)
            found = (await answer_to(client, model, form, messages, QUESTION.schema)).get("bluff")
            if type(found) in (int, float):
                bluff = next((percent for percent in range(101) if percent == found), None)
        except (InputRefused, PromptTooLong):
            read = ""
        except Unreadable:
            pass
        return {"decision": reading.row.number, "sees": reading.source, "read": read, "bluff": bluff}

    def _keep(self, log: Path) -> None:
        write_whole(verdicts_path(log), json.dumps(self._kept[log], separators=(",", ":")), "The verdicts", is_synced=False)


def _readings(claims: ClaimsOf) -> list[Reading]:
    return [Reading(claims[0], row, source) for row in claims[1] for source in sources(row)]


def _counting(readings: Sequence[Reading], kept: Sequence[JudgeVerdict]) -> dict[tuple[int, JudgeSource], JudgeVerdict]:
    """The verdicts whose claims still say what the judge read."""
    said = {(one.row.number, one.source): one.digest for one in readings}
    return {(one["decision"], one["sees"]): one for one in kept if said.get((one["decision"], one["sees"])) == one["read"]}


def _judged(rows: Sequence[ClaimRow], verdicts: Sequence[JudgeVerdict]) -> list[JudgedClaim]:
    found: dict[int, dict[JudgeSource, int | None]] = {row.number: {} for row in rows}
    for one in verdicts:
        found[one["decision"]][one["sees"]] = one["bluff"]
    return [JudgedClaim(row, found[row.number]) for row in rows]


def claims_of(log: Log) -> ClaimsOf:
    """The claims of a log that a judge may be asked about. LogDamagedError where it does not follow from the rules."""
    game, _ = opening(log.header)
    return game.title, [] if game.claim is no_claim else own_claims(log)


JudgedLog = list[tuple[JudgeFacts, list[JudgedClaim]]]
"""The claims of a log with the verdicts of each judge that are kept."""


def judged_log(log: Log) -> JudgedLog:
    """The kept verdicts on a log that count. LogDamagedError where it does not follow from the rules."""
    if not (kept := kept_verdicts(log.path)):
        return []
    readings = _readings(claims := claims_of(log))
    return [(one["judge"], _judged(claims[1], [*_counting(readings, one["verdicts"]).values()])) for one in kept]


def folder_verdicts(paths: Sequence[Path], follow: FollowWork) -> PerLog[JudgedLog]:
    """The verdicts that are kept beside logs. The rules of those logs are played again."""
    return per_log(judged_log, [path for path in paths if verdicts_path(path).is_file()], follow)
