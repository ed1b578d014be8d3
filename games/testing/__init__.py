"""Testing: what every game promises, as a test class for pytest. `TestNim = suite(GAME)` in a test module runs it all."""

import sys

_PARTS = ("answers", "bots", "encodings", "information", "recaps", "remarks", "results", "transitions", "worlds")

if "pytest" in sys.modules:  # so that a failed assertion shows its values; it has to come before the import
    sys.modules["pytest"].register_assert_rewrite(*(f"{__name__}.{part}" for part in _PARTS))

from games.testing.suite import suite  # noqa: E402

__all__ = ["suite"]
