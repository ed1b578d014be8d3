"""Number format: the figures of standings as text."""

from __future__ import annotations

from runner.standings.document_types import FigureData, MeasureData, MeetingData


def rating_text(figure: FigureData) -> str:
    """A rating: `1532`."""
    return f"{figure['value']:.0f}"


def interval_text(figure: FigureData) -> str:
    """The interval of a rating: `1497 to 1570`, or a dash."""
    return _interval(figure, "{:.0f} to {:.0f}") or "-"


def share_text(figure: FigureData) -> str:
    """A share with its interval: `31 % (25-38)`."""
    return f"{figure['value'] * 100:.0f} %{_interval(figure, ' ({:.0f}-{:.0f})', 100)}"


def points_text(figure: FigureData) -> str:
    """A small share: `2.3 %`."""
    return f"{figure['value'] * 100:.1f} %"


def signed_points_text(figure: FigureData) -> str:
    """A small difference between shares: `+2.3 %`."""
    return f"{figure['value'] * 100:+.1f} %"


def bounds_text(figure: FigureData) -> str:
    """The interval of a small share: `1.9 to 2.8`, or a dash."""
    return _interval(figure, "{:.1f} to {:.1f}", 100) or "-"


def times_text(factor: float | None) -> str:
    """A factor: `2.4 times`, or a dash."""
    return "-" if factor is None else f"{factor:.1f} times"


def score_text(figure: FigureData) -> str:
    """A mean score with its interval: `3.4 (2.9 to 3.8)`."""
    return f"{figure['value']:.1f}{_interval(figure, ' ({:.1f} to {:.1f})')}"


def _interval(figure: FigureData, form: str, scale: float = 1) -> str:
    """The interval in this form; empty without one."""
    low, high = figure["low"], figure["high"]
    return "" if low is None or high is None else form.format(low * scale, high * scale)


def rank_text(probability: float) -> str:
    """The probability of a rank; a dot for one that never came up."""
    return "·" if probability < 0.0005 else ">99 %" if 0.995 <= probability < 1 else f"{probability * 100:.0f} %"


def measure_text(measure: MeasureData) -> str:
    """A game's measure: a share, or an amount per match."""
    if measure["value"] is None:
        return "-"
    return f"{measure['value'] * 100:.0f} %" if measure["is_share"] else f"{measure['value']:.1f}"


def part_text(number: int, total: int) -> str:
    """A part of a total: `31 %`, or a dash where there is no total."""
    return chance_text(number / total if total else None)


def chance_text(chance: float | None) -> str:
    """A probability: `31 %`, or a dash."""
    return "-" if chance is None else f"{chance * 100:.0f} %"


def rate_text(rate: float) -> str:
    """A rate of invalid answers."""
    return "-" if not rate else f"{rate * 100:.1f} %"


def established_text(meeting: MeetingData) -> str:
    """Whether a difference is established."""
    return "established" if meeting["is_established"] else "not established"
