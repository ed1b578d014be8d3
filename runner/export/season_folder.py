"""Season folder: a tournament that is committed to before its first call, and what is published; anybody can prove it."""

import json
import shutil
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, NoReturn

from runner.agents.environment import Environment
from runner.agents.spec import is_model
from runner.arena.paired_differences import differences_of
from runner.arena.plan import Plan, plan_of, read_plan
from runner.arena.schedule import kind_of, schedule
from runner.arena.tournament_dir import MANIFEST, TournamentDir
from runner.digest import canonical, digest_of
from runner.errors import DigestError, UsageError
from runner.export.dataset import write_dataset, write_records
from runner.export.gallery.build_site import build_site
from runner.export.gallery.match_files import SiteIndex
from runner.export.table_columns import TABLES
from runner.files import make_folder, read_regular, read_regular_text, write_whole
from runner.match.header import now, package_version
from runner.record.log_folder import FollowWork
from runner.record.log_paths import LARGEST_LOG, logs_in
from runner.record.reader import read_log
from runner.record.verify import verify_folder
from runner.screen.safe_text import clean
from runner.session.match_spec import ready
from runner.standings.comparability import pooled
from runner.standings.document import folder_matches

LOGS, _COMMITMENT, _SEASON = "logs", "commitment.json", "season.json"
_SEEDS = ("seed", "secret", "deal_seeds")
_MAY_CHANGE = ("budget", "budget_tokens", "concurrency", "on_error")
"""What does not change a match."""
_MEASURE = "ratings by the Plackett-Luce model and win shares, with 95 % intervals over deals: tabletop standings"
_STOPS = "all deals of the plan, whatever the results are"
_STOPS_SURE = "all pairs of agents are told apart in win share, at any number of deals with an error of 5 %, or all deals"
_CSV = "csv"


class Proof(NamedTuple):
    """The digests of commitment and season, and the number of logs. `not_made`: what was not made again, and why."""

    commitment: str
    season: str
    logs: int
    not_made: str


def commit(folder: Path, plan: Plan, environment: Environment) -> str:
    """Write what is fixed before the first call of a season, synced, or check that the folder's is the same: the plan, its
    prompt packs, the measure, the stopping rule and a digest of the seeds. Its digest. UsageError for another folder."""
    wanted, logs = {**_committed(plan), "packs": sorted(_packs_of(plan, environment))}, TournamentDir(folder / LOGS)
    if (folder / _COMMITMENT).exists():
        found = _read(folder, _COMMITMENT)
        if changed := [name for name, value in wanted.items() if found.get(name) != value]:
            what = f"{folder} holds another season (other {', '.join(changed)})."
            raise UsageError(f"{what} Name another folder with --output.")
    elif folder.is_dir() and any(path.name != LOGS for path in folder.iterdir() if not path.name.startswith(".")):
        raise UsageError(f"{folder} holds other files: name a new folder with --output.")
    with logs.locked():
        logs.record_plan(plan)
    if not (folder / _COMMITMENT).exists():
        SiteIndex().write(folder)  # the gallery will be the folder itself
        _write(folder, _COMMITMENT, {**wanted, "created": now(), "package": package_version()})
    return digest_of(read_regular(folder / _COMMITMENT, "The commitment"))


def _committed(plan: Plan) -> dict[str, Any]:
    """The facts that follow from the plan. Its seeds deal every match, so only their digest is published before."""
    data = {name: value for name, value in json.loads(json.dumps(plan.to_json())).items() if name not in _MAY_CHANGE}
    seeds = {name: data.pop(name) for name in _SEEDS if name in data}
    stops = _STOPS_SURE if plan.until else _STOPS
    return {"plan": data, "measure": _MEASURE, "stops": stops, "seeds": digest_of(canonical(seeds))}


def _packs_of(plan: Plan, environment: Environment) -> set[str]:
    """The digest of each prompt pack that a player of the plan reads."""
    known, found = set[tuple[str, str]](), set[str]()
    for fixture in schedule(plan):
        if new := {(kind_of(fixture), seat.name) for seat in fixture.seats} - known:
            known |= new
            config = ready(fixture.spec, environment).config
            found |= _packs({"prompts": config.prompts, "seats": [dict(seat.identity) for seat in config.seats]})
    return found


def _packs(header: Any) -> set[str]:
    return {digest_of(canonical(of["prompts"])) for of in (header, *header["seats"]) if of.get("prompts")}


def table_writer() -> str:
    """What writes the tables of a season: pyarrow with its version, since each writes other bytes; without it "csv"."""
    return _CSV if find_spec("pyarrow") is None else f"pyarrow {version('pyarrow')}"


