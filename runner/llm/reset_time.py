"""Reset time: when a limit ends by itself, in the local time of whoever reads it."""

from __future__ import annotations

from datetime import datetime

_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"))


def reset_time(until: float, now: float) -> str:
    """A moment (epoch seconds) as date, time and zone, and how long that is from now: `2026-11-23 01:00 CET, in 6 h 12 min`."""
    wait = f"in {_duration(max(until - now, 0.0))}"
    try:
        return f"{datetime.fromtimestamp(until).astimezone():%Y-%m-%d %H:%M %Z}, {wait}"
    except (OverflowError, ValueError, OSError):  # beyond the year 9999
        return wait


def _duration(seconds: float) -> str:
    """Seconds in at most two units."""
    for place, (size, unit) in enumerate(_UNITS):
        if seconds >= size:
            rest = int(seconds % size)
            smaller = _UNITS[place + 1 :][:1]
            parts = [f"{int(seconds // size)} {unit}", *(f"{rest // less} {name}" for less, name in smaller if rest >= less)]
            return " ".join(parts)
    return f"{seconds:.0f} s"
