"""Kept reviews: a review is written beside its log, so that the next look is at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from runner.errors import TabletopError
from runner.match.header import package_version
from runner.record.log_paths import place_of
from runner.record.private_files import write_whole
from runner.record.reader import Log
from runner.regular_files import read_regular_text
from runner.review.restricted_review import restricted, view_name
from runner.review.review_document import ReviewDocument, Share
from runner.review.reviewing import SEED, Follow, FollowSeen, review_log, unfollowed, view_chances

_LARGEST = 50_000_000


class Kept(TypedDict):
    """What the file of a review holds. `views` are the chances of each restricted view that was asked for."""

    version: str
    review: ReviewDocument
    views: dict[str, list[list[Share]]]


class Settings(NamedTuple):
    """What a review depends on beside the log."""

    playouts: int
    seed: int = SEED


_KEPT = TypeAdapter(Kept)


def review_path(log: Path) -> Path:
    """The file of a log's review: `.NAME.review.json` beside it; of a packed log, beside its place in the pack's folder."""
    place = place_of(log)
    return place.with_name(f".{place.name}.review.json")


def reviewed(log: Log, settings: Settings, follow: Follow = unfollowed) -> ReviewDocument:
    """The review of a log: the kept one if it is of the same lines, settings and version, else a new one, which is kept.

    A folder that cannot be written keeps none.
    """
    return _kept_as(log, settings, follow)["review"]


def reviewed_from(
    log: Log, seat: int | None, settings: Settings, follow: Follow = unfollowed, follow_seen: FollowSeen = unfollowed
) -> ReviewDocument:
    """The part of a log's review that one seat (None: a spectator) may see, kept as `reviewed` keeps a review."""
    kept, name = _kept_as(log, settings, follow), view_name(seat)
    if name not in kept["views"]:
        kept["views"][name] = view_chances(log, seat, *settings, follow_seen)
        _keep(log, kept)
    return restricted(kept["review"], seat, kept["views"][name])


def kept_review(log: Log) -> ReviewDocument | None:
    """The review that is kept beside a log, whatever its settings; None without one of the log as it is now."""
    kept = _read(log)
    return kept["review"] if kept else None


def stored_review(log: Path) -> ReviewDocument | None:
    """The review in the file beside a log's, which may be of other lines than the log has now; None without one."""
    kept = _stored(log)
    return kept["review"] if kept else None


def kept_review_from(log: Log, seat: int | None) -> ReviewDocument | None:
    """The part of it that one seat (None: a spectator) may see; None as well where that view's chances were not computed."""
    kept, name = _read(log), view_name(seat)
    return restricted(kept["review"], seat, kept["views"][name]) if kept and name in kept["views"] else None


def _kept_as(log: Log, settings: Settings, follow: Follow) -> Kept:
    kept = _read(log)
    if kept is not None and (kept["review"]["playouts"], kept["review"]["seed"]) == settings:
        return kept
    fresh: Kept = {"version": package_version(), "review": review_log(log, *settings, follow), "views": {}}
    _keep(log, fresh)
    return fresh


def _keep(log: Log, kept: Kept) -> None:
    with suppress(TabletopError):
        write_whole(review_path(log.path), json.dumps(kept, separators=(",", ":")), "The review")


def _read(log: Log) -> Kept | None:
    """The review kept beside a log, if it is of the log as it is now."""
    kept = _stored(log.path)
    return kept if kept is not None and _is_of(log, kept["review"], kept["views"]) else None


def _stored(log: Path) -> Kept | None:
    """What is kept beside a log. The file may be a stranger's: one that does not fit this version counts as none."""
    try:
        text = read_regular_text(review_path(log), "The review", _LARGEST)
        kept = _KEPT.validate_python(json.loads(text), strict=True)
    except (TabletopError, ValueError, RecursionError, ValidationError):
        return None
    kept["review"]["log"] = log.name
    return kept if kept["version"] == package_version() else None


def _is_of(log: Log, review: ReviewDocument, views: Mapping[str, list[list[float]]]) -> bool:
    """Whether a review has the lines, the players and the decisions of a log."""
    seats = [record["seat"] for _, record in log.of_kind("decision")]
    names = [(seat, player["name"]) for seat, player in enumerate(log.latest_header["seats"])]
    told = {one["decision"]: one["seat"] for one in (*review["decisions"], *review["not_graded"])}
    return (
        (review["game"], review.get("digest")) == (log.header["game"], log.last)
        and [(one["seat"], one["player"]) for one in review["seats"]] == names
        and [told.get(number) for number in range(1, len(seats) + 1)] == seats
        and len(told) == len(seats) == len(review["decisions"]) + len(review["not_graded"])
        and all([len(row) for row in rows] == [len(names)] * len(seats) for rows in (review["chances"], *views.values()))
    )
