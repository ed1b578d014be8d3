"""Kept reviews: a review is written beside its log, so that the next look is at once."""

import json
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

import games
from games.search.grading import default_playouts
from runner.digest import code_of
from runner.errors import TabletopError
from runner.files import read_regular_text, write_whole
from runner.match.header import package_version
from runner.record.log_folder import FollowWork, PerLog, per_log, unfollowed
from runner.record.log_paths import place_of
from runner.record.reader import Log, read_log
from runner.review.decision_review import Share
from runner.review.review_document import SEED, ReviewDocument, SeatEntry, review_log, seat_of, view_chances

EVERYTHING = "all"


def restricted(document: ReviewDocument, view: str, chances: list[list[float]]) -> ReviewDocument:
    """A review as a restricted view (`public`, P-1) may see it, with the chances of that view. It has the seat's own decisions
    alone: an answer of another seat can be hidden, and its grade tells about hidden cards."""
    seat = seat_of(view)
    return document | {
        "view": view,
        "seats": [_from_view(one, chances) for one in document["seats"] if one["seat"] == seat],
        "decisions": [one for one in document["decisions"] if one["seat"] == seat],
        "chances": chances,
        "not_graded": [one for one in document["not_graded"] if one["seat"] == seat],
    }


def _from_view(entry: SeatEntry, chances: list[list[float]]) -> SeatEntry:
    """The entry of the view's own seat: its luck starts from what it knew."""
    start, result = chances[0][entry["seat"]] if chances else 0.0, entry["result"]
    luck = None if result is None else round(result - start - entry["skill"], 4)
    return entry | {"start": start, "luck": luck}


_LARGEST = 50_000_000


class Kept(TypedDict):
    """What the file of a review holds. `views` are the chances of each restricted view that was asked for."""

    version: str
    code: str
    """The digest of what grades the game. A review that other code made counts as none."""
    review: ReviewDocument
    views: dict[str, list[list[Share]]]


_KEPT = TypeAdapter(Kept)


def review_path(log: Path) -> Path:
    """The file of a log's review: `.NAME.review.json` beside it; of a packed log, beside its place in the pack's folder."""
    place = place_of(log)
    return place.with_name(f".{place.name}.review.json")


def reviewed(
    log: Log, playouts: int | None = None, seed: int = SEED, view: str = EVERYTHING, follow: FollowWork = unfollowed
) -> ReviewDocument:
    """The review of a log as a view may see it: the kept one if it is of the same lines, settings and version, else a new one,
    which is kept. `playouts` None: the game's default. A folder that cannot be written keeps none. LogDamagedError at a
    decision that the rules do not lead to. UsageError for a game without a policy for playouts."""
    settings = playouts or default_playouts(games.load(log.header["game"])), seed
    kept = _read(log)
    if kept is None or (kept["review"]["playouts"], kept["review"]["seed"]) != settings:
        kept = {
            "version": package_version(),
            "code": code_of(log.header["game"]),
            "review": review_log(log, *settings, follow),
            "views": {},
        }
        _keep(log, kept)
    if view not in (EVERYTHING, *kept["views"]):
        kept["views"][view] = view_chances(log, view, *settings, follow)
        _keep(log, kept)
    return _as_seen(kept, view)


def kept_review(log: Log, view: str = EVERYTHING) -> ReviewDocument | None:
    """The review that is kept beside a log, whatever its settings, as a view may see it; None without one of the log as it is
    now, or without that view's chances."""
    kept = _read(log)
    return _as_seen(kept, view) if kept is not None and view in (EVERYTHING, *kept["views"]) else None


def stored_review(log: Path) -> ReviewDocument | None:
    """The review in the file beside a log's, which may be of other lines than the log has now; None without one."""
    kept = _stored(log)
    return kept["review"] if kept else None


def _as_seen(kept: Kept, view: str) -> ReviewDocument:
    return kept["review"] if view == EVERYTHING else restricted(kept["review"], view, kept["views"][view])


def _keep(log: Log, kept: Kept) -> None:
    with suppress(TabletopError):
        write_whole(review_path(log.path), json.dumps(kept, separators=(",", ":")), "The review")


def _read(log: Log) -> Kept | None:
    kept = _stored(log.path)
    return kept if kept is not None and _is_of(log, kept) else None


def _stored(log: Path) -> Kept | None:
    """What is kept beside a log. The file may be a stranger's: one that does not fit this version counts as none."""
    try:
        text = read_regular_text(review_path(log), "The review", _LARGEST)
        kept = _KEPT.validate_python(json.loads(text), strict=True)
    except (TabletopError, ValueError, RecursionError, ValidationError):
        return None
    kept["review"]["log"] = log.name
    return kept if kept["version"] == package_version() else None


def _is_of(log: Log, kept: Kept) -> bool:
    review = kept["review"]
    seats = [record["seat"] for _, record in log.of_kind("decision")]
    names = [(seat, player["name"]) for seat, player in enumerate(log.latest_header["seats"])]
    told = {one["decision"]: one["seat"] for one in (*review["decisions"], *review["not_graded"])}
    game = log.header["game"]
    return (
        (kept["code"], review["game"], review.get("digest")) == (code_of(game), game, log.last)
        and [(one["seat"], one["player"]) for one in review["seats"]] == names
        and [told.get(number) for number in range(1, len(seats) + 1)] == seats
        and len(told) == len(seats) == len(review["decisions"]) + len(review["not_graded"])
        and all(
            [len(row) for row in rows] == [len(names)] * len(seats) for rows in (review["chances"], *kept["views"].values())
        )
    )


def folder_reviews(paths: Sequence[Path], follow: FollowWork, playouts: int | None = None) -> PerLog[ReviewDocument]:
    """The reviews of logs: kept ones with this number of playouts (None: any), new ones for the others, which are kept then."""
    return per_log(partial(_review_of, playouts), paths, follow)


def keep_review(log: Path) -> None:
    """Review a log that has ended, if it can be reviewed."""
    with suppress(TabletopError):
        reviewed(read_log(log))


def _review_of(playouts: int | None, log: Log) -> ReviewDocument:
    return (kept_review(log) if playouts is None else None) or reviewed(log, playouts)
