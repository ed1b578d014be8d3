"""Figures of standings as words."""

from __future__ import annotations

from typing import Any


def rating_text(figure: dict[str, Any]) -> str:
    """A rating: `1532`."""
    return f"{figure['value']:.0f}"


def span_text(figure: dict[str, Any]) -> str:
    """The interval of a rating: `1497 to 1570`, or a dash where there is none."""
    return "-" if figure["low"] is None else f"{figure['low']:.0f} to {figure['high']:.0f}"


def share_text(figure: dict[str, Any]) -> str:
    """A share with how far it may be off: `31 % (25-38)`."""
    span = "" if figure["low"] is None else f" ({figure['low'] * 100:.0f}-{figure['high'] * 100:.0f})"
    return f"{figure['value'] * 100:.0f} %{span}"


def score_text(figure: dict[str, Any]) -> str:
    """A mean score: `3.4 (2.9-3.8)`."""
    span = "" if figure["low"] is None else f" ({figure['low']:.1f} to {figure['high']:.1f})"
    return f"{figure['value']:.1f}{span}"


def rank_text(probability: float) -> str:
    """The probability of a rank; what never came is a dot."""
    return "·" if probability < 0.0005 else ">99 %" if 0.995 <= probability < 1 else f"{probability * 100:.0f} %"


def measure_text(measure: dict[str, Any]) -> str:
    """What a game counts: a share, or an amount a match."""
    if measure["value"] is None:
        return "-"
    return f"{measure['value'] * 100:.0f} %" if measure["is_share"] else f"{measure['value']:.1f}"


def rate_text(rate: float) -> str:
    """A rate of mistakes."""
    return "-" if not rate else f"{rate * 100:.1f} %"


def established_text(meeting: dict[str, Any]) -> str:
    """Whether a difference is established, in a word or two."""
    return "established" if meeting["is_established"] else "not established"
