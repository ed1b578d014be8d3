"""The games: rules only. `names()` lists them and `load(name)` gives one."""

from games.registry import BrokenGameError, load, names, registered

__all__ = ["BrokenGameError", "load", "names", "registered"]