def publish(folder: Path, out: Path, title: str, follow: FollowWork, writer: str | None) -> None:
    """Write all that is made from the logs of a season: the gallery with the standings, the tables with their card (None: no
    tables), and a record for each model. The same logs and `writer` give the same files."""
    logs = folder / LOGS
    build_site(logs, out, "all", follow, title)
    if writer is not None:
        kind, other = ("csv", "parquet") if writer == _CSV else ("parquet", "csv")
        write_dataset(logs, out, [*TABLES], kind, title, follow)
        for name in TABLES:  # of a run that was stopped, with another writer
            (out / f"{name}.{other}").unlink(missing_ok=True)
    if any(is_model(entrant.spec) for entrant in plan_of(read_plan(logs / MANIFEST)).entrants):
        write_records(folder_matches(logs, pooled(["all"]), by_spec=True), out)


def seal(folder: Path) -> str:
    """Write the digest of every file of a season, which ends it. The digest of all."""
    facts = {"title": folder.resolve().name, "package": package_version(), "tables": table_writer()}
    _write(folder, _SEASON, {**facts, "files": dict(_files(folder))})
    return digest_of(read_regular(folder / _SEASON, "The season"))


def check(folder: Path, follow: FollowWork) -> Proof:
    """Prove a season again: every file as it was written, every log played again, and all pages, tables and records made again
    from the logs. DigestError names the file that is not right; UsageError for what is no season."""
    season, found = _read(folder, _SEASON), dict(_files(folder))
    for name in sorted(season["files"].keys() | found.keys()):
        if season["files"].get(name) != found.get(name):
            _fail(
                folder, name, "is missing" if name not in found else "was changed" if name in season["files"] else "was added"
            )
    with TemporaryDirectory(prefix="tabletop-") as scratch:
        copy = Path(scratch, "season")  # without indexes, which nothing here may believe
        shutil.copytree(folder / LOGS, copy / LOGS, ignore=shutil.ignore_patterns(".*"))
        paths, plan = logs_in(copy / LOGS), plan_of(read_plan(copy / LOGS / MANIFEST))
        for one in follow(verify_folder(paths), len(paths)):
            if one.state != "sound" and not (plan.until and one.state == "unfinished"):
                _fail(
                    folder, Path(one.path).relative_to(copy).as_posix(), f"is {one.state}" + (f": {one.why}" if one.why else "")
                )
        _check_commitment(folder, plan, {path.relative_to(copy / LOGS).as_posix(): path for path in paths})
        wanted = season.get("tables", _CSV)
        writer = wanted if wanted in (_CSV, table_writer()) else None
        not_made = f"tables: {clean(wanted, 100)} is not here" if writer is None else ""
        if (package := season.get("package")) != package_version():
            not_made = f"pages, tables and records: those are of tabletop {clean(package, 100)}"
        else:
            made = Path(scratch, "made")
            make_folder(made)
            publish(copy, made, str(season.get("title")), follow, writer)
            for name, digest in _files(made):
                if found.get(name) != digest:
                    _fail(folder, name, "does not follow from the logs")
    commitment, seal = (digest_of(read_regular(folder / name, "The season")) for name in (_COMMITMENT, _SEASON))
    return Proof(commitment, seal, len(paths), not_made)


def _check_commitment(folder: Path, plan: Plan, played: Mapping[str, Path]) -> None:
    """DigestError where the matches are not those that were committed to, by the names of their logs."""
    commitment = _read(folder, _COMMITMENT)
    for name, value in _committed(plan).items():
        if commitment.get(name) != value:
            _fail(folder, f"{LOGS}/{MANIFEST}", f"is not what was committed to ({name})")
    planned, differences = {one.name: one for one in schedule(plan)}, differences_of(plan)
    for name, path in sorted(played.items()):
        log = read_log(path)
        if name not in planned:
            _fail(folder, f"{LOGS}/{name}", "is no match of the plan")
        if not _packs(log.header) <= {*commitment["packs"]}:
            _fail(folder, f"{LOGS}/{name}", "was played with prompts that were not committed to")
        if log.result is not None:
            differences.add(planned[name], log.result)
    for name in sorted(planned.keys() - played.keys()):
        if not (plan.until and differences.is_decided):
            _fail(folder, f"{LOGS}/{name}", "is missing")


def _fail(folder: Path, name: str, why: str) -> NoReturn:
    raise DigestError(f"{folder / name} {why.rstrip('.')}.")


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    """The path of every file that is published and not hidden, with its digest; without the list of them."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        is_shown = not any(part.startswith(".") for part in name.parts) and name.as_posix() != _SEASON
        if is_shown and not path.is_dir():
            yield name.as_posix(), digest_of(read_regular(path, "The file", LARGEST_LOG))


def _read(folder: Path, name: str) -> dict[str, Any]:
    try:
        found = json.loads(read_regular_text(folder / name, "The season"))
        if isinstance(found, dict) and isinstance(found["plan" if name == _COMMITMENT else "files"], dict):
            return found
    except (ValueError, KeyError, RecursionError):
        pass
    raise UsageError(f"{folder / name} is not the record of a season.")


def _write(folder: Path, name: str, data: object) -> None:
    write_whole(folder / name, json.dumps(data, ensure_ascii=False, indent=1) + "\n", "The season", is_private=False)
